/** Responses of frequently used plans, parsed by their usual form with the same result as by the scanner. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { remoteValues, usualValue } from "../../../../runtime/execute/remote/remote-values.ts";
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

/** Returns a plan that is used so often that its responses are parsed by their form. */
function usedPlan(...fields: readonly RemoteField[]): RemotePlan {
  const plan = planOf(...fields);
  for (let use = 0; use < 3; use++) usualValue(plan, "");
  return plan;
}

const hasForm = (text: string, plan: RemotePlan): boolean => usualValue(plan, text) !== undefined;

const order = { id: 1, tags: [["a", '"\\\u00e9'], [], null], to: { city: "Rome", extra: true } };
const responseOf = (...orders: readonly unknown[]): string => JSON.stringify({ data: { orders } });

describe("Remote responses of the usual form", () => {
  const plan = usedPlan(selected);

  it.each([
    responseOf(),
    responseOf(order),
    responseOf(order, null, { ...order, to: null, tags: null }),
    responseOf({ ...order, tags: [] }, { ...order, id: -1.5e-9 }),
    '{"data":{"orders":null}}',
  ])("A remote response of the usual form is passed on unchanged: %s", (text) => {
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
    responseOf({ ...order, to: { city: { of: 1 }, extra: {} } }),
    responseOf(order).replace('"id":1', '"id":01'),
    responseOf(order).replace("}]", "},]"),
    responseOf(order).replace('"Rome"', '"Ro\nme"'),
    responseOf(order, order).replace("},{", "}{"),
    responseOf(order).slice(0, -3),
  ])("A remote response of another form is scanned: %s", (text) => {
    expect(hasForm(text, plan)).toBe(false);
    expect(outcome(text, plan)).toEqual(outcome(text, planOf(selected)));
  });

  it("A remote response of the usual form is always well-formed JSON, even after random damage", () => {
    const city = fc.oneof(fc.string(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constant(null));
    const tags = fc.array(fc.array(city, { maxLength: 2 }), { maxLength: 2 });
    const orders = fc.array(fc.record({ id: fc.integer(), tags, to: fc.record({ city, extra: city }) }), {
      maxLength: 3,
    });
    const edit = fc.tuple(fc.nat(), fc.constantFrom(...'{}[]:,"\\0-e.n \n'.split(""), ""), fc.boolean());
    fc.assert(
      fc.property(orders, fc.array(edit, { maxLength: 2 }), (given, edits) => {
        let text = responseOf(...given);
        for (const [at, piece, isReplaced] of edits) {
          const place = at % (text.length + 1);
          text = text.slice(0, place) + piece + text.slice(place + (isReplaced ? 1 : 0));
        }
        expect(outcome(text, plan)).toEqual(outcome(text, planOf(selected)));
      }),
      { numRuns: 3000 },
    );
  });

  it("The usual form is known for frequently used plans with one narrow field and the same selection for every object", () => {
    const known = (field: RemoteField, ...others: readonly RemoteField[]) =>
      hasForm(`{"data":{"${field.key}":null}}`, usedPlan(field, ...others));
    expect(known(selected)).toBe(true);
    expect(hasForm(responseOf(), planOf(selected))).toBe(false);
    expect(known(selected, leaf("b"))).toBe(false);
    const some = { ...selected, selection: [{ kind: "fragment", type: "Order", selection: [leaf("id")] }] } as const;
    expect(known(some)).toBe(false);
    const wide = (fields: number) => composite("a", 0, ...Array.from({ length: fields }, (_, i) => leaf(`f${i}`)));
    expect([50, 500].map((fields) => known(wide(fields)))).toEqual([true, false]);
    const deep = (levels: number): RemoteField => (levels === 0 ? leaf("a") : composite("a", 3, deep(levels - 1)));
    expect([20, 200].map((levels) => known(deep(levels)))).toEqual([true, false]);
  });

  it("Matching a remote response takes no longer if its end is damaged", () => {
    const text = responseOf(...Array(150).fill(order));
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
