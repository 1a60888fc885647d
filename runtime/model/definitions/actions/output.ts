/** What a role may read beside the objects that handlers of actions answer (`docs/actions.md`). */
import type { Column } from "../column.ts";
import { defineTable, type SourceDefinition } from "../table.ts";
import { type Relationship, type TableView, tableView } from "../view.ts";

/** Objects of one output type as rows. */
export interface OutputRows {
  /** Fields of the type that relationships start from, with the types of the columns that they lead to. */
  readonly columns: readonly Column[];
  /** The relationships start from it. */
  readonly view: TableView;
}

export function outputRows(
  source: SourceDefinition,
  type: string,
  columns: readonly Column[],
  relationships: Readonly<Record<string, Relationship>>,
): OutputRows {
  // Statements that read it say what its rows are.
  const table = defineTable({ source, sql: "", type, displayName: type, description: "", primaryKey: [] });
  return { columns, view: tableView(table, { relationships }) };
}

/** By the names of output types. */
export type Outputs = Readonly<Record<string, () => OutputRows>>;
