/**
 * Values of rows in another source, for row filters that follow a relationship to that source. They are read first and
 * passed as a parameter of the statement that compares them.
 */
import type { Dialect } from "./dialect.ts";
import { crossSourceSlot, sessionSlot } from "./parameters.ts";
import type { RowFilter } from "./row-filter.ts";
import type { ScalarType } from "./scalar-type.ts";
import { parameter, render, type Sql, sql, verbatim } from "./sql.ts";

interface CrossSourceValues {
  readonly source: string;
  readonly dialect: Dialect;
  /** Quoted, with its schema. */
  readonly from: string;
  /** Quoted. */
  readonly column: string;
  readonly type: ScalarType;
  /** The comparison takes JSON. */
  readonly json?: true;
  /** Absent: all rows. */
  readonly where?: RowFilter;
}

/**
 * Maximum number of values; a higher number is an error, because the list is a parameter of each statement of the role.
 */
export const maxCrossSourceValues = 100_000;

/** Member with a value in the result of the other source. */
export const valueMember = "v";

/**
 * Returns the values as a parameter of the statement that compares them.
 * @param own dialect of the statement that compares the values
 */
export function crossSourceValues(own: Dialect, values: CrossSourceValues): Sql {
  const { source, dialect, json } = values;
  const { text, slots } = render(statementOf(values), dialect);
  return parameter(crossSourceSlot({ source, text, slots }, json ? "json" : "text", own.writes.textList));
}

/** Selects distinct values, at most one more than allowed. NULLs are skipped, because they equal nothing. */
function statementOf({ dialect, from, column, type, where }: CrossSourceValues): Sql {
  const row = verbatim("t");
  const value = sql`${row}.${verbatim(column)}`;
  const filter = where?.(row, (name) => parameter(sessionSlot(name)));
  const condition = filter ? sql`${value} is not null and (${filter})` : sql`${value} is not null`;
  const distinct = sql`(select distinct ${value} as v from ${verbatim(from)} ${row} where ${condition}) d`;
  const found = sql`d.v`;
  const output = type.output?.(found, { stringifyNumbers: false }) ?? found;
  const limit = verbatim(String(maxCrossSourceValues + 1));
  return sql`select ${dialect.asText(dialect.jsonRows([{ key: valueMember, value: output }], { from: distinct, limit }))}`;
}
