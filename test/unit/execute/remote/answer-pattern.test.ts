/** Answers of plans that are used often: read by their usual form, with the same outcome as any other way. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { patternOf } from "../../../../runtime/execute/remote/answer-pattern.ts";
import { remoteValues } from "../../../../runtime/execute/remote/remote-values.ts";
import type { RemoteField, RemotePlan } from "../../../../runtime/model/planner/request/remote/remote-request.ts";
import { EngineError } from "../../../../runtime/values/errors.ts";

const leaf = (key: string, lists = 0): RemoteField => ({
  kind: "field",
  ...{ key, name: key, args: [], selection: null, lists },
});
const composite = (key: string, lists: number, ...selection: readonly RemoteField[]): RemoteField => ({
  ...leaf(key, lists),
  selection,
});

const selected = composite("orders", 1, leaf("id"), leaf("tags", 2), composite("to", 0, leaf("city"), leaf("extra")));

const planOf = (...fields: readonly RemoteField[]): RemotePlan =>
  ({ fields: fields.map((field) => ({ key: field.key, selected: field })) }) as never;

function outcome(text: string, plan: RemotePlan): unknown {
  try {
    return remoteValues(text, plan, false);
  } catch (error) {
    if (error instanceof EngineError) return [error.message, error.graphqlErrors];
    throw error;
  }
}

/** Used so often that its answers are read by their form. */
function usedPlan(...fields: readonly RemoteField[]): RemotePlan {
  const plan = planOf(...fields);
  for (let use = 0; use < 3; use++) patternOf(plan);
  return plan;
}

const hasForm = (text: string, plan: RemotePlan): boolean => patternOf(plan)?.expression.test(text) ?? false;

const order = { id: 1, tags: [["a", '"\\\u00e9'], [], null], to: { city: "Rome", extra: true } };
const answerOf = (...orders: readonly unknown[]): string => JSON.stringify({ data: { orders } });

describe("an answer of the usual form", () => {
  const plan = usedPlan(selected);

  it.each([
    answerOf(),
    answerOf(order),
    answerOf(order, null, { ...order, to: null, tags: null }),
    answerOf({ ...order, tags: [] }, { ...order, id: -1.5e-9 }),
    '{"data":{"orders":null}}',
  ])("%s is given as it is", (text) => {
    expect(hasForm(text, plan)).toBe(true);
    expect(outcome(text, plan)).toEqual(outcome(text, planOf(selected)));
    expect(outcome(text, plan)).toEqual(new Map([["orders", JSON.stringify(JSON.parse(text).data.orders)]]));
  });

  it.each([
    '{"data":{"orders":[{"id":1}]}}',
    '{"data": {"orders":[]}}',
    '{"data":{"orders":[]},"errors":[{"message":"no"}]}',
    '{"data":{"orders":[]}} ',
    '{"data":{"orders":[],"more":1}}',
    answerOf({ ...order, to: { city: { of: 1 }, extra: {} } }),
    answerOf(order).replace('"id":1', '"id":01'),
    answerOf(order).replace("}]", "},]"),
    answerOf(order).replace('"Rome"', '"Ro\nme"'),
    answerOf(order, order).replace("},{", "}{"),
    answerOf(order).slice(0, -3),
  ])("is not %s, which is looked through", (text) => {
    expect(hasForm(text, plan)).toBe(false);
    expect(outcome(text, plan)).toEqual(outcome(text, planOf(selected)));
  });

  it("is nothing but well-formed JSON, whatever is broken", () => {
    const city = fc.oneof(fc.string(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constant(null));
    const tags = fc.array(fc.array(city, { maxLength: 2 }), { maxLength: 2 });
    const orders = fc.array(fc.record({ id: fc.integer(), tags, to: fc.record({ city, extra: city }) }), {
      maxLength: 3,
    });
    const edit = fc.tuple(fc.nat(), fc.constantFrom(...'{}[]:,"\\0-e.n \n'.split(""), ""), fc.boolean());
    fc.assert(
      fc.property(orders, fc.array(edit, { maxLength: 2 }), (given, edits) => {
        let text = answerOf(...given);
        for (const [at, piece, isReplaced] of edits) {
          const place = at % (text.length + 1);
          text = text.slice(0, place) + piece + text.slice(place + (isReplaced ? 1 : 0));
        }
        expect(outcome(text, plan)).toEqual(outcome(text, planOf(selected)));
      }),
      { numRuns: 3000 },
    );
  });

  it("is known of plans that are used often, have one field, and select the same of every object", () => {
    expect(patternOf(planOf(selected))).toBeUndefined();
    expect(patternOf(usedPlan(leaf("a"), leaf("b")))).toBeUndefined();
    const some = { ...selected, selection: [{ kind: "fragment", type: "Order", selection: [leaf("id")] }] } as const;
    expect(patternOf(usedPlan(some))).toBeUndefined();
    const wide = Array.from({ length: 500 }, (_, i) => leaf(`f${i}`));
    expect(patternOf(usedPlan(composite("a", 0, ...wide)))).toBeUndefined();
    let deep = leaf("a");
    for (let level = 0; level < 200; level++) deep = composite("a", 3, deep);
    expect(patternOf(usedPlan(deep))).toBeUndefined();
  });

  it("takes no longer where it is broken at its end", () => {
    const text = answerOf(...Array(150).fill(order));
    const time = (given: string): number => {
      const begin = performance.now();
      for (let i = 0; i < 50; i++) hasForm(given, plan);
      return performance.now() - begin;
    };
    time(text);
    const whole = Math.min(...[1, 2, 3, 4, 5].map(() => time(text)));
    for (const broken of [text.slice(0, -2), `${text.slice(0, -8)}"`, text.replace(/true\}\}\]\}\}$/, '"aaa')]) {
      expect(Math.min(...[1, 2, 3, 4, 5].map(() => time(broken)))).toBeLessThan(whole * 20 + 20);
    }
  });
});
