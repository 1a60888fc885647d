/** Conversion of the driver's values to cells of `run_sql`. */
import { describe, expect, it } from "vitest";
import { cellValue } from "../../../../../runtime/databases/sources/mssql/values.ts";

/**
 * Returns a time in the driver's form.
 * @param more fraction of a millisecond, in seconds, which the driver stores in a separate property
 */
function time(text: string, more = 0): Date {
  return Object.assign(new Date(text), { nanosecondsDelta: more });
}

describe("SQL Server cell values", () => {
  it.each([
    ["date", time("2020-01-02T00:00:00Z"), "2020-01-02"],
    ["time", time("1970-01-01T03:04:05.123Z", 0.0004567), "03:04:05.1234567"],
    ["time", time("1970-01-01T03:04:00Z"), "03:04:00"],
    ["datetime", new Date("1996-04-15T04:00:00Z"), "1996-04-15T04:00:00"],
    ["datetime2", time("9999-04-15T23:59:59.999Z", 0.0009999), "9999-04-15T23:59:59.9999999"],
    ["datetime2", time("2020-01-02T03:04:05.1Z"), "2020-01-02T03:04:05.1"],
    ["smalldatetime", new Date("1955-12-13T12:43:00Z"), "1955-12-13T12:43:00"],
    ["datetimeoffset", time("2007-05-08T00:20:29.123Z", 0.0004567), "2007-05-08T00:20:29.1234567Z"],
    ["bigint", "42", 42],
    ["bigint", "9007199254740993", "9007199254740993"],
    ["nvarchar", "42", "42"],
    ["bit", true, true],
    ["int", null, null],
  ])("A SQL Server cell is converted to text: %s", (type, value, expected) => {
    expect(cellValue(value, type)).toBe(expected);
  });
});
