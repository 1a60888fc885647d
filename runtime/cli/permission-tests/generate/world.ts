/**
 * The rows of one case. Demands are applied to rows, foreign keys get rows to refer to, and each cell gets a value that
 * the database accepts.
 */

import type { AnalyzedTable } from "../../../../compiler/2-analyze/analyzed-table.ts";
import type { Json, JsonObject } from "../../../../compiler/catalog/model.ts";
import type { ForeignKeyShape, Shape, TableShape } from "../../../../compiler/shape/shape.ts";
import { stringifyJson } from "../../../values/json-number.ts";
import { NoRows } from "./no-rows.ts";
import { type Cell, merge, Row, typeOf } from "./rows.ts";
import { type Demand, ways } from "./scenarios.ts";
import type { TableFacts } from "./table-facts.ts";
import { candidates, familyOf, genericValue, maxGenericValues, neighbours, operandValue, truth } from "./values.ts";

export interface WorldInput {
  readonly shape: Shape;
  readonly tables: ReadonlyMap<string, AnalyzedTable>;
  readonly facts: TableFacts;
  /** Session variables, by name in lower case. */
  readonly session: ReadonlyMap<string, string>;
}

/** Candidates for columns of a few characters. */
const shortTexts = [..."abcdefghij"];

/** Candidates for integers with a check of their range. */
const smallNumbers = [1, 2, 3, 4, 5];

/** Limits the rows of a case, such as those of a large limit. */
const maxRows = 1000;

export class World {
  readonly #input: WorldInput;
  readonly rows: Row[] = [];
  /** Rows that foreign keys without demands refer to, by table. */
  readonly #fillers = new Map<string, Row>();
  readonly #counters = new Map<string, number>();

  constructor(input: WorldInput) {
    this.#input = input;
  }

  add(row: Row): Row {
    if (this.rows.length >= maxRows) throw new NoRows(`more than ${maxRows} rows are necessary`);
    this.rows.push(row);
    return row;
  }

  apply(row: Row, demands: readonly Demand[], root = row): void {
    for (const demand of demands) this.#apply(row, demand, root);
    for (const { relationship, where, isRoot } of row.unrelated.splice(0)) {
      for (const child of row.children(relationship.name)) {
        const [demands] = ways(where, false);
        if (demands === undefined) throw new NoRows(`a related row of ${relationship.name} cannot be both`);
        this.apply(child, demands, isRoot ? child : root);
      }
    }
  }

