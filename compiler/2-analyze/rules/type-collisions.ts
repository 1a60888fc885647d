/**
 * No two objects may give the schema two types of one name (`metadata-api.md` 6.3): clients would see one of them for
 * both. Tables whose types are alike, such as those of two databases with one schema, may share a name.
 */
import { specifiedScalarTypes } from "graphql";
import type { Naming } from "../../../runtime/model/definitions/naming.ts";
import { dialectOf } from "../../dialects/index.ts";
import type { Analysis, AnalysisOptions, AnalyzedSource } from "../analysis.ts";
import type { AnalyzedColumn, AnalyzedTable } from "../analyzed-table.ts";
import { type Collision, type Owner, ownerText } from "../collisions.ts";
import { ofGroup } from "../table-map.ts";
import { fieldOf } from "./table-type-texts.ts";
import { namingOf } from "./type-names.ts";
import { objectText } from "./type-texts.ts";

/** An object whose rows have a type, with the name of that type. */
interface Row {
  readonly name: string;
  readonly owner: Exclude<Owner, { readonly kind: "action" | "source" | "function" }>;
}

/** Returns the first two objects that give types of one name; `undefined` if there are none. */
export function typeCollision(
  sources: ReadonlyMap<string, AnalyzedSource>,
  options: AnalysisOptions,
  previous: Analysis | undefined,
): Collision | undefined {
  if (previous !== undefined && haveSameTypes(sources, previous.sources)) return undefined;
  const rows = new Map<string, Row>();
  for (const row of rowsOf(sources)) {
    const other = rows.get(row.name);
    if (other !== undefined && textOf(other.owner) !== textOf(row.owner))
      return collision(row.name, other.owner, row.owner);
    rows.set(row.name, row);
  }
  const scalars = scalarColumns(sources);
  for (const row of rows.values()) {
    const other = fixedTypes.has(row.name) ? "a type of every schema" : scalars.get(row.name);
    if (other !== undefined) return collisionWith(row, other);
  }
  for (const { owner } of rows.values()) {
    if (owner.kind !== "table") continue;
    const naming = namingOf(owner.source);
    for (const suffix of suffixesOf(owner.table, options)) {
      const other = rows.get(naming.type(owner.table.graphqlName ?? "", suffix));
      if (other !== undefined) return collision(other.name, owner, other.owner);
    }
  }
  return undefined;
}

function haveSameTypes(
  sources: ReadonlyMap<string, AnalyzedSource>,
  previous: ReadonlyMap<string, AnalyzedSource>,
): boolean {
  for (const [name, source] of sources) {
    const earlier = previous.get(name);
    if (earlier === undefined || earlier.source.customization !== source.source.customization) return false;
    if (earlier.logicalModels !== source.logicalModels || earlier.nativeQueries !== source.nativeQueries) return false;
    if (earlier.storedProcedures !== source.storedProcedures) return false;
    for (const [table, before] of source.tables.changesSince(earlier.tables)) {
      if (before === undefined || !hasSameType(table, before)) return false;
    }
  }
  return true;
}

function hasSameType(table: AnalyzedTable, before: AnalyzedTable): boolean {
  return (
    table.graphqlName === before.graphqlName &&
    table.shape === before.shape &&
    table.columns === before.columns &&
    table.relationships === before.relationships &&
    table.computedFields === before.computedFields &&
    table.remoteRelationships === before.remoteRelationships
  );
}

function* rowsOf(sources: ReadonlyMap<string, AnalyzedSource>): Generator<Row> {
  for (const source of sources.values()) {
    const naming = namingOf(source);
    for (const table of source.tables.values()) {
      if (table.graphqlName !== null)
        yield { name: naming.type(table.graphqlName), owner: { kind: "table", source, table } };
    }
    const models = [
      ...Array.from(source.logicalModels.keys(), (name) => ["logical model", name, name] as const),
      ...Array.from(source.nativeQueries, ([name, { model }]) => ["native query", name, model.name] as const),
      ...Array.from(source.storedProcedures, ([name, { model }]) => ["stored procedure", name, model.name] as const),
    ];
    for (const [kind, name, model] of models) {
      if (kind !== "logical model" && source.logicalModels.has(model)) continue;
      yield { name: naming.type(model), owner: { kind, source, name } };
    }
  }
}

