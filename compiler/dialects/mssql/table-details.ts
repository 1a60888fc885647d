/**
 * Reads indexes, check constraints, the view query and the number of rows of one table or view, in one statement over
 * `sys` views.
 */

import { quoteIdentifier } from "../../../runtime/model/dialects/mssql/quote.ts";
import { invariant } from "../../../runtime/values/errors.ts";
import type { TableShape } from "../../shape/shape.ts";
import type { ConstraintDetails, IndexDetails, TableDetails } from "../../shape/table-details.ts";
import type { Query } from "../dialect.ts";

interface IndexRow {
  readonly name: string;
  /** `clustered`, `nonclustered columnstore` … */
  readonly kind: string;
  readonly unique: boolean;
  readonly primary: boolean;
  readonly filter: string | null;
  readonly columns: readonly { readonly name: string; readonly descending: boolean; readonly included: boolean }[];
}

/** Returns rows of two texts: a section name, and its JSON list or text, or NULL if it is empty. */
function tableDetailsStatement(id: number): string {
  invariant(Number.isSafeInteger(id), "an object_id is a number");
  return `select N'indexes' as [section], (
  select i.name as [name], lower(i.type_desc) as [kind], i.is_unique as [unique], i.is_primary_key as [primary],
    i.filter_definition as [filter], json_query((
      select c.name as [name], k.is_descending_key as [descending], k.is_included_column as [included]
      from sys.index_columns k join sys.columns c on c.object_id = k.object_id and c.column_id = k.column_id
      where k.object_id = i.object_id and k.index_id = i.index_id
      order by k.is_included_column, k.key_ordinal, k.index_column_id
      for json path)) as [columns]
  from sys.indexes i
  where i.object_id = ${id} and i.name is not null and i.is_hypothetical = 0
  order by i.name
  for json path, include_null_values) as [body]
union all
select N'checks', (
  select k.name as [name], N'check' as [type], k.definition as [definition]
  from sys.check_constraints k
  where k.parent_object_id = ${id} and k.definition is not null
  order by k.name
  for json path)
union all
select N'view', (
  select m.definition from sys.sql_modules m join sys.objects o on o.object_id = m.object_id
  where m.object_id = ${id} and o.type = 'V')
union all
select N'rows', (
  select cast(sum(p.rows) as nvarchar(20)) from sys.partitions p where p.object_id = ${id} and p.index_id in (0, 1))`;
}

export async function readTableDetails(query: Query, { id }: TableShape): Promise<TableDetails> {
  const bodies = new Map(await query(tableDetailsStatement(id)).then((rows) => rows.map(([key, body]) => [key, body])));
  const list = <Row>(section: string): readonly Row[] => JSON.parse(bodies.get(section) ?? "[]");
  const rows = bodies.get("rows");
  return {
    indexes: list<IndexRow>("indexes").map(indexDetails),
    constraints: list<ConstraintDetails>("checks"),
    viewDefinition: bodies.get("view") ?? null,
    estimatedRows: typeof rows === "string" ? Number(rows) : null,
    enumValues: {},
  };
}

function indexDetails({ name, kind, unique, primary, filter, columns }: IndexRow): IndexDetails {
  const names = (wanted: "included" | "key") =>
    (columns ?? [])
      .filter(({ included }) => included === (wanted === "included"))
      .map((column) => `${quoteIdentifier(column.name)}${column.descending ? " desc" : ""}`)
      .join(", ");
  const [keys, included] = [names("key"), names("included")];
  const parts = [
    ...(unique ? ["unique"] : []),
    kind,
    ...(keys === "" ? [] : [`(${keys})`]),
    ...(included === "" ? [] : [`include (${included})`]),
    ...(filter === null ? [] : [`where ${filter}`]),
  ];
  return { name, unique, primary, definition: parts.join(" ") };
}
