/**
 * Values that rows of another source have, for row filters that follow a relationship there. They are a parameter of the
 * statement that compares with them, and are read before it.
 */
import type { Dialect } from "./dialect.ts";
import { elsewhereSlot, sessionSlot } from "./parameters.ts";
import type { RowFilter } from "./row-filter.ts";
import type { ScalarType } from "./scalar-type.ts";
import { parameter, render, type Sql, sql, verbatim } from "./sql.ts";

interface ValuesElsewhere {
  readonly source: string;
  readonly dialect: Dialect;
  /** Quoted, with its schema. */
  readonly from: string;
  /** Quoted. */
  readonly column: string;
  readonly type: ScalarType;
  /** What compares with them takes JSON. */
  readonly json?: true;
  /** Absent: of all rows. */
  readonly where?: RowFilter;
}

/** More are an error: a list of them would be a parameter of each statement of the role. */
export const mostValuesElsewhere = 100_000;

/** The member that holds a value in the answer of the other source. */
export const valueMember = "v";

/** @param own the dialect of the statement that compares with them */
export function valuesElsewhere(own: Dialect, values: ValuesElsewhere): Sql {
  const { source, dialect, json } = values;
  const { text, slots } = render(statementOf(values), dialect);
  return parameter(elsewhereSlot({ source, text, slots }, json ? "json" : "text", own.writes.textList));
}

/** Each value once, one more than there may be. NULLs are equal to nothing. */
function statementOf({ dialect, from, column, type, where }: ValuesElsewhere): Sql {
  const row = verbatim("t");
  const value = sql`${row}.${verbatim(column)}`;
  const asked = where?.(row, (name) => parameter(sessionSlot(name)));
  const condition = asked ? sql`${value} is not null and (${asked})` : sql`${value} is not null`;
  const distinct = sql`(select distinct ${value} as v from ${verbatim(from)} ${row} where ${condition}) d`;
  const found = sql`d.v`;
  const output = type.output?.(found, { stringifyNumbers: false }) ?? found;
  const limit = verbatim(String(mostValuesElsewhere + 1));
  return sql`select ${dialect.asText(dialect.jsonRows([{ key: valueMember, value: output }], { from: distinct, limit }))}`;
}
