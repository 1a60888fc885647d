/** SQL of groups in PostgreSQL. */
import type { DatePart, DateUnit, GroupDialect, GroupedTime, TimeKind } from "../../definitions/group-dialect.ts";
import { type Sql, sql, verbatim } from "../../definitions/sql.ts";
import { pg } from "./scalars.ts";

const timeKinds: Readonly<Record<string, TimeKind>> = {
  date: "date",
  time: "time",
  timestamp: "local",
  timestamptz: "moment",
};

/** Fields of `extract`, where they have other names. */
const fields: Readonly<Partial<Record<DatePart, string>>> = {
  iso_year: "isoyear",
  day_of_week: "isodow",
  day_of_year: "doy",
};

const texts: ReadonlySet<string> = new Set(["String", "bpchar", "citext"]);
/** Numbers that PostgreSQL converts to floating point numbers by itself. */
const percentileNumbers: ReadonlySet<string> = new Set(["smallint", "Int", "bigint", "Float", "float8", "numeric"]);

const unitsOfDay: ReadonlySet<DateUnit> = new Set(["hour", "minute"]);

const inZone: GroupDialect["inZone"] = (moment, zone) => sql`(${moment} at time zone ${zone ?? sql`'UTC'`})`;

function startOf(unit: DateUnit, { value, kind, zone }: GroupedTime): Sql {
  const truncated = (local: Sql): Sql => sql`date_trunc('${verbatim(unit)}', ${local})`;
  switch (kind) {
    case "date":
      return sql`${truncated(sql`${value}::timestamp`)}::date`;
    case "time":
      return sql`${truncated(sql`${value}::interval`)}::time`;
    case "local":
      return truncated(value);
    case "moment": {
      const local = inZone(value, zone);
      if (!unitsOfDay.has(unit)) return sql`(${truncated(local)} at time zone ${zone ?? sql`'UTC'`})`;
      // When clocks are set back, an hour occurs twice: the difference distinguishes the two, the local time does not.
      return sql`case when isfinite(${value}) then ${value} - (${local} - ${truncated(local)}) else ${value} end`;
    }
  }
}

export const groups: GroupDialect = {
  keyOf: (value, { unordered }) => (unordered ? undefined : value),
  timeKind: ({ graphql, element }) =>
    element === undefined && Object.hasOwn(timeKinds, graphql) ? timeKinds[graphql] : undefined,
  inZone,
  textType: pg("text"),
  partOf: (part, value) => sql`extract(${verbatim(fields[part] ?? part)} from ${value})::int4`,
  startOf,
  bucketOf: (value, width) => sql`floor(${value} / ${width}) * ${width}`,
  // Floating point numbers are divided as such, and all others exactly.
  widthType: ({ graphql }) => (graphql === "Float" || graphql === "float8" ? pg("float8") : pg("numeric")),
  atPath: { type: pg("jsonb"), value: (column, path) => sql`(${column} #> ${path})::jsonb` },
  aggregateWhere: (aggregate, values, flag) => sql`${aggregate(values)} filter (where ${flag} = 1)`,
  isText: ({ graphql, element, enumeration }) => element === undefined && !enumeration && texts.has(graphql),
  joinTexts(value, separator, position) {
    const order = position ? sql` order by ${position}` : sql``;
    return sql`string_agg(${value}::text, ${separator}${order})`;
  },
  percentile: {
    supports: ({ graphql, element }) => element === undefined && percentileNumbers.has(graphql),
    call: (fraction, value) => sql`percentile_cont(${fraction}) within group (order by ${value})`,
  },
  storedJson: (value: Sql) => value,
  comparedNumber: pg("float8", { graphql: "Float" }),
};
