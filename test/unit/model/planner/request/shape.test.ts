import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PlanCache } from "../../../../../runtime/execute/plan-cache.ts";
import { planQuery } from "../../../../../runtime/model/planner/plan.ts";
import { readOperation } from "../../../../../runtime/model/planner/request/document.ts";
import { shapeOf } from "../../../../../runtime/model/planner/request/shape.ts";
import { addUse, rawUse, type VariableUse } from "../../../../../runtime/model/planner/request/variable-uses.ts";
import { roleSchema } from "../../../../../runtime/model/schema/role-schema.ts";
import { EngineError } from "../../../../../runtime/values/errors.ts";
import { sampleRole } from "../../../../support/sample-role.ts";

const schema = roleSchema(sampleRole);
const options = { stringifyNumbers: false, nullCollapse: false };

const query = `query ($where: book_bool_exp, $order: [book_order_by!], $limit: Int, $offset: Int,
    $columns: [book_select_column!], $with: Boolean!, $id: Int) {
  book(where: $where, order_by: $order, limit: $limit, offset: $offset) { id title @include(if: $with) }
  author @skip(if: $with) { books(where: {id: {_eq: $id}}) { id } }
  book_aggregate { aggregate { count(columns: $columns) } }
}`;
const text = { query, operationName: null };
const operation = readOperation(query, null);

const { filter } = fc.letrec((tie) => ({
  comparison: fc.record(
    { _eq: fc.option(fc.integer()), _in: fc.array(fc.integer()), _is_null: fc.boolean(), _bad: fc.integer() },
    { requiredKeys: [] },
  ),
  filter: fc.oneof({ maxDepth: 2, depthSize: "small" }, fc.constant({}), tie("members")),
  members: fc.record(
    {
      _and: fc.oneof(fc.array(tie("filter"), { maxLength: 2 }), tie("filter")),
      _or: fc.array(tie("filter"), { maxLength: 2 }),
      _not: fc.option(tie("filter")),
      id: fc.option(tie("comparison"), { freq: 9 }),
      author: fc.record({ name: fc.record({ _like: fc.string() }) }, { requiredKeys: [] }),
    },
    { requiredKeys: [] },
  ),
}));
const direction = fc.constantFrom("asc", "desc", "asc_nulls_first", "no_such_direction");
const order = fc.oneof(
  fc.array(fc.record({ id: direction, author: fc.record({ name: direction }) }, { requiredKeys: [] }), {
    maxLength: 2,
  }),
  fc.record({ title: direction }),
);
const variables = fc.record(
  {
    where: fc.option(filter),
    order: fc.option(order),
    limit: fc.option(fc.nat(100)),
    offset: fc.oneof(fc.nat(5), fc.constant("3")),
    columns: fc.array(fc.constantFrom("id", "title", "nope"), { maxLength: 2 }),
    with: fc.boolean(),
    id: fc.option(fc.integer()),
  },
  { requiredKeys: ["with"] },
);

/** Returns the statements of a request as text, or `refused` if it is invalid. */
function textsOf(values: Record<string, unknown>): string {
  try {
    return JSON.stringify(planQuery(operation, schema, values, options).plan.statements.map(({ text }) => text));
  } catch (error) {
    if (error instanceof EngineError) return "refused";
    throw error;
  }
}

const cached = (cache: PlanCache, values: Record<string, unknown>): string => {
  try {
    const found = cache.find(schema, text, options);
    const known = cache.plan(found, values);
    const { plan } = known ?? cache.add(found, values, planQuery(found.cached.operation, schema, values, options));
    return JSON.stringify(plan.statements.map(({ text }) => text));
  } catch (error) {
    if (error instanceof EngineError) return "refused";
    throw error;
  }
};

describe("The shape of variables", () => {
  it("Variables of equal shapes produce equal statement text", () => {
    fc.assert(
      fc.property(variables, variables, (a, b) => {
        const { uses } = planFor(a, b);
        const shape = (v: Record<string, unknown>) => shapeOf(v, uses, operation.conditions);
        fc.pre(shape(a) === shape(b));
        expect(textsOf(a)).toBe(textsOf(b));
      }),
      { numRuns: 200, maxSkipsPerRun: 1000 },
    );
  });

  it("A plan cache returns the same statements as new planning, for any earlier requests", () => {
    fc.assert(
      fc.property(fc.array(variables, { minLength: 2, maxLength: 12 }), (requests) => {
        const cache = new PlanCache(100);
        for (const values of requests) expect(cached(cache, values)).toBe(textsOf(values));
      }),
      { numRuns: 100 },
    );
  });

  it("Requests that differ only in scalar values share a plan", () => {
    const cache = new PlanCache(100);
    let planned = 0;
    const ask = (values: Record<string, unknown>) => {
      const found = cache.find(schema, text, options);
      if (cache.plan(found, values)) return;
      planned++;
      cache.add(found, values, planQuery(found.cached.operation, schema, values, options));
    };
    ask({ with: true, limit: 1, where: { id: { _in: [1, 2, 3] } } });
    ask({ with: true, limit: 9, where: { id: { _in: [] } } });
    expect(planned).toBe(1);
    ask({ with: true, where: { id: { _in: [] } } });
    expect(planned).toBe(2);
  });

  it("A value that is passed on unchanged has the same shape for any structure", () => {
    const uses = new Map<string, VariableUse[]>();
    addUse(uses, "value", rawUse);
    const shapes = [{ a: [1] }, { b: { c: null } }, [1, 2], "x", 5].map((value) => shapeOf({ value }, uses, new Set()));
    expect(new Set(shapes).size).toBe(1);
    expect(shapeOf({ value: null }, uses, new Set())).not.toBe(shapes[0]);
  });

  it("The plan cache distinguishes schemas", () => {
    const cache = new PlanCache(100);
    expect(cache.operation(schema, text, options)).toBe(cache.operation(schema, text, options));
    expect(cache.operation(schema, text, options)).not.toBe(cache.operation(roleSchema(sampleRole), text, options));
    const named = { query: "query b { author { id } }", operationName: "b" };
    expect(cache.operation(schema, { ...named, operationName: null }, options)).not.toBe(
      cache.operation(schema, named, options),
    );
  });

  it("The plan cache distinguishes options by their values", () => {
    const cache = new PlanCache(100);
    const known = cache.operation(schema, text, options);
    expect(cache.operation(schema, text, { ...options, holdStreamsBack: false })).toBe(known);
    for (const name of ["stringifyNumbers", "nullCollapse", "holdStreamsBack"]) {
      expect(cache.operation(schema, text, { ...options, [name]: true })).not.toBe(known);
    }
  });
});

/** Returns the variable uses of both requests, as a cache records them after both. */
function planFor(...requests: Record<string, unknown>[]) {
  const uses = new Map<string, VariableUse[]>();
  for (const values of requests) {
    try {
      for (const [name, places] of planQuery(operation, schema, values, options).uses) {
        for (const use of places) addUse(uses, name, use);
      }
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
    }
  }
  return { uses };
}
