/**
 * Evaluates the parts of a row filter and of a check for one row, in one statement that reads only. The row of a check is
 * the row that the write would produce: the given values and the column presets, and for an update the other columns of
 * the existing row. Nothing is written, so columns that an insert leaves out are NULL instead of their defaults.
 */
import type { AnalyzedSource } from "../../compiler/2-analyze/analysis.ts";
import type { AnalyzedColumn, AnalyzedTable } from "../../compiler/2-analyze/analyzed-table.ts";
import { conditionSql, partsSql } from "../../compiler/3-lower/condition-sql.ts";
import { lowerPredicate, lowerValue } from "../../compiler/3-lower/conditions.ts";
import type { TableExplanation } from "../../compiler/access/explain-table.ts";
import type { FilterPart } from "../../compiler/access/filter-parts.ts";
import type { JsonObject } from "../../compiler/catalog/model.ts";
import { dialectOf } from "../../compiler/dialects/index.ts";
import { Deadline } from "../databases/sources/deadline.ts";
import { crossSourceSlotsIn, missingVariables } from "../execute/cross-source-slots.ts";
import { bindCrossSourceValues } from "../execute/cross-source-values.ts";
import type { Generation } from "../execute/generation.ts";
import { routedSource } from "../execute/route.ts";
import { bind } from "../model/definitions/parameters.ts";
import { constant } from "../model/definitions/row-filter.ts";
import { compared } from "../model/definitions/scalar-type.ts";
import { allOf, joinSql, render, type Sql, sql, verbatim } from "../model/definitions/sql.ts";
import { EngineError, invariant, pathTo } from "../values/errors.ts";
import type { Session } from "../values/session.ts";

export interface FilterInput {
  readonly source: AnalyzedSource;
  readonly table: AnalyzedTable;
  readonly explanation: Pick<TableExplanation, "rows" | "check" | "presets">;
  /** Values of a key of the existing row; absent for an insert. */
  readonly row: JsonObject | undefined;
  /** Values to write. */
  readonly values: JsonObject | undefined;
  /** JSON path of the arguments. */
  readonly path: string;
}

/** Truth of each part; `null` is unknown, which counts as false. */
export type Truths = ReadonlyMap<FilterPart, boolean | null>;

export type Evaluation =
  | { readonly kind: "evaluated"; readonly truths: Truths }
  /** Session variables that the filters use and the session lacks. */
  | { readonly kind: "missing_variables"; readonly names: readonly string[] }
  /** The database cannot convert a value, for example a session variable that is compared with a `uuid`. */
  | { readonly kind: "invalid_value"; readonly message: string }
  /** The number of existing rows with the key is not one: `several` stands for any greater number. */
  | { readonly kind: "no_row" | "several_rows" };

/** Time limit of the statement for roles without one: a filter may call any function. */
const maxMilliseconds = 30_000;

/** Alias of the row. Lowering gives aliases with a number, so it is unique. */
const row = verbatim("filtered");

/** @throws EngineError for an invalid value, or the database's error */
export async function evaluateFilters(
  input: FilterInput,
  session: Session,
  generation: Generation,
): Promise<Evaluation> {
  const writer = new FilterSql(input);
  const { dialect } = writer;
  const { statement, parts } = writer.statement();
  const { text, slots } = render(sql`select ${dialect.asText(statement)}`, dialect);
  const missing = missingVariables(slots, session.variables);
  if (missing.length > 0) return { kind: "missing_variables", names: missing };
  const complete = await bindCrossSourceValues(session, crossSourceSlotsIn(slots), generation);
  const { variables, crossSourceValues } = complete;
  const values = bind(slots, { variables: {}, session: variables, crossSourceValues });
  const database = routedSource(generation, input.source.name, complete);
  const deadline = new Deadline(generation.guard.timeLimitMilliseconds(session.role) ?? maxMilliseconds);
  const options = { readOnly: true, timeoutMilliseconds: deadline.timeoutMilliseconds(), caller: deadline };
  const found = await deadline.race(database.executeAlone(options, { text }, values)).catch(invalidValueIn);
  if ("kind" in found) return found;
  const rows = JSON.parse(found[0]?.[0] ?? "[]") as readonly Readonly<Record<string, 0 | 1 | null>>[];
  const [only, another] = rows;
  if (only === undefined) return { kind: "no_row" };
  if (another !== undefined) return { kind: "several_rows" };
  const truth = (key: string) => (only[key] == null ? null : only[key] === 1);
  return { kind: "evaluated", truths: new Map(parts.map((part, i) => [part, truth(keyOf(i))])) };
}

