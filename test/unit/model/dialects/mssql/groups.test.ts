/** Groups of SQL Server by types that the golden tables lack. */
import { describe, expect, it } from "vitest";
import { compileShape } from "../../../../support/compiled.ts";
import { shopShape, shopTables } from "../../../../support/mssql-shop.ts";
import { planCase } from "../../../../support/plan-case.ts";
import { problemsOfTsql } from "../../../../support/tsql.ts";

const shop = compileShape(shopShape, shopTables);

function planned(query: string): readonly string[] {
  const { statements } = planCase(shop.role("admin"), "query", { query, role: "admin", variables: {} } as never);
  const texts = statements.map(({ text }) => text);
  expect(texts.flatMap(problemsOfTsql)).toEqual([]);
  return texts;
}

/** Returns the SQL of a key, from the rows of the groups. */
function keyOf(column: string, by: string): string | undefined {
  const [text] = planned(`{ every_type_group(by: { column: ${column}, ${by} }) { key { ${column} } } }`);
  return text?.split(" as k1 from")[0]?.split("(select ").at(-1);
}

const moment = "(t1.[a_datetimeoffset] at time zone N'UTC')";

describe("Truncated keys on SQL Server", () => {
  it.each([
    [
      "a_datetimeoffset",
      "month",
      `(cast(datefromparts(year(${moment}), month(${moment}), 1) as datetime2) at time zone N'UTC')`,
    ],
    [
      "a_datetimeoffset",
      "hour",
      `todatetimeoffset(dateadd(minute, datepart(hour, ${moment}) * 60, cast(cast(${moment} as date) as datetime2)), datepart(tzoffset, ${moment}))`,
    ],
    ["a_datetime", "year", "cast(datefromparts(year(t1.[a_datetime]), 1, 1) as datetime)"],
    ["a_smalldatetime", "day", "cast(cast(t1.[a_smalldatetime] as date) as smalldatetime)"],
    [
      "a_datetime2",
      "minute",
      "cast(dateadd(minute, datepart(hour, t1.[a_datetime2]) * 60 + datepart(minute, t1.[a_datetime2]), cast(cast(t1.[a_datetime2] as date) as datetime2)) as datetime2)",
    ],
    ["a_date", "quarter", "datefromparts(year(t1.[a_date]), datepart(quarter, t1.[a_date]) * 3 - 2, 1)"],
    [
      "a_date",
      "week",
      "dateadd(day, 1 - ((datepart(weekday, t1.[a_date]) + @@datefirst + 5) % 7 + 1), cast(t1.[a_date] as date))",
    ],
    ["a_time", "hour", "timefromparts(datepart(hour, t1.[a_time]), 0, 0, 0, 0)"],
    ["a_time", "minute", "timefromparts(datepart(hour, t1.[a_time]), datepart(minute, t1.[a_time]), 0, 0, 0)"],
  ])("%s is truncated to a %s in its own type", (column, unit, sql) => {
    expect(keyOf(column, `truncate: ${unit}`)).toBe(sql);
  });

  it("A time zone is a parameter of both conversions", () => {
    expect(keyOf("a_datetimeoffset", 'truncate: day, time_zone: "Romance Standard Time"')).toBe(
      "(cast(cast((t1.[a_datetimeoffset] at time zone @p1) as date) as datetime2) at time zone @p1)",
    );
  });
});

describe("Joined texts on SQL Server", () => {
  const joined = (key: string, order: string) =>
    `${key}: string_agg(column: name, separator: ",", order_by: { ${order} })`;
  const grouped = (...fields: readonly string[]) => `{ customer_group(by: { column: id }) { ${fields.join(" ")} } }`;

  it("Texts in the same order share it, because SQL Server sorts all aggregates of a level alike", () => {
    const [text = ""] = planned(grouped(`aggregate { ${joined("a", "id: asc")} ${joined("b", "id: asc")} }`));
    expect(text.match(/within group \(order by t2\.c1\)/g)).toHaveLength(2);
  });

  it.each([
    ["texts", grouped(`aggregate { ${joined("a", "id: asc")} ${joined("b", "id: desc")} }`)],
    ["texts and nodes", grouped(`aggregate { ${joined("a", "name: asc")} } nodes(order_by: { id: asc }) { id }`)],
    ["lists", grouped("a: nodes(order_by: { id: asc }) { id } b: nodes(order_by: { id: desc }) { id }")],
  ])("Two orders of %s are refused before the database refuses them", (_, query) => {
    expect(() => planned(query)).toThrow("SQL Server sorts all lists and texts of one field alike");
  });
});
