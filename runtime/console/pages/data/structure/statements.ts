/** Changes of tables as SQL, each with the SQL that reverts it. */
import type { QualifiedName } from "../../../http/metadata-types.ts";
import type { ColumnChange, ColumnDefinition, NewIndex, SqlText } from "./sql-text.ts";

export interface Statement {
  /** Name of the migration. */
  readonly name: string;
  readonly sql: string;
  /** SQL that reverts the change. Rows and values of dropped tables and columns are lost. */
  readonly down: string;
}

/** Returns the statement that drops dependent objects of the database too. */
export const cascading = (text: SqlText, { name, sql, down }: Statement): Statement => ({
  name,
  sql: sql.replace(/;$/, `${text.cascade};`),
  down,
});

export interface NewForeignKey {
  readonly columns: readonly string[];
  readonly table: QualifiedName;
  /** Columns of the other table, in the order of `columns`. */
  readonly references: readonly string[];
  readonly onDelete: string;
  readonly onUpdate: string;
}

export interface NewTable {
  readonly table: QualifiedName;
  readonly columns: readonly ColumnDefinition[];
  readonly primaryKey: readonly string[];
  readonly unique: readonly (readonly string[])[];
  /** Conditions as SQL. */
  readonly checks: readonly string[];
  readonly foreignKeys: readonly NewForeignKey[];
  readonly comment: string;
  /** Values of an enum table, with their comments; empty for other tables. */
  readonly values: readonly (readonly [value: string, comment: string])[];
}

const lines = (...statements: readonly string[]): string => statements.filter((each) => each !== "").join("\n");

const tableName = (text: SqlText, { schema, name }: QualifiedName): string => `${text.name(schema)}.${text.name(name)}`;

const list = (text: SqlText, names: readonly string[]): string => names.map(text.name).join(", ");

function columnText(text: SqlText, { name, type, isNullable, initial, isIdentity }: ColumnDefinition): string {
  const parts = [text.name(name), type];
  if (isIdentity) parts.push(text.identity);
  if (!isNullable) parts.push("not null");
  if (initial !== "" && !isIdentity) parts.push(`default ${initial}`);
  return parts.join(" ");
}

/** Omits the default action. */
function foreignKeyText(text: SqlText, { columns, table, references, onDelete, onUpdate }: NewForeignKey): string {
  const [usual] = text.actions;
  const actions = [
    ...(onDelete === usual ? [] : [` on delete ${onDelete}`]),
    ...(onUpdate === usual ? [] : [` on update ${onUpdate}`]),
  ];
  return `foreign key (${list(text, columns)}) references ${tableName(text, table)} (${list(text, references)})${actions.join("")}`;
}

export function createTable(text: SqlText, table: NewTable): Statement {
  const own = tableName(text, table.table);
  const members = [
    ...table.columns.map((column) => columnText(text, column)),
    ...(table.primaryKey.length > 0 ? [`primary key (${list(text, table.primaryKey)})`] : []),
    ...table.unique.map((columns) => `unique (${list(text, columns)})`),
    ...table.checks.map((condition) => `check (${condition})`),
    ...table.foreignKeys.map((key) => foreignKeyText(text, key)),
  ];
  const sql = lines(
    creation(text, table.table, members),
    comments(text, table.table, table.comment, table.columns),
    table.values.length === 0 ? "" : insertValues(text, table),
  );
  return { name: `create_${table.table.name}`, sql, down: `drop table ${own};` };
}

function insertValues(text: SqlText, { table, columns, values }: NewTable): string {
  const names = list(
    text,
    columns.slice(0, 2).map(({ name }) => name),
  );
  const rows = values.map(
    ([value, comment]) => `  (${text.literal(value)}, ${comment === "" ? "null" : text.literal(comment)})`,
  );
  return `insert into ${tableName(text, table)} (${names}) values\n${rows.join(",\n")};`;
}

export interface ExistingTable {
  readonly table: QualifiedName;
  readonly columns: readonly ColumnDefinition[];
  readonly constraints: readonly { readonly name: string; readonly definition: string }[];
  /** Indexes that belong to no constraint. */
  readonly indexes: readonly { readonly name: string; readonly definition: string }[];
  readonly comment: string;
}

export function dropTable(text: SqlText, { table, columns, constraints, indexes, comment }: ExistingTable): Statement {
  const members = [
    ...columns.map((column) => columnText(text, column)),
    ...constraints.map(({ name, definition }) => `constraint ${text.name(name)} ${definition}`),
  ];
  const down = lines(
    creation(text, table, members),
    comments(text, table, comment, columns),
    ...indexes.map(({ name, definition }) => text.recreateIndex(table, name, definition)),
  );
  return { name: `drop_${table.name}`, sql: `drop table ${tableName(text, table)};`, down };
}

