/** Rows in construction. Columns that must be equal, such as those of a foreign key, share a cell. */

import type { AnalyzedRelationship, AnalyzedTable } from "../../../../compiler/2-analyze/analyzed-table.ts";
import type { Json } from "../../../../compiler/catalog/model.ts";
import type { ColumnShape, TableShape, TypeRef } from "../../../../compiler/shape/shape.ts";
import { invariant } from "../../../values/errors.ts";
import type { Demand, Test } from "./scenarios.ts";

/** A value that one or several columns have. */
export interface Cell {
  readonly tests: Test[];
  /** Columns with this value. */
  readonly places: { readonly table: TableShape; readonly column: ColumnShape }[];
  /** The cell that replaced this one. */
  mergedInto: Cell | undefined;
  /** The only possible value, such as a preset. */
  fixed: Json | undefined;
  /** Absent until it is chosen. */
  value: Json | undefined;
  /** If true, a value is chosen even if null or a default would do. */
  isWanted: boolean;
}

export type RowUse =
  /** Inserted by the setup. */
  | "setup"
  /** The object of an insert, or the values of an update: not part of the setup. */
  | "input";

export class Row {
  readonly table: TableShape;
  readonly use: RowUse;
  readonly #cells = new Map<string, Cell>();
  readonly #objects = new Map<string, Row>();
  readonly #children = new Map<string, Row[]>();
  readonly unrelated: Extract<Demand, { kind: "unrelated" }>[] = [];

  constructor(table: TableShape, use: RowUse) {
    this.table = table;
    this.use = use;
  }

  column(name: string): ColumnShape {
    const column = this.table.columns.find((each) => each.name === name);
    invariant(column !== undefined, `table ${this.table.name} has column ${name}`);
    return column;
  }

  cell(name: string): Cell {
    const existing = this.#cells.get(name);
    if (existing !== undefined) return final(existing);
    const places = [{ table: this.table, column: this.column(name) }];
    const cell: Cell = {
      tests: [],
      places,
      mergedInto: undefined,
      fixed: undefined,
      value: undefined,
      isWanted: false,
    };
    this.#cells.set(name, cell);
    return cell;
  }

  /** Returns the row of an object relationship, or a new row of an array relationship. */
  related({ name, kind, mapping }: AnalyzedRelationship, target: AnalyzedTable, add: (row: Row) => void): Row {
    const known = kind === "object" ? this.#objects.get(name) : undefined;
    if (known !== undefined) return known;
    const row = new Row(target.shape, "setup");
    for (const { local, remote } of mapping) merge(this.cell(local), row.cell(remote));
    if (kind === "object") this.#objects.set(name, row);
    else this.#children.set(name, [...this.children(name), row]);
    add(row);
    return row;
  }

  /** Returns the rows that array relationships have added. */
  children(name: string): readonly Row[] {
    return this.#children.get(name) ?? [];
  }
}

/** A row after an update: the columns that requests or presets set come from the input, and the others from the row. */
export class UpdatedRow extends Row {
  readonly #before: Row;
  readonly #input: Row;
  readonly #isSet: (column: string) => boolean;

  constructor(before: Row, input: Row, isSet: (column: string) => boolean) {
    super(before.table, "input");
    this.#before = before;
    this.#input = input;
    this.#isSet = isSet;
  }

  override cell(name: string): Cell {
    return (this.#isSet(name) ? this.#input : this.#before).cell(name);
  }

  override related(relationship: AnalyzedRelationship, target: AnalyzedTable, add: (row: Row) => void): Row {
    return this.#owner(relationship).related(relationship, target, add);
  }

  override children(name: string): readonly Row[] {
    return [...this.#before.children(name), ...this.#input.children(name)];
  }

  #owner({ mapping }: AnalyzedRelationship): Row {
    return mapping.some(({ local }) => this.#isSet(local)) ? this.#input : this.#before;
  }
}

function final(cell: Cell): Cell {
  let last = cell;
  while (last.mergedInto !== undefined) last = last.mergedInto;
  return last;
}

export function merge(left: Cell, right: Cell): void {
  const [kept, dropped] = [final(left), final(right)];
  if (kept === dropped) return;
  kept.tests.push(...dropped.tests);
  kept.places.push(...dropped.places);
  kept.fixed ??= dropped.fixed;
  kept.value ??= dropped.value;
  kept.isWanted ||= dropped.isWanted;
  dropped.mergedInto = kept;
}

export function typeOf({ places }: Cell): TypeRef {
  const [place] = places;
  invariant(place !== undefined, "a cell has a column");
  return place.column.type;
}
