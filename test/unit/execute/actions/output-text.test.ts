/** The text of a request's selection from a response, compared with a selection that is made value by value. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { objectsOfPlaces } from "../../../../runtime/execute/actions/objects-of-places.ts";
import { outputText } from "../../../../runtime/execute/actions/output-text.ts";
import type { OutputMember, OutputObject } from "../../../../runtime/model/planner/action-plan.ts";
import { parseJson } from "../../../../runtime/values/json/parse.ts";
import { stringifyJson } from "../../../../runtime/values/json-number.ts";

const names = ["id", "name", "at", "toString", "__typename"];
const name = fc.constantFrom(...names);

const { output } = fc.letrec<{ output: OutputObject }>((tie) => ({
  output: fc
    .uniqueArray(
      fc.oneof(
        { maxDepth: 3, depthIdentifier: "output" },
        fc.record({ kind: fc.constant("member" as const), key: name, name }),
        fc.record({ kind: fc.constant("constant" as const), key: name, value: fc.constantFrom("Order", "Line") }),
        fc.record({
          kind: fc.constant("join" as const),
          key: name,
          names: fc.uniqueArray(name, { minLength: 1, maxLength: 2 }),
        }),
        fc.record({ kind: fc.constant("member" as const), key: name, name, object: tie("output") }),
      ),
      { selector: ({ key }) => key, minLength: 1, maxLength: 4 },
    )
    .map((members: OutputMember[]): OutputObject => ({ members })),
}));

/** Any character. The built-in unit of fast-check first builds a list of all characters, which takes seconds. */
const codePoint = fc
  .oneof(fc.integer({ max: 0xd7ff, min: 0 }), fc.integer({ max: 0x10ffff, min: 0xe000 }))
  .map((code) => String.fromCodePoint(code));

/** Objects with requested names, lists of them, and other values, including texts that need escaping. */
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthIdentifier: "value" },
    fc.oneof(fc.string({ unit: codePoint }), fc.string(), fc.double({ noNaN: true, noDefaultInfinity: true })),
    fc.constantFrom(null, true, -0, "\ud800", 'a "b"\n'),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(name, tie("value"), { noNullPrototype: true }),
  ),
}));

function naive(given: unknown, { members }: OutputObject): unknown {
  if (Array.isArray(given)) return given.map((item) => naive(item, { members }));
  if (typeof given !== "object" || given === null) return given;
  const own = new Map(Object.entries(given));
  const selected = members.map((member): [string, unknown] => {
    if (member.kind === "constant") return [member.key, member.value];
    if (member.kind === "join") return [member.key, keysOf(member.names.map((key) => own.get(key) ?? null))];
    if (member.kind === "read") return [member.key, null];
    const found = own.get(member.name) ?? null;
    return [member.key, member.object ? naive(found, member.object) : found];
  });
  return Object.fromEntries(selected);
}

function keysOf(keys: readonly unknown[]): unknown {
  if (keys.includes(null)) return null;
  return keys.length === 1 ? keys[0] : { k1: keys[0], k2: keys[1] };
}

describe("Encoding of action results", () => {
  it("The encoded result of an action contains the selected members in the order of the request", () => {
    fc.assert(
      fc.property(value, output, (given, selected) => {
        expect(outputText(given, selected, new Map())).toBe(JSON.stringify(naive(given, selected)));
      }),
      { numRuns: 3000 },
    );
  });

  it("The encoded result of an action keeps the digits of numbers and all other values", () => {
    const selected: OutputObject = { members: [{ kind: "member", key: "n", name: "n", object: { members: [] } }] };
    const digits = "12345678901234567890";
    expect(outputText(parseJson(`{"n":${digits}}`), selected, new Map())).toBe(`{"n":${digits}}`);
    expect(outputText(parseJson(`[${digits},{}]`), selected, new Map())).toBe(`[${digits},{"n":null}]`);
    expect(outputText(parseJson(`[${digits}]`), null, new Map())).toBe(`[${digits}]`);
  });

  it("The encoded result of an action assigns related rows to objects in order", () => {
    const line: OutputObject = { place: 1, members: [{ kind: "read", key: "product" }] };
    const order: OutputObject = {
      place: 0,
      members: [
        { kind: "read", key: "customer" },
        { kind: "member", key: "lines", name: "lines", object: line },
      ],
    };
    const answer = [{ lines: [{ a: 1 }, { a: 2 }] }, null, { lines: null }, { lines: [{ a: 3 }] }];
    const objects = objectsOfPlaces(answer, order);
    const beside = new Map<number, readonly unknown[]>([
      [0, (objects.get(0) ?? []).map((_, i) => ({ customer: `c${i}` }))],
      [1, (objects.get(1) ?? []).map((found) => ({ product: stringifyJson(found) }))],
    ]);
    expect(JSON.parse(outputText(answer, order, beside))).toEqual([
      { customer: "c0", lines: [{ product: '{"a":1}' }, { product: '{"a":2}' }] },
      null,
      { customer: "c1", lines: null },
      { customer: "c2", lines: [{ product: '{"a":3}' }] },
    ]);
  });
});
