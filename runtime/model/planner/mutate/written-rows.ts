/** Where the results of earlier statements contain the rows that a later statement reads. */

import { EngineError } from "../../../values/errors.ts";
import type { Alias, Column } from "../../definitions/column.ts";
import type { ShardKeys } from "../../definitions/distributed-dialect.ts";
import type { Place } from "../../definitions/distribution.ts";
import { resultSlot } from "../../definitions/parameters.ts";
import { joinSql, parameter, type Sql, sql } from "../../definitions/sql.ts";
import type { TableDefinition } from "../../definitions/table.ts";
import type { TableView } from "../../definitions/view.ts";
import type { SelectedField, SelectedRows } from "../request/selected-field.ts";
import type { BuildContext } from "../select/context.ts";
import { selectWritten } from "../select/select.ts";
import { changesOf, findsOf } from "./changed-rows.ts";

/** A column of a step's row. */
export interface StepColumn {
  readonly step: number;
  readonly column: number;
}

/** A column that contains rows as one text. */
export interface RowsColumn extends StepColumn {
  /** Existing rows, for which it is not determined yet whether the role may read them. */
  readonly isUnchecked?: true;
  /** The statement deleted the rows. */
  readonly isGone?: true;
  /** Values of the column that determines the servers of the rows, in a distributed database. */
  readonly shardKeys?: StepColumn;
}

/** Columns that contain the changes of rows: as one text, or rows that were inserted or found unchanged. */
export type ChangesColumns =
  | { readonly text: StepColumn }
  | { readonly rows: readonly RowsColumn[]; readonly areInserted: boolean };

export interface WrittenRows {
  readonly rows: readonly RowsColumn[];
  /** Empty if the request does not select changes. */
  readonly changes: readonly ChangesColumns[];
}

/** Returns the rows in columns, for use in FROM. */
export function rowsOf(columns: readonly RowsColumn[], { table, visible }: TableView, context: BuildContext): Sql {
  const texts = columns.map((column) => {
    const text = parameter(resultSlot(column));
    if (!column.isUnchecked || visible === undefined) return text;
    const row = context.alias();
    return findsOf(context).rowsWhere(text, row, visible(row, context.session), table);
  });
  return context.dialect.writes.rowsFromText(texts, table, {
    isGone: areGone(columns),
    shardKeys: shardKeysOf(columns, table),
  });
}

const areGone = (columns: readonly RowsColumn[]): boolean => columns.some(({ isGone }) => isGone);

/** Returns the place of the rows in a distributed database. */
export function placeOfRows(
  columns: readonly RowsColumn[],
  { table }: TableView,
  { dialect }: BuildContext,
): Place | undefined {
  return dialect.distributed?.placeOfWritten(table, areGone(columns));
}

/** Returns the column that determines the servers of a table's rows, in a distributed database. */
export function shardColumn({ distribution, primaryKey }: TableDefinition): Column | undefined {
  if (distribution?.kind !== "distributed") return undefined;
  return primaryKey.find(({ sql: name }) => name === distribution.column);
}

function shardKeysOf(columns: readonly RowsColumn[], table: TableDefinition): readonly ShardKeys[] | undefined {
  const column = shardColumn(table);
  const texts = columns.flatMap(({ shardKeys }) => (shardKeys ? [parameter(resultSlot(shardKeys))] : []));
  if (column === undefined || texts.length < columns.length) return undefined;
  return [{ column: column.sql, type: column.type, texts }];
}

/**
 * Returns the JSON list of changes.
 * @param changes FROM item with the rows `(inserted, old, new)`, in their order
 */
export function selectChanges(view: TableView, { selection }: SelectedRows, changes: Sql, context: BuildContext): Sql {
  const row = context.alias();
  const fields = selection.map((field) => ({ key: field.key, value: changeValue(view, field, row, context) }));
  return context.dialect.jsonRows(fields, { from: sql`${changes} ${row}` });
}

function changeValue(view: TableView, field: SelectedField, row: Alias, context: BuildContext): Sql {
  const { meta } = field;
  switch (meta.kind) {
    case "constant":
      return context.dialect.textLiteral(meta.value);
    case "change_inserted":
      return sql`${row}.inserted`;
    case "change_row": {
      const rows = changesOf(context).rowFromText(meta.row === "old" ? sql`${row}.old` : sql`${row}.new`, view.table);
      return selectWritten(view, field, rows, "object", context);
    }
    default:
      throw new EngineError("unexpected", field.path, `field ${field.key} is not of a change`, { status: 500 });
  }
}

/** Returns the rows `(inserted, old, new)` in columns, for use in FROM. */
export function changeRows(view: TableView, columns: readonly ChangesColumns[], context: BuildContext): Sql {
  const parts = columns.map((each) => {
    if ("text" in each) return changesOf(context).fromText(parameter(resultSlot(each.text)));
    return findsOf(context).changesOf(rowsOf(each.rows, view, context), context.alias(), each.areInserted, view.table);
  });
  const [only] = parts;
  if (parts.length === 1 && only) return only;
  return sql`(${joinSql(
    parts.map((part) => sql`select * from ${part} ${context.alias()}`),
    " union all ",
  )})`;
}