/** The object type of a row: equal texts mean that clients cannot tell the types apart. */
function textOf({ source, ...owner }: Row["owner"]): string {
  const naming = namingOf(source);
  if (owner.kind !== "table") return `${owner.kind} ${owner.name} of ${source.name}`;
  const { columns, relationships, computedFields, remoteRelationships, shape } = owner.table;
  const columnFields = columns.flatMap((column) => {
    const target = column.enumTable === undefined ? undefined : typeNameOf(column.enumTable, source, naming);
    return fieldOf(column, source.source.kind).map((field) =>
      target ? { ...field, type: `enum of ${target}` } : field,
    );
  });
  const others = [
    ...Array.from(relationships.values(), ({ name, kind, target }) => ({
      name,
      type: `${kind} ${typeNameOf(target, source, naming)}`,
    })),
    ...Array.from(computedFields.values(), ({ name, returns }) => {
      const type = returns.kind === "table" ? typeNameOf(returns.target, source, naming) : returns.type.sql;
      return { name, type: `computed ${type}` };
    }),
    ...Array.from(remoteRelationships.keys(), (name) => ({ name, type: "remote relationship" })),
  ];
  const values = shape.enumValues?.map(({ value }) => value).join(" ") ?? "";
  return objectText([...columnFields, ...others.map((field) => ({ ...field, inputs: "" }))]) + values;
}

function typeNameOf(key: string, { tables }: AnalyzedSource, naming: Naming): string {
  const name = tables.get(key)?.graphqlName;
  return name ? naming.type(name) : key;
}

/** Types that every schema with tables has, under whatever convention. */
const fixedTypes: ReadonlySet<string> = new Set([
  ...specifiedScalarTypes.map(({ name }) => name),
  ...["query_root", "mutation_root", "subscription_root", "order_by", "OrderBy", "cursor_ordering", "CursorOrdering"],
]);

interface ScalarColumn {
  readonly table: AnalyzedTable;
  readonly column: AnalyzedColumn;
}

/** The first column of each database type in a group of tables. */
const scalarColumnsOfGroup = ofGroup((group): readonly ScalarColumn[] => {
  const byType = new Map<string, ScalarColumn>();
  for (const table of group) {
    if (table.graphqlName === null) continue;
    for (const column of table.columns) {
      const { field, shape, enumTable } = column;
      if (field === null || enumTable !== undefined || byType.has(shape.type.sql)) continue;
      byType.set(shape.type.sql, { table, column });
    }
  }
  return [...byType.values()];
});

/** The scalars of the schema, each with a column that has it, in words. */
function scalarColumns(sources: ReadonlyMap<string, AnalyzedSource>): ReadonlyMap<string, string> {
  const scalars = new Map<string, string>();
  for (const source of sources.values()) {
    const dialect = dialectOf(source.source.kind);
    for (const group of source.tables.groups) {
      for (const { table, column } of scalarColumnsOfGroup(group)) {
        const { graphql } = dialect.scalarOf(dialect.scalarCall(column.shape.type));
        if (scalars.has(graphql)) continue;
        scalars.set(graphql, `the scalar of column ${column.name} of ${ownerText({ kind: "table", source, table })}`);
      }
    }
  }
  return scalars;
}

/** Yields the suffixes of a table's generated types that the schema of `admin` always contains. */
function* suffixesOf({ shape, primaryKey, table }: AnalyzedTable, options: AnalysisOptions): Generator<string> {
  const hidden = options.experimentalFeatures;
  yield* ["aggregate", "aggregate_fields", "bool_exp", "order_by", "select_column"];
  if (table.is_enum) yield "enum";
  if (!hidden.has("hide_stream_fields")) yield* ["stream_cursor_input", "stream_cursor_value_input"];
  if (shape.insertable) yield "insert_input";
  if (shape.insertable || shape.updatable || shape.deletable) yield "mutation_response";
  if (!shape.updatable) return;
  yield "set_input";
  if (primaryKey.length > 0) yield "pk_columns_input";
  if (!hidden.has("hide_update_many_fields")) yield "updates";
}

function collision(name: string, first: Owner, second: Owner): Collision {
  const owners = [ownerText(first), ownerText(second)].join(", ");
  return { message: messageFor(name, owners), owners: [[first, second]] };
}

function collisionWith({ name, owner }: Row, other: string): Collision {
  return { message: messageFor(name, `${other}, ${ownerText(owner)}`), owners: [[owner]] };
}

const messageFor = (name: string, owners: string): string =>
  `Found conflicting definitions for GraphQL type '${name}' by [${owners}]. Give one of them another name: a custom_name, or a prefix or suffix for the type names of its source.`;
