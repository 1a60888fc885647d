/** Reads the facts that `advise` needs from SQL Server 2017 and Azure SQL, in one statement over `sys` views. */
import { compareText } from "../../../../runtime/values/text-order.ts";
import type { IndexFact, OwnerFunction, ReviewFacts } from "../../../shape/review-facts.ts";
import type { Query } from "../../dialect.ts";
import { isUserSchema } from "./statement.ts";

/**
 * Selects row store indexes in their key order, except disabled ones. A hash index of a memory-optimized table (type 7)
 * serves only comparisons of all its columns, so it counts only with a single one.
 */
const indexes = `select s.name as [schema], o.name as [table], i.name as [name], i.filter_definition as [condition],
    json_query((
      select c.name as [name]
      from sys.index_columns k join sys.columns c on c.object_id = k.object_id and c.column_id = k.column_id
      where k.object_id = i.object_id and k.index_id = i.index_id and k.key_ordinal > 0
      order by k.key_ordinal
      for json path)) as [columns]
  from sys.indexes i join sys.objects o on o.object_id = i.object_id join sys.schemas s on s.schema_id = o.schema_id
  where o.type = 'U' and o.is_ms_shipped = 0 and ${isUserSchema} and i.name is not null
    and i.is_disabled = 0 and i.is_hypothetical = 0
    and (i.type in (1, 2) or i.type = 7 and 1 = (
      select count(*) from sys.index_columns k
      where k.object_id = i.object_id and k.index_id = i.index_id and k.key_ordinal > 0))
  for json path, include_null_values`;

/** Selects functions and procedures WITH EXECUTE AS. The principal -2 is the owner; others are users. */
const ownerFunctions = `select s.name as [schema], o.name as [name], o.object_id as [id], u.name as [user]
  from sys.sql_modules m join sys.objects o on o.object_id = m.object_id
    join sys.schemas s on s.schema_id = o.schema_id
    left join sys.database_principals u on u.principal_id = m.execute_as_principal_id
  where o.type in ('P', 'FN', 'IF', 'TF') and o.is_ms_shipped = 0 and ${isUserSchema}
    and m.execute_as_principal_id is not null
  for json path, include_null_values`;

/** Returns rows of two texts: a section name, and its JSON list, or NULL if it is empty. */
const reviewStatement = `select N'indexes' as [section], (${indexes}) as [body]
union all
select N'ownerFunctions', (${ownerFunctions})`;

interface IndexRow {
  readonly schema: string;
  readonly table: string;
  readonly name: string;
  readonly condition: string | null;
  readonly columns: readonly { readonly name: string }[];
}

interface FunctionRow {
  readonly schema: string;
  readonly name: string;
  readonly id: number;
  readonly user: string | null;
}

export async function readReviewFacts(query: Query): Promise<ReviewFacts> {
  const bodies = new Map((await query(reviewStatement)).map(([section, body]) => [section, body]));
  const list = <Row>(section: string): readonly Row[] => JSON.parse(bodies.get(section) ?? "[]");
  const keyOf = ({ table, name }: IndexFact) => JSON.stringify([table.schema, table.name, name]);
  const functionKey = ({ schema, name, id }: OwnerFunction) => JSON.stringify([schema, name, id]);
  return {
    indexes: list<IndexRow>("indexes")
      .map(indexFact)
      .sort((one, other) => compareText(keyOf(one), keyOf(other))),
    ownerFunctions: list<FunctionRow>("ownerFunctions")
      .map(({ user, ...named }) => ({ ...named, ...(user !== null && { user }) }))
      .sort((one, other) => compareText(functionKey(one), functionKey(other))),
  };
}

function indexFact({ schema, table, name, condition, columns }: IndexRow): IndexFact {
  return {
    table: { schema, name: table },
    name,
    columns: columns.map((column) => column.name),
    ...(condition !== null && { condition }),
  };
}
