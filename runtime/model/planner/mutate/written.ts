/**
 * Statements that write rows and return values from them. Selections that need only the rows are part of the statement;
 * selections that read other tables need a separate statement, which sees the write.
 */

import { invariant } from "../../../values/errors.ts";
import type { ChangeParts, WriteKind } from "../../definitions/changed-rows.ts";
import type { Alias } from "../../definitions/column.ts";
import { type Sql, sql, verbatim } from "../../definitions/sql.ts";
import type { TableView } from "../../definitions/view.ts";
import type { SelectedField, SelectedRows } from "../request/selected-field.ts";
import type { BuildContext } from "../select/context.ts";
import { selectWritten, selectWrittenRow } from "../select/select.ts";
import { changesOf, type FindStatements } from "./changed-rows.ts";
import { selectChanges } from "./written-rows.ts";

/** A statement that writes rows of a view. */
export interface Write {
  readonly view: TableView;
  /** Alias of a written row inside the statement. */
  readonly row: Alias;
  /** Condition that every written row must meet, if any. */
  readonly check?: Sql | undefined;
  /**
   * Returns the statement.
   * @param inOrder true if the rows are returned in the order of the input
   * @param changes set if the changes of the rows are also returned
   */
  readonly statement: (returning: readonly Sql[], inOrder: boolean, changes?: ChangeParts) => Sql;
  readonly kind: WriteKind;
  /** True if the statement sets the session variables for triggers. */
  readonly setsUser: boolean;
  /** Number of conditions on the rows before an update that its check depends on. */
  readonly before?: number;
  /** Set if existing rows are returned. */
  readonly find?: FindStatements;
}

/** One column of the statement's only row. */
export type Reading =
  | { readonly kind: "count" }
  /** All columns of the rows, for another statement. */
  | { readonly kind: "rows" }
  /** The values of a column of each row, for another statement. */
  | { readonly kind: "values"; readonly column: string }
  /** The row before and after the write of each row, for another statement. */
  | { readonly kind: "changes" }
  | { readonly kind: "list"; readonly field: SelectedRows };

interface Composition {
  /** Alias of the written rows. */
  readonly name: Sql;
  readonly returning: readonly Sql[];
  readonly outputs: readonly Sql[];
  readonly inOrder: boolean;
  readonly changes?: ChangeParts | undefined;
  /** Result of the check in the returned rows. */
  readonly returned?: Sql;
}

/**
 * Returns true if the statement that writes a row can return the selection. Conditions on reading a column may depend on
 * other tables.
 */
export function isOfRowAlone({ selection }: SelectedRows): boolean {
  return selection.every((field) => {
    const { meta } = field;
    switch (meta.kind) {
      case "constant":
      case "change_inserted":
        return true;
      case "column":
        return meta.column.visible === undefined;
      case "change_row":
        return isOfRowAlone(field);
      default:
        return false;
    }
  });
}

/** Returns true for the selection `changes` of a response. */
export const isChanges = (selection: SelectedRows | SelectedField): boolean =>
  "meta" in selection && selection.meta.kind === "changes";

/** Returns a statement that writes at most one row and returns its object as text. */
export function rowStatement(write: Write, field: SelectedRows, context: BuildContext): Sql {
  const { writes } = context.dialect;
  if (writes.keptRows) {
    const object = selectWritten(write.view, field, writes.keptRows, "object", context);
    return composed(write, { name: writes.keptRows, returning: [], outputs: [object], inOrder: false }, context);
  }
  if (writes.returning) {
    const name = context.alias();
    const object = context.dialect.asText(selectWritten(write.view, field, name, "object", context));
    const returning = writes.returning(write.row, write.kind);
    return composed(write, { name, returning, outputs: [object], inOrder: false }, context);
  }
  const object = context.dialect.asText(selectWrittenRow(write.view, field, write.row, context));
  return write.statement(write.check ? [object, writes.failUnless(write.check)] : [object], false);
}

/**
 * Returns a statement that inserts or finds rows, with one text column for each selection of rows and then the number of
 * inserted rows.
 */
export function foundStatement(
  view: TableView,
  read: NonNullable<FindStatements["read"]>,
  { fields, as }: { readonly fields: readonly SelectedRows[]; readonly as: "list" | "object" },
  context: BuildContext,
): Sql {
  const { dialect } = context;
  const columns = new Set(fields.flatMap(columnsIn));
  const own = namesBeside(columns);
  const change = fields.some(isChanges) ? { inserted: own("inserted"), text: own("text") } : undefined;
  const selected = (field: SelectedRows, rows: Sql): Sql => {
    if (!isChanges(field)) return selectWritten(view, field, rows, as, context);
    invariant(change, "the statement returns changes");
    const old = sql`case when not ${change.inserted} then ${change.text} end as old`;
    const changes = sql`(select ${change.inserted} as inserted, ${old}, ${change.text} as new from ${rows})`;
    return selectChanges(view, field, changes, context);
  };
  return read({
    columns: [...columns],
    change,
    outputs: (rows, inserted) => [
      ...fields.map((field) => dialect.asText(selected(field, rows))),
      sql`(select ${dialect.writes.countRows(inserted)} from ${inserted})`,
    ],
  });
}