function invalidValueIn(error: unknown): Extract<Evaluation, { kind: "invalid_value" }> {
  if (!(error instanceof EngineError) || error.code !== "data-exception") throw error;
  return { kind: "invalid_value", message: error.message };
}

const keyOf = (index: number): string => `p${index}`;

/** Builds the statement: one row with a member for each part, 1 or 0 or NULL. */
class FilterSql {
  readonly #input: FilterInput;
  readonly #compiler: ReturnType<typeof dialectOf>;

  constructor(input: FilterInput) {
    this.#input = input;
    this.#compiler = dialectOf(input.source.source.kind);
  }

  get dialect() {
    return this.#compiler.runtime.dialect;
  }

  statement(): { readonly statement: Sql; readonly parts: readonly FilterPart[] } {
    const { rows, check } = this.#input.explanation;
    const onExisting = rows ? flat(rows) : [];
    const onWritten = check && this.#input.values !== undefined ? flat(check) : [];
    const parts = [...onExisting, ...onWritten];
    const { row: key } = this.#input;
    const existing = key === undefined ? undefined : this.#existing(key);
    const written = onWritten.length === 0 ? undefined : this.#written();
    const fields = [
      ...onExisting.map((part) => this.#truth(part)),
      // Evaluated in a subquery, because both rows have the same alias.
      ...onWritten.map((part) => sql`(select ${this.#truth(part)} from ${written ?? row} ${row})`),
    ].map((value, i) => ({ key: keyOf(i), value }));
    const from = existing?.from ?? sql`(select 1 as one)`;
    const source = { from: sql`${from} ${row}`, where: existing?.where, limit: verbatim("2") };
    return { statement: this.dialect.jsonRows(fields, source), parts };
  }

  #truth({ condition }: FilterPart): Sql {
    const lowered = lowerPredicate(condition, { dialect: this.#compiler, tableOf: (name) => this.#tableOf(name) });
    if (lowered === undefined) return verbatim("1");
    const holds = conditionSql(lowered, row);
    return sql`case when ${holds} then 1 when not (${holds}) then 0 end`;
  }

  #tableOf(key: string) {
    const named = this.#input.source.tables.get(key);
    invariant(named, `a row filter refers to the table ${key}, which is not tracked`);
    return named.table.table;
  }

  #existing(key: JsonObject) {
    const { table, path } = this.#input;
    const conditions = Object.entries(key).map(([name, value]) => {
      const column = columnNamed(table, name);
      const operand = this.#value(column, value, pathTo(path, "row", name));
      return compared(this.#column(column), "=", operand, this.#type(column));
    });
    return { from: this.#table(), where: allOf(conditions) };
  }

  /** Returns the row after the write, as a derived table with the columns of the table. */
  #written(): Sql {
    const { table, values = {}, explanation, row: key, path } = this.#input;
    const presets = new Map((explanation.presets ?? []).map(({ column, value }) => [column.name, value]));
    const cells = table.columns.map((column) => {
      const { name } = column;
      const preset = presets.get(name);
      const value = Object.hasOwn(values, name)
        ? this.#value(column, values[name] ?? null, pathTo(path, "values", name))
        : preset !== undefined
          ? partsSql(lowerValue(preset, column.shape.type, this.#compiler), row)
          : key === undefined
            ? this.#type(column).operand(verbatim("null"))
            : this.#column(column);
      return sql`${value} as ${this.#quoted(name)}`;
    });
    // Columns of the existing row are those of the statement's row.
    return sql`(select ${joinSql(cells, ", ")})`;
  }

  #value(column: AnalyzedColumn, value: unknown, path: string): Sql {
    const type = this.#type(column);
    const text = type.encode(value, path);
    return type.operand(text === null ? verbatim("null") : constant(text));
  }

  #type({ shape }: AnalyzedColumn) {
    return this.#compiler.scalarOf(this.#compiler.scalarCall(shape.type));
  }

  #column({ name }: AnalyzedColumn): Sql {
    return sql`${row}.${this.#quoted(name)}`;
  }

  #table(): Sql {
    const { schema, name } = this.#input.table.table.table;
    return sql`${this.#quoted(schema)}.${this.#quoted(name)}`;
  }

  #quoted(name: string): Sql {
    return verbatim(this.dialect.quoteIdentifier(name));
  }
}

function columnNamed({ columns }: AnalyzedTable, name: string): AnalyzedColumn {
  const column = columns.find((each) => each.name === name);
  invariant(column, `column ${name} was checked before`);
  return column;
}

function flat(part: FilterPart): readonly FilterPart[] {
  return [part, ...part.parts.flatMap(flat)];
}
