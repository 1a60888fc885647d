/** Input types of inserts: rows, nested rows, and conflict handling. */

import { lazy, sortedMap } from "../../values/lazy.ts";
import type { Column } from "../definitions/column.ts";
import { isEnumValueName } from "../definitions/naming.ts";
import type { InsertPermission, NestedInsert, TableView } from "../definitions/view.ts";
import { argument } from "./argument.ts";
import { columnValues } from "./column-enum.ts";
import { connectMember } from "./connect-types.ts";
import { filterType } from "./filter-types.ts";
import type { TypeRegistry } from "./registry.ts";
import type { EnumTypeDef, EnumValue, InputField, InputObjectTypeDef } from "./types.ts";

type Named = readonly [string, InputField];

/** Returns the arguments `objects` or `object`, and `on_conflict`. */
export function insertArguments(
  types: TypeRegistry,
  view: TableView,
  form: "many" | "one",
): ReadonlyMap<string, InputField> {
  const row = () => insertType(types, view);
  const rows: Named =
    form === "many"
      ? ["objects", argument(row, "the rows to be inserted", { list: true, required: true })]
      : ["object", argument(row, "the row to be inserted", { required: true })];
  return sortedMap([rows, ...conflictArgument(types, view)]);
}

function insertType(types: TypeRegistry, view: TableView): InputObjectTypeDef {
  const { table, insert } = view;
  const name = table.source.naming.type(table.type, "insert_input");
  return types.of(table.source).get<InputObjectTypeDef>(name, () => ({
    kind: "input",
    name,
    description: `input type for inserting data into table "${table.displayName}"`,
    isRow: true,
    fields: lazy(() => sortedMap(insert ? rowFields(types, view, insert) : [])),
  }));
}

function* rowFields(types: TypeRegistry, view: TableView, permission: InsertPermission): Iterable<Named> {
  const own = [...ownFields(types, permission)];
  yield* own;
  yield* connectMember(types, view, new Set(own.map(([name]) => name)), createdFields);
}

function* ownFields(types: TypeRegistry, { columns, nested }: InsertPermission): Iterable<Named> {
  for (const column of columns) yield [column.field, columnInput(types, column)];
  for (const [name, inner] of Object.entries(nested)) {
    if (!types.allows(inner.target().insert)) continue;
    yield [name, nestedInput(types, inner)];
  }
}

/** Yields the fields of one row and its conflict clause. */
function* createdFields(types: TypeRegistry, view: TableView): Iterable<Named> {
  yield ["data", argument(() => insertType(types, view), undefined, { required: true })];
  yield* conflictArgument(types, view);
}

/** Returns the input field of a column. A nullable column accepts null. */
export function columnInput(types: TypeRegistry, column: Column): InputField {
  return {
    type: () => types.scalarOf(column.type),
    list: column.type.element !== undefined,
    required: false,
    nullIsAbsent: false,
    ...(column.nullable ? { nullIsValue: true } : {}),
    ...(column.description === undefined ? {} : { description: column.description }),
    meta: { kind: "column", column },
  };
}

/** Returns the input field of rows that are inserted through a relationship. */
export function nestedInput(types: TypeRegistry, nested: NestedInsert, description?: string): InputField {
  return {
    type: () => nestedType(types, nested),
    list: false,
    required: false,
    nullIsAbsent: true,
    ...(description === undefined ? {} : { description }),
    meta: { kind: "nested", nested },
  };
}

function nestedType(types: TypeRegistry, { kind, target }: NestedInsert): InputObjectTypeDef {
  const view = target();
  const { table } = view;
  const form = kind === "object" ? "obj" : "arr";
  const name = table.source.naming.type(table.type, `${form}_rel_insert_input`);
  return types.of(table.source).get<InputObjectTypeDef>(name, () => ({
    kind: "input",
    name,
    description: `input type for inserting ${kind} relation for remote table "${table.displayName}"`,
    fields: lazy(() =>
      sortedMap([
        ["data", argument(() => insertType(types, view), undefined, { list: kind === "array", required: true })],
        ...conflictArgument(types, view),
      ]),
    ),
  }));
}

/** Yields the conflict argument, if a constraint could conflict, or if there are columns to match and update. */
function* conflictArgument(types: TypeRegistry, view: TableView): Iterable<Named> {
  const { table } = view;
  if (table.source.dialect.upsert.argument === "if_matched") {
    if (!types.allows(view.update) || matchColumns(view).length === 0) return;
    yield [table.source.naming.field("if_matched"), argument(() => matchType(types, view), "upsert condition")];
    return;
  }
  if (constraintsOf(view).length === 0) return;
  yield [table.source.naming.field("on_conflict"), argument(() => conflictType(types, view), "upsert condition")];
}

