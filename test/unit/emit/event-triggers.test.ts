/** The form of the statements that record events. */
import { describe, expect, it } from "vitest";
import { compile } from "../../../compiler/index.ts";
import { analysisOf, reasonsOf, shape, table } from "../analyze/sample.ts";

const extension = (name: string) =>
  ({ type: { schema: "public", name, sql: `public.${name}`, category: "base" } }) as const;
const places = shape([
  table("place", {
    columns: { id: "int4!", name: "text", spot: extension("geometry"), former: extension("geometry") },
    primaryKey: ["id"],
  }),
]);
const point = { type: "Point", coordinates: [0, 1] };

/** Returns the module of a trigger that records inserted rows which meet a condition. */
function recording(condition: object): string {
  const trigger = {
    name: "moved",
    definition: { insert: { columns: ["id"], payload: ["id"] } },
    retry_conf: { num_retries: 0, interval_sec: 10 },
    webhook: "https://example.com",
    condition,
  };
  const analysis = analysisOf({ tables: [{ table: "place", event_triggers: [trigger] }] }, { shape: places });
  expect(reasonsOf(analysis)).toEqual([]);
  return compile({ analysis }).module("events/default/moved.ts").text;
}

describe("Conditions of event triggers", () => {
  it.each([
    [{ new: { id: { _gt: 3 } } }],
    [{ new: { name: { _is_null: true } } }],
    [{ _not: { new: { _or: [{ name: { _ceq: "name" } }, { id: { _eq: 1 } }] } } }],
  ])("Rows that meet a condition on columns of built-in types are recorded once per statement: %j", (condition) => {
    expect(recording(condition)).toContain("for each statement");
  });

  // The function that records them has a fixed search path, in which the operators of an extension are not found.
  it.each([
    [{ new: { spot: { _eq: point } } }],
    [{ new: { spot: { _is_null: true } } }],
    [{ new: { spot: { _ceq: "former" } } }],
    [{ new: { spot: { _st_d_within: { distance: 2, from: point } } } }],
    [{ _not: { new: { _and: [{ id: { _eq: 1 } }, { _not: { spot: { _st_contains: point } } }] } } }],
    [{ _or: [{ new: { id: { _eq: 1 } } }, { new: { spot: { _st_within: point } } }] }],
  ])("Rows that meet a condition on a column of an extension's type are recorded one by one: %j", (condition) => {
    expect(recording(condition)).toContain("for each row");
  });
});