  #apply(row: Row, demand: Demand, root: Row): void {
    switch (demand.kind) {
      case "value":
        row.cell(demand.column).tests.push(demand.test);
        return;
      case "pair": {
        const other = demand.right.of === "root" ? root : row;
        const type = row.column(demand.left).type;
        const value = genericValue(type, demand.right.column, 1, this.#input.shape);
        if (value === undefined) throw new NoRows(`no values of type ${type.sql} are known`);
        const operand = { kind: "literal", value } as const;
        other.cell(demand.right.column).tests.push({ operator: "_eq", operand, holds: true });
        row.cell(demand.left).tests.push({ operator: demand.test, operand, holds: demand.holds });
        return;
      }
      case "related": {
        const related = row.related(demand.relationship, this.#table(demand.relationship.target), (each) => {
          this.add(each);
        });
        this.apply(related, demand.demands, demand.isRoot ? related : root);
        return;
      }
      case "unrelated":
        row.unrelated.push(demand);
        return;
      case "exists":
        this.apply(this.add(new Row(this.#table(demand.table).shape, "setup")), demand.demands, root);
        return;
      case "absent":
        return;
    }
  }

  #table(key: string): AnalyzedTable {
    const table = this.#input.tables.get(key);
    if (table === undefined) throw new NoRows(`table ${key} is not in the metadata`);
    return table;
  }

  /**
   * Chooses all values that are not chosen yet.
   * @throws NoRows if there are none, or two rows would have the same key
   */
  async settle(): Promise<void> {
    for (const row of this.rows) if (row.use === "setup") refuseUnusual(row.table);
    // Demanded values come first: foreign keys refer to existing rows with the same values.
    for (const row of [...this.rows]) {
      for (const { name } of row.table.columns) {
        const cell = row.cell(name);
        if (cell.fixed !== undefined || cell.tests.length > 0) await this.#choose(cell);
      }
    }
    // Rows are added while foreign keys are followed.
    for (let i = 0; i < this.rows.length; i++) {
      const row = this.rows[i] as Row;
      for (const key of row.table.foreignKeys) await this.#follow(row, key);
    }
    for (const row of this.rows) {
      for (const column of row.table.columns) {
        const cell = row.cell(column.name);
        if (await this.#isNeeded(row, cell)) await this.#choose(cell);
      }
    }
    for (const row of this.rows) await this.#checkKeys(row);
  }

  /** Columns get a value if they are demanded or required, or identify the row in results. */
  async #isNeeded(row: Row, cell: Cell): Promise<boolean> {
    const place = cell.places.find(({ table }) => table === row.table);
    if (place === undefined || cell.value !== undefined) return false;
    if (cell.fixed !== undefined || cell.tests.length > 0 || cell.isWanted) return true;
    if (row.use === "input") return false;
    const { column, table } = place;
    if (column.generated) return false;
    if (table.primaryKey?.columns.includes(column.name)) return true;
    if (column.hasDefault) {
      const isSame = (await this.#input.facts.constantDefault(table, column.name)) !== undefined;
      return column.identity === null && !isSame;
    }
    const isReference = table.foreignKeys.some(({ columns }) => columns.includes(column.name));
    return !column.nullable || (familyOf(column.type) === "text" && column.type.category !== "domain" && !isReference);
  }

  /** Finds or adds the row that a foreign key refers to. */
  async #follow(row: Row, key: ForeignKeyShape): Promise<void> {
    const cells = key.columns.map((name) => row.cell(name));
    const target = this.#input.shape.tables.find(
      ({ schema, name }) => schema === key.foreignTable.schema && name === key.foreignTable.name,
    );
    if (target === undefined) return;
    const isLinked = this.rows.some(
      (other) =>
        other !== row &&
        other.table === target &&
        key.foreignColumns.every((name, index) => other.cell(name) === row.cell(key.columns[index] ?? "")),
    );
    if (isLinked) return;
    const isDemanded = (cell: Cell): boolean => cell.tests.length > 0 || cell.fixed !== undefined;
    const isOpen = (cell: Cell, index: number): boolean =>
      !isDemanded(cell) && !cell.isWanted && row.column(key.columns[index] ?? "").nullable;
    if (row.use === "input" && !cells.some((cell) => isDemanded(cell) || cell.isWanted)) return;
    if (cells.some(isOpen)) return;
    if (!cells.some(isDemanded)) return this.#fill(row, key, target);
    for (const cell of cells) await this.#choose(cell);
    if (cells.some(({ value }) => value === null)) return;
    if (await this.#exists(target, key.foreignColumns, cells)) return;
    this.#link(row, key, this.add(new Row(target, "setup")));
  }

  async #exists(target: TableShape, columns: readonly string[], cells: readonly Cell[]): Promise<boolean> {
    const isSame = (values: readonly (Json | undefined)[]): boolean =>
      values.every(
        (value, index) => value !== undefined && stringifyJson(value) === stringifyJson(cells[index]?.value),
      );
    const rows = this.rows.filter(({ table, use }) => table === target && use === "setup");
    if (rows.some((row) => isSame(columns.map((name) => row.cell(name).value)))) return true;
    const existing = await this.#input.facts.existingRows(target);
    return existing.some((row) => isSame(columns.map((name) => row[name])));
  }

