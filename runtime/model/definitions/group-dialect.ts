/** SQL of groups (`T_group`) and aggregates that differs between databases. */
import type { ScalarType } from "./scalar-type.ts";
import type { Sql } from "./sql.ts";

/** Parts of dates and times by which rows are grouped. Weeks and their years follow ISO 8601; Monday is day 1. */
export const dateParts = {
  year: "the year",
  iso_year: "the year that contains most days of the week",
  quarter: "the quarter, from 1 to 4",
  month: "the month, from 1 to 12",
  week: "the week of iso_year, from 1 to 53",
  day: "the day of the month",
  day_of_week: "the day of the week, from 1 (Monday) to 7",
  day_of_year: "the day of the year",
  hour: "the hour, from 0 to 23",
  minute: "the minute, from 0 to 59",
} as const;

export type DatePart = keyof typeof dateParts;

/** Units to whose start dates and times are truncated. Weeks begin on Monday. */
export const dateUnits = ["year", "quarter", "month", "week", "day", "hour", "minute"] as const satisfies DatePart[];

export type DateUnit = (typeof dateUnits)[number];

/** Values of a type: dates, times of day, dates with times, or moments, whose parts depend on a time zone. */
export type TimeKind = "date" | "time" | "local" | "moment";

/** A date or time by which rows are grouped. */
export interface GroupedTime {
  readonly value: Sql;
  readonly type: ScalarType;
  readonly kind: TimeKind;
  /** Time zone of a moment; default: UTC. */
  readonly zone: Sql | undefined;
}

/** The place of a value among the values of its group that are not null, and their number. */
export interface RankedValue {
  readonly value: Sql;
  /** Begins at 1. */
  readonly rank: Sql;
  readonly count: Sql;
}

export type PercentileDialect = {
  supports(type: ScalarType): boolean;
} & (
  | {
      /** Returns the percentile of values, as a number of `comparedNumber`. */
      call(fraction: Sql, value: Sql): Sql;
    }
  | {
      /** Returns window functions for the rank of a value among the rows with the same keys. */
      rank(value: Sql, keys: readonly Sql[]): Omit<RankedValue, "value">;
      callRanked(fraction: Sql, value: RankedValue): Sql;
    }
);

export interface GroupDialect {
  /** Returns a value in a form that GROUP BY accepts; `undefined` if values of the type cannot be compared. */
  keyOf(value: Sql, type: ScalarType): Sql | undefined;
  /** Returns `undefined` for types without parts. */
  timeKind(type: ScalarType): TimeKind | undefined;
  /** Converts a moment to the date and time in a time zone; default: UTC. */
  inZone(moment: Sql, zone: Sql | undefined): Sql;
  /** Type of time zones and separators. */
  readonly textType: ScalarType;
  /** Returns a part of a date or time as an integer. */
  partOf(part: DatePart, value: Sql): Sql;
  /** Returns the start of the unit that contains a date or time, in its own type; for moments, the start in the zone. */
  startOf(unit: DateUnit, time: GroupedTime): Sql;
  /** Returns the lower bound of the bucket that contains a number. */
  bucketOf(value: Sql, width: Sql): Sql;
  widthType(type: ScalarType): ScalarType;
  /** Returns a part of a JSON column, for groups by path; absent if columns have no such argument. */
  readonly atPath?: {
    readonly type: ScalarType;
    value(column: Sql, path: Sql): Sql;
  };
  /**
   * Restricts an aggregate to rows with the flag 1.
   * @param aggregate builds the aggregate of values
   */
  aggregateWhere<Value extends { readonly value: Sql }>(
    aggregate: (values: readonly Value[]) => Sql,
    values: readonly Value[],
    flag: Sql,
  ): Sql;
  /** Returns true if values of a type are texts. */
  isText(type: ScalarType): boolean;
  /**
   * Joins texts.
   * @param position column by which they are ordered
   */
  joinTexts(value: Sql, separator: Sql, position: Sql | undefined): Sql;
  /** Message for aggregates of one level in several orders; absent if the database supports them. */
  readonly severalOrders?: string;
  readonly percentile: PercentileDialect;
  /** Marks JSON that a column of a derived table contains. */
  storedJson(value: Sql): Sql;
  /** Type of the numbers to which averages and sums are compared, and of percentiles and their fractions. */
  readonly comparedNumber: ScalarType;
}
