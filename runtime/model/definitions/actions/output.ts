/** Relationships to tables in the outputs of actions (`docs/how-to/actions.md`). */
import type { Column } from "../column.ts";
import { defineTable, type SourceDefinition } from "../table.ts";
import { type Relationship, type TableView, tableView } from "../view.ts";

/** Objects of one output type as rows. */
export interface OutputRows {
  /** Fields of the type that relationships use, with the types of the columns that they join. */
  readonly columns: readonly Column[];
  /** View with the relationships. */
  readonly view: TableView;
}

export function outputRows(
  source: SourceDefinition,
  type: string,
  columns: readonly Column[],
  relationships: Readonly<Record<string, Relationship>>,
): OutputRows {
  // Statements supply the rows.
  const table = defineTable({ source, sql: "", type, displayName: type, description: "", primaryKey: [] });
  return { columns, view: tableView(table, { relationships }) };
}

/** Output rows by name of the output type. */
export type Outputs = Readonly<Record<string, () => OutputRows>>;
