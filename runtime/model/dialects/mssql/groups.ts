/** SQL of groups in SQL Server. */
import type { DatePart, GroupDialect, TimeKind } from "../../definitions/group-dialect.ts";
import { type Sql, sql, verbatim } from "../../definitions/sql.ts";
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

export const groups: GroupDialect = {
  keyOf(value, type) {
    const comparable = comparableValue(type, value);
    return comparable === value && !hasEquality(type) ? undefined : comparable;
  },
  timeKind: ({ cast }) => (Object.hasOwn(timeKinds, cast) ? timeKinds[cast] : undefined),
  inZone: (moment, zone) => sql`(${moment} at time zone ${zone ?? sql`N'UTC'`})`,
  zoneType: mssql("nvarchar"),
  partOf,
  bucketOf: (value, width) => sql`floor(cast(${value} as float) / ${width}) * ${width}`,
  widthType: () => mssql("float"),
  aggregateWhere(aggregate, values, flag) {
    if (values.length === 0) return sql`count(case when ${flag} = 1 then 1 end)`;
    return aggregate(values.map((each) => ({ ...each, value: sql`case when ${flag} = 1 then ${each.value} end` })));
  },
  storedJson: (value) => sql`json_query(${value})`,
  comparedNumber: mssql("float"),
};
