/**
 * One statement that writes, and what is read of the rows it wrote. Reads that only need the rows themselves are part
 * of the statement; what looks at other tables has to come in a statement of its own, which sees the write.
 */

import type { Alias } from "../../definitions/column.ts";
import { type Sql, sql, verbatim } from "../../definitions/sql.ts";
import type { TableView } from "../../definitions/view.ts";
import type { SelectedRows } from "../request/selected-field.ts";
import type { BuildContext } from "../select/context.ts";
import { selectWritten, selectWrittenRow } from "../select/select.ts";

/** A statement that writes rows of a view. */
export interface Write {
  readonly view: TableView;
  /** What a written row is called inside the statement. */
  readonly row: Alias;
  /** Holds for every written row; absent: no condition. */
  readonly check?: Sql | undefined;
  /** @param inOrder what is read of its rows has to come in the order of the rows that were given */
  readonly statement: (returning: readonly Sql[], inOrder: boolean) => Sql;
  /** The statement sets the session variables for triggers. */
  readonly setsUser: boolean;
  /** The statement takes the rows away. */
  readonly deletes?: true;
}

/** One column of the statement's only row. */
export type Reading =
  | { readonly kind: "count" }
  /** The whole rows, for another statement. */
  | { readonly kind: "rows" }
  /** The values of a column of each row, for another statement. */
  | { readonly kind: "values"; readonly column: string }
  | { readonly kind: "list"; readonly field: SelectedRows };

interface Composition {
  /** What the written rows are called. */
  readonly name: Sql;
  readonly returning: readonly Sql[];
  readonly outputs: readonly Sql[];
  readonly inOrder: boolean;
  /** The result of the check as the statement returns it. */
  readonly returned?: Sql;
}

/**
 * Whether what is selected of a row can be read by the statement that writes it. Who may read a cell can depend on
 * other tables.
 */
export function isOfRowAlone({ selection }: SelectedRows): boolean {
  return selection.every(({ meta }) => {
    return meta.kind === "constant" || (meta.kind === "column" && meta.column.visible === undefined);
  });
}

/** The statement for a write of at most one row: its object as text, if there is one. */
export function rowStatement(write: Write, field: SelectedRows, context: BuildContext): Sql {
  const { writes } = context.dialect;
  if (writes.keptRows) {
    const object = selectWritten(write.view, field, writes.keptRows, "object", context);
    return composed(write, { name: writes.keptRows, returning: [], outputs: [object], inOrder: false }, context);
  }
  const object = context.dialect.asText(selectWrittenRow(write.view, field, write.row, context));
  return write.statement(write.check ? [object, writes.failUnless(write.check)] : [object], false);
}

/** The statement; one column of text for each reading. */
export function writeStatement(write: Write, readings: readonly Reading[], context: BuildContext): Sql {
  const { view } = write;
  const { writes } = context.dialect;
  const name = writes.keptRows ?? context.alias();
  const columns = new Set(readings.flatMap(columnsOf));
  const own = namesBeside(columns);
  const returning = writes.keptRows ? [] : returned(write, readings, columns, own, context);
  const output = (reading: Reading): Sql => {
    switch (reading.kind) {
      case "count":
        return writes.countRows(name);
      case "rows":
        return writes.rowsAsText(sql`${name}.${own("row")}`, name, view.table);
      case "values":
        return writes.valuesAsText(reading.column, name, view.table);
      case "list":
        return context.dialect.asText(selectWritten(view, reading.field, name, "list", context));
    }
  };
  const outputs = readings.map(output);
  // Rows of other statements find theirs by their place.
  const inOrder = readings.some(({ kind }) => kind === "values");
  return composed(write, { name, returning, outputs, inOrder, returned: sql`${name}.${own("ok")}` }, context);
}

/** What the statement returns of each row that it writes. */
function returned(
  { view, row, check }: Write,
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
  return returning.length === 0 ? [sql`1 as ${own("n")}`] : returning;
}

function composed(
  { view, row, check, statement, deletes }: Write,
  { name, returning, outputs, inOrder, returned = sql`` }: Composition,
  { dialect }: BuildContext,
): Sql {
  return dialect.writes.written({
    table: view.table,
    name,
    write: statement(returning, inOrder),
    deletes: deletes === true,
    check: check && { row, condition: check, returned },
    outputs,
    inOrder,
  });
}

function columnsOf(reading: Reading): readonly string[] {
  switch (reading.kind) {
    case "count":
    case "rows":
      return [];
    case "values":
      return [reading.column];
    case "list":
      return reading.field.selection.flatMap(({ meta }) => (meta.kind === "column" ? [meta.column.sql] : []));
  }
}

/** Names for what the statement adds to these columns. */
function namesBeside(columns: ReadonlySet<string>): (name: string) => Sql {
  return (wanted) => {
    let name = wanted;
    while (columns.has(`"${name}"`)) name += "_";
    return verbatim(`"${name}"`);
  };
}
