/** SQL of groups in SQL Server. */
import type { DatePart, DateUnit, GroupDialect, GroupedTime, TimeKind } from "../../definitions/group-dialect.ts";
import type { ScalarType } from "../../definitions/scalar-type.ts";
import { joinSql, type Sql, sql, verbatim } from "../../definitions/sql.ts";
import { comparableValue, hasEquality, mssql } from "./scalars.ts";

const timeKinds: Readonly<Record<string, TimeKind>> = {
  date: "date",
  time: "time",
  datetime: "local",
  smalldatetime: "local",
  datetime2: "local",
  datetimeoffset: "moment",
};

/** Names of DATEPART, where they differ. */
const names: Readonly<Partial<Record<DatePart, string>>> = { week: "iso_week", day_of_year: "dayofyear" };

function partOf(part: DatePart, value: Sql): Sql {
  switch (part) {
    // The first day of the week is a setting of the session.
    case "day_of_week":
      return sql`(datepart(weekday, ${value}) + @@datefirst + 5) % 7 + 1`;
    // The last days of a year may belong to week 1, and the first days to week 52 or 53.
    case "iso_year":
      return sql`year(dateadd(day, 26 - datepart(iso_week, ${value}), ${value}))`;
    default:
      return sql`datepart(${verbatim(names[part] ?? part)}, ${value})`;
  }
}

const inZone: GroupDialect["inZone"] = (moment, zone) => sql`(${moment} at time zone ${zone ?? sql`N'UTC'`})`;

const castTo = (value: Sql, { cast }: ScalarType): Sql => sql`cast(${value} as ${verbatim(cast)})`;

/** Returns the date on which a unit of a day or more begins. */
function startDate(unit: DateUnit, value: Sql): Sql {
  switch (unit) {
    case "year":
      return sql`datefromparts(year(${value}), 1, 1)`;
    case "quarter":
      return sql`datefromparts(year(${value}), datepart(quarter, ${value}) * 3 - 2, 1)`;
    case "month":
      return sql`datefromparts(year(${value}), month(${value}), 1)`;
    case "week":
      return sql`dateadd(day, 1 - (${partOf("day_of_week", value)}), cast(${value} as date))`;
    default:
      return sql`cast(${value} as date)`;
  }
}

/** Returns the number of whole minutes from midnight to the start of an hour or minute. */
const minutesOfDay = (unit: "hour" | "minute", value: Sql): Sql =>
  unit === "hour"
    ? sql`datepart(hour, ${value}) * 60`
    : sql`datepart(hour, ${value}) * 60 + datepart(minute, ${value})`;

function startOf(unit: DateUnit, { value, type, kind, zone }: GroupedTime): Sql {
  if (kind === "time") {
    const minute = unit === "minute" ? sql`datepart(minute, ${value})` : sql`0`;
    return sql`timefromparts(datepart(hour, ${value}), ${minute}, 0, 0, 0)`;
  }
  const zoned = kind === "moment" ? inZone(value, zone) : value;
  const date = startDate(unit, zoned);
  if (kind === "date") return date;
  const midnight = castTo(date, local);
  if (unit !== "hour" && unit !== "minute") {
    return kind === "moment" ? inZone(midnight, zone) : castTo(date, type);
  }
  const start = sql`dateadd(minute, ${minutesOfDay(unit, zoned)}, ${midnight})`;
  // When clocks are set back, an hour occurs twice: the offset distinguishes the two, the local time does not.
  return kind === "moment" ? sql`todatetimeoffset(${start}, datepart(tzoffset, ${zoned}))` : castTo(start, type);
}

const local = mssql("datetime2");

export const groups: GroupDialect = {
  keyOf(value, type) {
    const comparable = comparableValue(type, value);
    return comparable === value && !hasEquality(type) ? undefined : comparable;
  },
  timeKind: ({ cast }) => (Object.hasOwn(timeKinds, cast) ? timeKinds[cast] : undefined),
  inZone,
  textType: mssql("nvarchar"),
  partOf,
  startOf,
  bucketOf: (value, width) => sql`floor(cast(${value} as float) / ${width}) * ${width}`,
  widthType: () => mssql("float"),
  aggregateWhere(aggregate, values, flag) {
    if (values.length === 0) return sql`count(case when ${flag} = 1 then 1 end)`;
    return aggregate(values.map((each) => ({ ...each, value: sql`case when ${flag} = 1 then ${each.value} end` })));
  },
  isText: ({ graphql, enumeration }) => !enumeration && graphql === "String",
  joinTexts(value, separator, position) {
    const order = position ? sql` within group (order by ${position})` : sql``;
    return sql`string_agg(cast(${value} as nvarchar(max)), ${separator})${order}`;
  },
  severalOrders: "SQL Server sorts all lists and texts of one field alike: write the other order into another field",
  percentile: {
    supports: ({ numeric, element }) => numeric && element === undefined,
    rank(value, keys) {
      const partition = keys.length === 0 ? sql`` : sql`partition by ${joinSql(keys, ", ")}`;
      return {
        rank: sql`row_number() over (${partition} order by iif(${value} is null, 1, 0), ${value})`,
        count: sql`count(${value}) over (${partition})`,
      };
    },
    // PERCENTILE_CONT is a window function and accepts only a literal as the fraction.
    callRanked(fraction, { value, rank, count }) {
      const place = sql`${fraction} * (${count} - 1)`;
      const at = (round: string): Sql =>
        sql`max(case when ${rank} = ${verbatim(round)}(${place}) + 1 then cast(${value} as float) end)`;
      const below = at("floor");
      return sql`${below} + (${at("ceiling")} - ${below}) * max(${place} - floor(${place}))`;
    },
  },
  storedJson: (value) => sql`json_query(${value})`,
  comparedNumber: mssql("float"),
};
