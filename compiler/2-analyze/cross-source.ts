/**
 * Relationships to other sources in row filters. The column values of the matching rows are read first, and the filter
 * compares the table's own column with these values.
 */
import type { Json, QualifiedName, RemoteRelationship } from "../catalog/model.ts";
import { tableName } from "../catalog/schema/names.ts";
import { qualifiedKey } from "./analysis.ts";
import type { Predicate } from "./analyzed-table.ts";
import { checkOperator } from "./comparisons.ts";
import type { OtherSource, PredicateScope } from "./predicate-scope.ts";
import { reject, rejectUnknown } from "./rejection.ts";
import { sourceDefinition } from "./rules/remote-relationships.ts";
import type { ColumnEntry, TableFields, TablesByKey } from "./table-fields.ts";

/**
 * Binds a relationship to a table of another source.
 * @param bind binds the condition on the rows of that source
 * @throws Rejection
 */
export function bindCrossSource(
  scope: PredicateScope,
  { name, definition }: RemoteRelationship,
  bind: (inner: PredicateScope) => Predicate,
): Predicate {
  const to = sourceDefinition(definition);
  if (to === undefined) return reject(`relationship "${name}" does not lead to a table: row filters cannot use it`);
  const [mapped, ...more] = Object.entries(to.field_mapping);
  if (mapped === undefined || more.length > 0) return reject("remote field mapping should have exactly one column");
  const other =
    scope.others.named(to.source) ??
    rejectUnknown(`source not found: "${to.source}"`, to.source, [], { kind: "source", source: to.source });
  const row = targetTable(other, to.table);
  const local = columnOf(scope.row, mapped[0]);
  const remote = columnOf(row, mapped[1]);
  const { type } = local.column.shape;
  for (const [{ context }, entry] of [
    [scope, local],
    [other, remote],
  ] as const) {
    const { scalar, operators } = context.comparedType(entry.column.shape.type);
    if (scalar.graphql === "json" || !operators.has("_in")) {
      reject("JSON column can not be part of boolean expression");
    }
  }
  const isOneOf = scope.context.comparedType(type).operators.get("_in");
  if (isOneOf?.kind === "compare") checkOperator({ name: local.column.name, type }, isOneOf);
  scope.uses.column(local);
  scope.uses.field(scope.row, "remote_relationship", name);
  scope.uses.table(row);
  scope.uses.column(remote);
  const { tables, named } = recorded(other.tables);
  const where = bind({ ...scope, context: other.context, tables, root: null, row });
  const { source } = other.context;
  return {
    kind: "crossSource",
    column: { name: local.column.name, type },
    rows: {
      source: source.name,
      kind: source.kind,
      table: row.base.table.table,
      column: remote.column.name,
      type: remote.column.shape.type,
      where,
      tables: named,
    },
  };
}

function targetTable({ context, tables }: OtherSource, written: Json): TableFields {
  const parsed = tableName(context.dialect.defaultSchema).safeParse(written);
  const name: QualifiedName = parsed.success
    ? parsed.data
    : { schema: context.dialect.defaultSchema, name: String(written) };
  return (
    tables.get(qualifiedKey(name)) ??
    context.rejectNoTable(
      name,
      Array.from(tables.values(), ({ base }) => base),
    )
  );
}

function columnOf({ columns, base }: TableFields, name: string): ColumnEntry {
  return (
    columns.get(name) ?? rejectUnknown(`"${name}" is not a column of table "${base.displayName}"`, name, columns.keys())
  );
}

/** Wraps a table lookup and records the names of the tables that it returns. */
function recorded(tables: TablesByKey): { tables: TablesByKey; named: Readonly<Record<string, QualifiedName>> } {
  const named: Record<string, QualifiedName> = {};
  const noting: TablesByKey = {
    get(key) {
      const found = tables.get(key);
      if (found) named[key] = found.base.table.table;
      return found;
    },
    values: () => tables.values(),
  };
  return { tables: noting, named };
}