/** Returns the statement with one text column for each reading. */
export function writeStatement(write: Write, readings: readonly Reading[], context: BuildContext): Sql {
  const { view } = write;
  const { writes } = context.dialect;
  const name = writes.keptRows ?? context.alias();
  const columns = new Set(readings.flatMap(columnsOf));
  const own = namesBeside(columns);
  const readsChanges = readings.some(
    (each) => each.kind === "changes" || (each.kind === "list" && isChanges(each.field)),
  );
  const changes = readsChanges ? { name: own("change"), visible: visibleBefore(write, context) } : undefined;
  const returning = writes.keptRows
    ? []
    : (writes.returning?.(write.row, write.kind) ?? returned({ ...write, changes }, readings, columns, own, context));
  const listOf = (field: SelectedRows): Sql => {
    if (!isChanges(field)) return selectWritten(view, field, name, "list", context);
    const from = changes && changesOf(context).fromWritten?.(changes, name);
    invariant(from, "the statement itself can read its changes");
    return selectChanges(view, field, from, context);
  };
  const output = (reading: Reading): Sql => {
    switch (reading.kind) {
      case "count":
        return writes.countRows(name);
      case "rows":
        return writes.rowsAsText(sql`${name}.${own("row")}`, name, view.table, write.kind === "delete");
      case "values":
        return writes.valuesAsText(reading.column, name, view.table);
      case "changes":
        invariant(changes, "the statement returns changes");
        return changesOf(context).asText(write.kind, changes, name, view.table);
      case "list":
        return context.dialect.asText(listOf(reading.field));
    }
  };
  const outputs = readings.map(output);
  // Other statements refer to these rows by index.
  const inOrder = readings.some(({ kind }) => kind === "values");
  const isOk = sql`${name}.${own("ok")}`;
  return composed(write, { name, returning, outputs, inOrder, changes, returned: isOk }, context);
}

/** Returns the condition that the role may read the row before the write, if there is one. */
function visibleBefore({ view, row, kind }: Write, { session }: BuildContext): Sql | undefined {
  return kind === "insert" ? undefined : view.visible?.(row, session);
}

/** Returns the RETURNING list of the statement. */
function returned(
  { view, row, check, changes }: Write & Pick<Composition, "changes">,
  readings: readonly Reading[],
  columns: ReadonlySet<string>,
  own: (name: string) => Sql,
  { dialect }: BuildContext,
): readonly Sql[] {
  const returning = [...columns].map((column) => sql`${row}.${verbatim(column)}`);
  if (readings.some(({ kind }) => kind === "rows")) {
    returning.push(sql`${dialect.writes.wholeRow(row, view.table)} as ${own("row")}`);
  }
  if (check) returning.push(sql`(${check}) is true as ${own("ok")}`);
  return returning.length === 0 && !changes ? [sql`1 as ${own("n")}`] : returning;
}

function composed(
  { view, row, check, statement, kind, before = 0 }: Write,
  { name, returning, outputs, inOrder, changes, returned = sql`` }: Composition,
  { dialect }: BuildContext,
): Sql {
  return dialect.writes.written({
    table: view.table,
    name,
    write: statement(returning, inOrder, changes),
    kind,
    check: check && { row, condition: check, returned },
    outputs,
    inOrder,
    before,
    changes,
  });
}

function columnsOf(reading: Reading): readonly string[] {
  switch (reading.kind) {
    case "count":
    case "rows":
    case "changes":
      return [];
    case "values":
      return [reading.column];
    case "list":
      return columnsIn(reading.field);
  }
}

/** Returns the columns that the selection reads, by quoted name. */
const columnsIn = ({ selection }: SelectedRows): readonly string[] =>
  selection.flatMap(({ meta }) => (meta.kind === "column" ? [meta.column.sql] : []));

/** Returns names for additional columns that do not collide with these columns. */
function namesBeside(columns: ReadonlySet<string>): (name: string) => Sql {
  return (wanted) => {
    let name = wanted;
    while (columns.has(`"${name}"`)) name += "_";
    return verbatim(`"${name}"`);
  };
}
