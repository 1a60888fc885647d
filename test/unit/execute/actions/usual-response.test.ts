/** Handler responses passed through as text, compared with validation and encoding of parsed responses. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { outputText } from "../../../../runtime/execute/actions/output-text.ts";
import { handlerResponseForm, isUsualResponse } from "../../../../runtime/execute/actions/usual-response.ts";
import { responseFault } from "../../../../runtime/execute/actions/validate-response.ts";
import type { ResultField, ResultType } from "../../../../runtime/model/definitions/actions/result-type.ts";
import type { OutputMember, OutputObject } from "../../../../runtime/model/planner/action-plan.ts";
import { expressionOf } from "../../../../runtime/values/json/canonical-form.ts";
import { parseJson } from "../../../../runtime/values/json/parse.ts";

const name = fc.constantFrom("id", "name", "at", "toString", "note");

/** Mostly selections that can be passed through. Some have aliases and constants, which prevent that. */
const { output } = fc.letrec<{ output: OutputObject }>((tie) => ({
  output: fc
    .uniqueArray(
      fc.oneof(
        { maxDepth: 2, depthIdentifier: "output" },
        { weight: 8, arbitrary: name.map((own): OutputMember => ({ kind: "member", key: own, name: own })) },
        {
          weight: 3,
          arbitrary: fc
            .tuple(name, tie("output"))
            .map(([own, object]): OutputMember => ({ kind: "member", key: own, name: own, object })),
        },
        { weight: 1, arbitrary: name.map((key): OutputMember => ({ kind: "member", key, name: "id" })) },
        { weight: 1, arbitrary: name.map((key): OutputMember => ({ kind: "constant", key, value: "Order" })) },
      ),
      { selector: ({ key }) => key, minLength: 1, maxLength: 3 },
    )
    .map((members) => ({ members })),
}));

/** Types of the output's selection: each object of it has a separate type. */
function resultFor(output: OutputObject): fc.Arbitrary<ResultType> {
  const wraps = fc.array(fc.constantFrom("T", "T!", "T", "[T]", "[T!]!"), { minLength: 8, maxLength: 8 });
  return fc
    .record({ type: fc.constantFrom("T0", "T0!", "[T0]", "[T0!]!", "[[T0]!]!"), wraps })
    .map(({ type, wraps }) => {
      const objects = new Map<string, ResultField[]>();
      const add = (object: OutputObject): string => {
        const own = `T${objects.size}`;
        const fields: ResultField[] = [];
        objects.set(own, fields);
        object.members.forEach((member, i) => {
          if (member.kind !== "member") return;
          const base = member.object ? add(member.object) : "String";
          const wrap = wraps[(objects.size + i) % wraps.length] ?? "T";
          fields.push({ name: member.name, type: wrap.replace("T", base) });
        });
        return own;
      };
      add(output);
      return { type, name: "T0", objects, enums: new Set<string>() };
    });
}

/** Spellings of values: as in responses, equivalent ones, and invalid ones. */
const scalar = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.constantFrom("null", "true", "0", "-1", "12.5", "0.00001", '"a b"', '"\u00e9 \u{1f600}"'),
  },
  { weight: 2, arbitrary: fc.constantFrom('"a \\"b\\" \\n"', "123456789012345", "-0.5", "{}", "[1]") },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      ...["-0", "1.0", "1e3", "1.50", "0.0000001", "12345678901234567890", "0.1234567890123456789", "01", ".5", "1."],
      ...['"\\/"', '"\\u0041"', '"\\u00e9"', '"\\ud800"', '"\n"', '"\\x"', '"', "nul", '{"__proto__":1}', ""],
    ),
  },
  { weight: 1, arbitrary: fc.double().map(String) },
  { weight: 1, arbitrary: fc.string().map((text) => JSON.stringify(text)) },
);