  async #fill(row: Row, key: ForeignKeyShape, target: TableShape): Promise<void> {
    const isPartOfKey = uniqueKeys(row.table).some((columns) => columns.some((name) => key.columns.includes(name)));
    const name = `${target.schema}.${target.name}`;
    const known = isPartOfKey ? undefined : this.#fillers.get(name);
    const [existing] = isPartOfKey || known ? [] : await this.#input.facts.existingRows(target);
    if (existing !== undefined) {
      key.columns.forEach((column, index) => {
        row.cell(column).fixed = existing[key.foreignColumns[index] ?? ""] ?? null;
      });
      return;
    }
    const filler = known ?? this.add(new Row(target, "setup"));
    if (!isPartOfKey) this.#fillers.set(name, filler);
    this.#link(row, key, filler);
  }

  #link(row: Row, key: ForeignKeyShape, target: Row): void {
    key.columns.forEach((column, index) => {
      merge(row.cell(column), target.cell(key.foreignColumns[index] ?? ""));
    });
  }

  async #choose(cell: Cell): Promise<void> {
    if (cell.value !== undefined) return;
    const [{ table, column }] = cell.places as [Cell["places"][number]];
    const counter = `${table.schema}.${table.name}.${column.name}`;
    const begin = this.#counters.get(counter) ?? 0;
    const generic = this.#genericValues(cell, begin);
    for (const value of await this.#candidates(cell, generic)) {
      if (!this.#meets(cell, value) || !(await this.#isAccepted(cell, value))) continue;
      cell.value = value;
      this.#counters.set(counter, begin + generic.indexOf(value) + 1);
      return;
    }
    const isOptional = cell.tests.length === 0 && cell.fixed === undefined && column.hasDefault;
    if (isOptional) return;
    const type = typeOf(cell).sql;
    throw new NoRows(`no value of type ${type} is known that column ${column.name} of ${table.name} accepts`);
  }

  #genericValues(cell: Cell, begin: number): readonly Json[] {
    const [{ column }] = cell.places as [Cell["places"][number]];
    return Array.from({ length: maxGenericValues }, (_, i) =>
      genericValue(typeOf(cell), column.name, begin + i, this.#input.shape),
    ).filter((value) => value !== undefined);
  }

  /** Returns boundaries of the tests first, and then values that differ from those of other rows. */
  async #candidates({ fixed, places, tests }: Cell, generic: readonly Json[]): Promise<readonly Json[]> {
    if (fixed !== undefined) return [fixed];
    const { facts, session } = this.#input;
    const [{ column }] = places as [Cell["places"][number]];
    const { type } = column;
    const operands = tests.map((test) => ({ operator: test.operator, value: operandValue(test, type, session) }));
    const constants = await Promise.all(places.map((each) => facts.constants(each.table, each.column.name)));
    const isText = familyOf(type) === "text";
    return [
      ...operands.flatMap(({ operator, value }) => candidates(operator, value)),
      ...places.flatMap(({ table }) => table.enumValues?.map(({ value }) => value) ?? []),
      ...generic,
      ...operands
        .flatMap(({ operator, value }) => candidates(operator, value))
        .flatMap((each) => neighbours(each, type)),
      ...(isText ? [...constants.flat(), ...shortTexts] : constants.flat().map(Number).filter(Number.isFinite)),
      ...(familyOf(type) === "integer" ? smallNumbers : []),
      ...(places.every((each) => each.column.nullable) ? [null] : []),
    ];
  }

  #meets(cell: Cell, value: Json): boolean {
    const type = typeOf(cell);
    return cell.tests.every(
      (test) => truth(value, test, operandValue(test, type, this.#input.session), type) === test.holds,
    );
  }

  async #isAccepted({ places }: Cell, value: Json): Promise<boolean> {
    for (const { table, column } of places) {
      if (value === null ? !column.nullable : !(await this.#input.facts.accepts(table, column.name, value)))
        return false;
    }
    return true;
  }

  async #checkKeys(row: Row): Promise<void> {
    if (row.use !== "setup") return;
    const others = this.rows.filter((other) => other !== row && other.table === row.table && other.use === "setup");
    const existing = await this.#input.facts.existingRows(row.table);
    for (const columns of uniqueKeys(row.table)) {
      const key = columns.map((name) => row.cell(name).value);
      if (key.some((value) => value === undefined || value === null)) continue;
      const isSame = (values: readonly (Json | undefined)[]): boolean => stringifyJson(values) === stringifyJson(key);
      const isTaken =
        others.some((other) => isSame(columns.map((name) => other.cell(name).value))) ||
        existing.some((other) => isSame(columns.map((name) => other[name])));
      if (isTaken) throw new NoRows(`two rows of ${row.table.name} have the same ${columns.join(", ")}`);
    }
  }

  /** Returns the rows of the setup by table, each table after those that it refers to. */
  setup(): readonly { readonly table: TableShape; readonly rows: readonly JsonObject[] }[] {
    const tables = [...new Set(this.rows.filter(({ use }) => use === "setup").map(({ table }) => table))];
    return inOrder(tables).map((table) => {
      const own = this.rows.filter((row) => row.table === table && row.use === "setup");
      return { table, rows: own.map(valuesOf) };
    });
  }
}

/** Returns the chosen values of a row by column. */
export function valuesOf(row: Row): JsonObject {
  return Object.fromEntries(
    row.table.columns.flatMap(({ name }): [string, Json][] => {
      const { value } = row.cell(name);
      return value === undefined || (value === null && row.use === "setup" && !hasDefault(row, name))
        ? []
        : [[name, value]];
    }),
  );
}

const hasDefault = (row: Row, name: string): boolean => row.column(name).hasDefault;

export function uniqueKeys({ primaryKey, uniqueKeys, uniqueIndexes = [] }: TableShape): readonly (readonly string[])[] {
  const indexes = uniqueIndexes.filter(({ elements, condition }) => elements === undefined && condition === undefined);
  return [...(primaryKey ? [primaryKey] : []), ...uniqueKeys, ...indexes].map(({ columns }) => columns);
}

function refuseUnusual({ kind, schema, name }: TableShape): void {
  if (`${schema}${name}`.includes("."))
    throw new NoRows(`the name ${name} has a dot, so that rows of tests cannot name it`);
  if (kind === "table" || kind === "partitioned_table") return;
  throw new NoRows(`${name} is a ${kind.replace("_", " ")}, whose rows depend on other tables`);
}

function inOrder(tables: readonly TableShape[]): readonly TableShape[] {
  const done: TableShape[] = [];
  const visit = (table: TableShape, above: readonly TableShape[]): void => {
    if (done.includes(table) || above.includes(table)) return;
    for (const { foreignTable } of table.foreignKeys) {
      const other = tables.find(({ schema, name }) => schema === foreignTable.schema && name === foreignTable.name);
      if (other) visit(other, [...above, table]);
    }
    done.push(table);
  };
  for (const table of tables) visit(table, []);
  return done;
}