const constraintsOf = ({ table }: TableView) => table.constraints.filter(({ name }) => isEnumValueName(name));

function conflictType(types: TypeRegistry, view: TableView): InputObjectTypeDef {
  const { table } = view;
  const { naming } = table.source;
  const name = naming.type(table.type, "on_conflict");
  return types.of(table.source).get<InputObjectTypeDef>(name, () => ({
    kind: "input",
    name,
    description: `on_conflict condition type for table "${table.displayName}"`,
    fields: lazy(() =>
      sortedMap([
        ["constraint", argument(() => constraintEnum(types, view), undefined, { required: true })],
        ...existingArgument(types, view),
        [
          naming.field("update_columns"),
          {
            ...argument(() => updateColumnEnum(types, view), undefined, { list: true, required: true }),
            defaultValue: "[]",
          },
        ],
        ["where", argument(() => filterType(types, view), undefined)],
      ]),
    ),
  }));
}

/** Yields the argument that returns existing rows, if the role may read rows. */
function* existingArgument(types: TypeRegistry, { table: { source }, readable }: TableView): Iterable<Named> {
  if (!readable || source.dialect.writes.finds === undefined) return;
  const description = "return rows that exist already, unchanged";
  const flag = argument(() => types.scalar("Boolean"), description);
  yield [source.naming.field("return_existing"), { ...flag, nullIsAbsent: true }];
}

/** Returns the readable columns by which rows can be matched. */
function matchColumns({ table, columns }: TableView): readonly Column[] {
  const { upsert } = table.source.dialect;
  return upsert.argument === "if_matched" ? columns.filter(({ type }) => upsert.canMatch(type)) : [];
}

function matchType(types: TypeRegistry, view: TableView): InputObjectTypeDef {
  const { table } = view;
  const { naming } = table.source;
  const name = naming.type(table.type, "if_matched");
  const columns = (type: () => EnumTypeDef): InputField => ({
    ...argument(type, undefined, { list: true, required: true }),
    defaultValue: "[]",
  });
  return types.get<InputObjectTypeDef>(name, () => ({
    kind: "input",
    name,
    description: `upsert condition type for table "${table.displayName}"`,
    fields: lazy(() =>
      sortedMap([
        [naming.field("match_columns"), columns(() => matchColumnEnum(types, view))],
        [naming.field("update_columns"), columns(() => updateColumnEnum(types, view))],
        ["where", argument(() => filterType(types, view), undefined)],
      ]),
    ),
  }));
}

function matchColumnEnum(types: TypeRegistry, view: TableView): EnumTypeDef {
  const { table } = view;
  const name = table.source.naming.type(table.type, "insert_match_column");
  return types.get<EnumTypeDef>(name, () => ({
    kind: "enum",
    name,
    description: `select match_columns of table "${table.displayName}"`,
    values: columnValues(matchColumns(view)),
  }));
}

function constraintEnum(types: TypeRegistry, view: TableView): EnumTypeDef {
  const { table } = view;
  const name = table.source.naming.type(table.type, "constraint");
  return types.of(table.source).get<EnumTypeDef>(name, () => ({
    kind: "enum",
    name,
    description: `unique or primary key constraints on table "${table.displayName}"`,
    values: new Map(
      constraintsOf(view).map((constraint): [string, EnumValue] => {
        const columns = constraint.columns.map((column) => `"${column}"`).join(", ");
        const on = columns === "" ? "expressions" : `columns ${columns}`;
        const description = `unique or primary key constraint on ${on}`;
        return [constraint.name, { description, meta: { kind: "constraint", constraint } }];
      }),
    ),
  }));
}

/** Returns the enum of the columns that an upsert may change, with a placeholder if there are none. */
function updateColumnEnum(types: TypeRegistry, view: TableView): EnumTypeDef {
  const { table, update } = view;
  const name = table.source.naming.type(table.type, "update_column");
  return types.of(table.source).get<EnumTypeDef>(name, (): EnumTypeDef => {
    const columns = types.allows(update) ? update.columns : [];
    const description =
      columns.length === 0
        ? `placeholder for update columns of table "${table.displayName}" (current role has no relevant permissions)`
        : `update columns of table "${table.displayName}"`;
    return { kind: "enum", name, description, values: columnValues(columns) };
  });
}