function textFor({ members }: OutputObject): fc.Arbitrary<string> {
  const texts = members.map((member) => {
    const value =
      member.kind === "member" && member.object ? fc.oneof(listsOf(textFor(member.object)), scalar) : scalar;
    return value.map((text) => `${JSON.stringify(member.key)}:${text}`);
  });
  const usual = fc.tuple(...texts).map((parts) => `{${parts.join(",")}}`);
  const odd = fc.tuple(fc.shuffledSubarray(texts.map((_, i) => i)), fc.tuple(...texts)).map(([order, parts]) => {
    return `{ ${order.map((i) => parts[i]).join(", ")}, "more": 1 }`;
  });
  return fc.oneof({ weight: 9, arbitrary: usual }, { weight: 1, arbitrary: odd });
}

const listsOf = (item: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof(item, fc.array(fc.oneof({ weight: 9, arbitrary: item }, fc.constant("null")), { maxLength: 3 }).map(list));
const list = (items: readonly string[]): string => `[${items.join(",")}]`;

const cases = output
  .chain((own) => fc.tuple(fc.constant(own), resultFor(own)))
  .chain(([own, type]) => {
    const texts = fc.oneof(textFor(own), listsOf(textFor(own)), listsOf(listsOf(textFor(own))));
    return fc.tuple(fc.constant({ output: own, reads: [], call: { result: type } }), texts);
  });

describe("Action responses passed through", () => {
  it("A passed-through action response equals the response after validation and encoding", () => {
    let passedOn = 0;
    fc.assert(
      fc.property(cases, ([plan, text]) => {
        if (!expressionOf(handlerResponseForm(plan))?.test(text)) return;
        passedOn++;
        const value = parseJson(text);
        expect(responseFault(value, plan.call.result)).toBeUndefined();
        expect(outputText(value, plan.output, new Map())).toBe(text);
      }),
      { numRuns: 10_000 },
    );
    expect(passedOn).toBeGreaterThan(200);
  });

  const member = (own: string, object?: OutputObject): OutputMember => ({
    ...{ kind: "member", key: own, name: own },
    ...(object && { object }),
  });
  const order: OutputObject = {
    members: [member("id"), member("note"), member("to", { members: [member("city")] })],
  };
  const objects = new Map([
    [
      "Order",
      [
        { name: "id", type: "Float!" },
        { name: "note", type: "String" },
        { name: "to", type: "Address!" },
      ],
    ],
    ["Address", [{ name: "city", type: "String" }]],
  ]);
  const type: ResultType = { type: "[Order!]!", name: "Order", objects, enums: new Set() };
  const plan = { output: order, reads: [], call: { result: type } };
  const usual = '[{"id":1,"note":null,"to":{"city":"Rome"}},{"id":2.5,"note":"\\"x\\"","to":{"city":null}}]';

  it("An action response is recognized as usual once its plan is used often", () => {
    expect([1, 2, 3, 4].map(() => isUsualResponse(usual, plan))).toEqual([false, false, true, true]);
    expect(isUsualResponse("[]", plan)).toBe(true);
    expect(isUsualResponse(`${usual} `, plan)).toBe(false);
    expect(isUsualResponse(`[${'{"id":1,"note":null,"to":{"city":"Rome"}},'.repeat(500)}`, plan)).toBe(false);
  });

  it.each([
    ["a member that is never null is null", { output: order, call: { result: type } }, usual.replace("1", "null")],
    ["an item that is never null is null", { output: order, call: { result: type } }, "[null]"],
    ["the value is null", { output: order, call: { result: type } }, "null"],
    ["a list is an object", { output: order, call: { result: type } }, '{"id":1,"note":null,"to":{"city":"Rome"}}'],
  ])("An action response is not passed through if %s", (_, given, text) => {
    expect(expressionOf(handlerResponseForm({ ...given, reads: [] }))?.test(text)).toBe(false);
  });

  it.each([
    ["a required member is not selected", { ...plan, output: { members: [member("id")] } }],
    ["a key has another name", { ...plan, output: { members: [{ kind: "member", key: "a", name: "id" } as const] } }],
    ["another field is read", { ...plan, output: { ...order, place: 0 } }],
    ["the result is a scalar", { ...plan, output: null }],
  ])("A plan has no pattern of usual responses if %s", (_, given) => {
    expect(handlerResponseForm(given)).toBeUndefined();
  });
});
