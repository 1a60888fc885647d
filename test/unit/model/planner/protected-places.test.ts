import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encryptPlaces, type ProtectedPlaces } from "../../../../runtime/model/planner/protected-places.ts";

const base64 = (text: string) => Buffer.from(text).toString("base64");
const encrypt = (json: string) => `<${json}>`;
const places = (object: object): ProtectedPlaces =>
  new Map(Object.entries(object).map(([key, value]) => [key, typeof value === "object" ? places(value) : encrypt]));

/** Formats JSON like databases, with the blanks of PostgreSQL. */
const spaced = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(spaced).join(", \n ")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, member]) => `${JSON.stringify(key)} : ${spaced(member)}`)
    .join(", ")}}`;
};

describe("Encryption of values in JSON", () => {
  it("encryptPlaces encrypts the texts at their places in objects and lists", () => {
    const json = spaced({ id: base64("[1]"), other: base64("[1]"), rows: [{ id: base64("[2]") }, null, {}] });
    const found = encryptPlaces(json, places({ id: 1, rows: { id: 1 } }));
    expect(JSON.parse(found)).toEqual({ id: "<[1]>", other: base64("[1]"), rows: [{ id: "<[2]>" }, null, {}] });
  });

  it("encryptPlaces keeps nulls and empty texts", () => {
    for (const json of ["null", "[]", "{}", '{"id" : null}', '{"id" : ""}']) {
      expect(encryptPlaces(json, places({ id: 1 }))).toBe(json);
    }
  });

  it("encryptPlaces leaves all other values unchanged", () => {
    const value = fc.jsonValue({ maxDepth: 4 });
    const row = fc.record({
      a: value,
      id: fc.constant(base64("7")),
      b: value,
      deep: fc.record({ c: value, id: value }),
    });
    fc.assert(
      fc.property(fc.array(row), fc.boolean(), (rows, isSpaced) => {
        // The database builds the JSON: ids are in base64, and no other values are at their positions.
        const given = rows.map((each) => ({ ...each, deep: { ...each.deep, id: base64("8") } }));
        const json = isSpaced ? spaced({ rows: given }) : JSON.stringify({ rows: given });
        const found = encryptPlaces(json, places({ rows: { id: 1, deep: { id: 1 } } }));
        const expected = given.map((each) => ({ ...each, id: "<7>", deep: { ...each.deep, id: "<8>" } }));
        expect(JSON.parse(found)).toEqual(JSON.parse(JSON.stringify({ rows: expected })));
      }),
    );
  });

  it("encryptPlaces takes time proportional to the length of the text", () => {
    const long = JSON.stringify({ a: '\\"'.repeat(500_000), id: base64("1"), b: ["{".repeat(500_000), '"'] });
    const started = performance.now();
    expect(encryptPlaces(long, places({ id: 1 }))).toHaveLength(long.length - base64("1").length + 3);
    expect(performance.now() - started).toBeLessThan(1000);
  });
});