const creation = (text: SqlText, table: QualifiedName, members: readonly string[]): string =>
  `create table ${tableName(text, table)} (\n${members.map((member) => `  ${member}`).join(",\n")}\n);`;

const comments = (text: SqlText, table: QualifiedName, comment: string, columns: readonly ColumnDefinition[]): string =>
  lines(
    comment === "" ? "" : text.commentOnTable(table, comment),
    ...columns.map((each) => (each.comment === "" ? "" : text.commentOnColumn(table, each.name, each.comment))),
  );

export const renameTable = (text: SqlText, table: QualifiedName, to: string): Statement => ({
  name: `rename_${table.name}_to_${to}`,
  sql: text.renameTable(table, to),
  down: text.renameTable({ schema: table.schema, name: to }, table.name),
});

export const commentOnTable = (text: SqlText, table: QualifiedName, before: string, after: string): Statement => ({
  name: `comment_on_${table.name}`,
  sql: text.commentOnTable(table, after),
  down: text.commentOnTable(table, before),
});

export function addColumn(text: SqlText, table: QualifiedName, column: ColumnDefinition): Statement {
  return {
    name: `add_${column.name}_to_${table.name}`,
    sql: lines(
      addition(text, table, column),
      column.comment === "" ? "" : text.commentOnColumn(table, column.name, column.comment),
    ),
    down: removal(text, table, column.name),
  };
}

export function dropColumn(text: SqlText, table: QualifiedName, column: ColumnDefinition): Statement {
  const { sql, down } = addColumn(text, table, column);
  return { name: `drop_${column.name}_from_${table.name}`, sql: down, down: sql };
}

const addition = (text: SqlText, table: QualifiedName, column: ColumnDefinition): string =>
  `alter table ${tableName(text, table)} ${text.add} ${columnText(text, column)};`;

const removal = (text: SqlText, table: QualifiedName, column: string): string =>
  lines(
    text.beforeDropColumn(table, column),
    `alter table ${tableName(text, table)} drop column ${text.name(column)};`,
  );

/** Returns `null` if nothing differs. The identity of a column does not change. */
export function changeColumn(text: SqlText, change: ColumnChange): Statement | null {
  const { table, before, after } = change;
  const sql = columnSteps(text, change);
  const down = columnSteps(text, { table, before: after, after: before });
  return sql === "" ? null : { name: `change_${before.name}_of_${table.name}`, sql, down };
}

function columnSteps(text: SqlText, change: ColumnChange): string {
  const { table, before, after } = change;
  const isRetyped = before.type !== after.type;
  // The old default may be invalid for the new type, and the new default for the old type.
  const dropsDefault = isRetyped && before.initial !== "";
  const setsDefault = after.initial !== (dropsDefault ? "" : before.initial);
  return lines(
    before.name === after.name ? "" : text.renameColumn(table, before.name, after.name),
    dropsDefault ? text.setDefault({ table, before, after: { ...after, initial: "" } }) : "",
    isRetyped ? text.retype(change) : "",
    setsDefault ? text.setDefault(change) : "",
    before.isNullable === after.isNullable ? "" : text.setNullable(change),
    before.comment === after.comment ? "" : text.commentOnColumn(table, after.name, after.comment),
  );
}

export const addIndex = (text: SqlText, index: NewIndex): Statement => ({
  name: `add_${index.name}`,
  sql: text.createIndex(index),
  down: text.dropIndex(index.table, index.name),
});

export const dropIndex = (text: SqlText, table: QualifiedName, name: string, definition: string): Statement => ({
  name: `drop_${name}`,
  sql: text.dropIndex(table, name),
  down: text.recreateIndex(table, name, definition),
});

/** @param definition SQL of the constraint after its name */
export const addConstraint = (text: SqlText, table: QualifiedName, name: string, definition: string): Statement => ({
  name: `add_${name}`,
  sql: `alter table ${tableName(text, table)} add constraint ${text.name(name)} ${definition};`,
  down: `alter table ${tableName(text, table)} drop constraint ${text.name(name)};`,
});

export function dropConstraint(text: SqlText, table: QualifiedName, name: string, definition: string): Statement {
  const { sql, down } = addConstraint(text, table, name, definition);
  return { name: `drop_${name}`, sql: down, down: sql };
}

/** Definitions of constraints, as `addConstraint` takes them. */
export const constraintText = {
  foreignKey: foreignKeyText,
  unique: (text: SqlText, columns: readonly string[]): string => `unique (${list(text, columns)})`,
  primaryKey: (text: SqlText, columns: readonly string[]): string => `primary key (${list(text, columns)})`,
  check: (condition: string): string => `check (${condition})`,
};
