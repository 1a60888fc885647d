/** Validators of generated modules: the engine's payloads pass them, whatever the names and the kind of database. */
import { describe, expect, it } from "vitest";
import type * as Mssql from "../../golden/handlers/mssql/expected/generated.ts";
import type * as OddNames from "../../golden/handlers/odd-names/expected/generated.ts";
import { loadHandlers } from "../../support/handler-module.ts";

const { EveryTypePayload, RenamedPayload } = await loadHandlers<typeof Mssql>("mssql");
const odd = await loadHandlers<typeof OddNames>("odd-names");

/**
 * Values as FOR JSON writes them (Microsoft's documentation, "How FOR JSON converts SQL Server data types to JSON").
 */
const row = {
  ...{ a_bigint: 9007199254740991, a_int: -1, a_smallint: 1, a_tinyint: 255, a_bit: true },
  ...{ a_decimal: 1.5, a_numeric: 2, a_money: 1.25, a_smallmoney: 1, a_float: 1e300, a_real: 0.5 },
  ...{ a_binary: "AP8=", a_varbinary: "", a_timestamp: "AAAAAAAAB9E=" },
  ...{ a_date: "2026-02-28", a_time: "12:00:00.1234567", a_datetime: "2026-02-28T12:00:00.123" },
  ...{ a_datetime2: "2026-02-28T12:00:00.1234567", a_smalldatetime: "2026-02-28T12:00:00" },
  ...{ a_datetimeoffset: "2026-02-28T12:00:00+02:00", a_uniqueidentifier: "6F9619FF-8B86-D011-B42D-00C04FC964FF" },
  ...{ a_char: "x", a_nchar: "ü", a_varchar: "", a_nvarchar: "日本", a_xml: "<a/>" },
  ...{ a_hierarchyid: "/1/", a_sql_variant: "any" },
};
const empty = Object.fromEntries(Object.keys(row).map((name) => [name, null]));

const event = (op: string, before: unknown, after: unknown, name = "every_type", table = "every_type") => ({
  id: "6F9619FF-8B86-D011-B42D-00C04FC964FF",
  created_at: "2026-02-28T12:00:00.1234567Z",
  trigger: { name },
  table: { schema: "dbo", name: table },
  event: { op, data: { old: before, new: after } },
  delivery_info: { current_retry: 0, max_retries: 0 },
});

describe("Validators of SQL Server events", () => {
  it.each([
    ["INSERT", null, row],
    ["INSERT", null, empty],
    ["UPDATE", row, empty],
    ["UPDATE", null, row],
    ["DELETE", empty, null],
  ])("An event fits its validator: %s", (op, before, after) => {
    expect(EveryTypePayload.parse(event(op, before, after))).toEqual(event(op, before, after));
  });

  it.each([
    ["a row of another type", event("INSERT", null, { ...row, a_bit: 1 })],
    ["a row without a column", event("INSERT", null, { a_int: 1 })],
    ["an unknown operation", event("MANUAL", null, {})],
    ["an insert with an old row", event("INSERT", row, row)],
  ])("An event does not fit its validator: %s", (_, payload) => {
    expect(EveryTypePayload.safeParse(payload).success).toBe(false);
  });

  it("The validator covers the columns of the trigger and manual events", () => {
    const renamed = { id: 1, name: "Ann" };
    const fits = (...[op, before, after]: readonly [string, unknown, unknown]) =>
      RenamedPayload.safeParse(event(op, before, after, "renamed", "customer")).success;
    expect([fits("UPDATE", renamed, renamed), fits("UPDATE", null, renamed), fits("MANUAL", null, [1])]).toEqual([
      true,
      true,
      true,
    ]);
    expect(fits("UPDATE", renamed, { id: 1, name: null })).toBe(false);
  });
});

describe("Arguments named like members of every object", () => {
  const call = (given: object) => ({
    action: { name: "place_order" },
    input: { this: { default: ["a"], handler: "constructor" }, ...given },
    session_variables: {},
    request_query: "",
  });

  it("An omitted argument named like an inherited member is absent", () => {
    const parsed = odd.PlaceOrderPayload_4.parse(JSON.parse(JSON.stringify(call({}))));
    expect(Object.keys(parsed.input)).toEqual(["this"]);
    expect(Object.keys(parsed.input.this)).toEqual(["default", "handler"]);
  });

  it("A given argument named like an inherited member is validated", () => {
    expect(odd.PlaceOrderPayload_4.parse(call({ constructor: "7" })).input.constructor).toBe("7");
    expect(odd.PlaceOrderPayload_4.safeParse(call({ constructor: [] })).success).toBe(false);
  });
});
