/** A cached plan sends the same writes as a new plan, for another request of the same shape. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { PlanCache } from "../../../../../runtime/execute/plan-cache.ts";
import { bind } from "../../../../../runtime/model/definitions/parameters.ts";
import type { WritePlan } from "../../../../../runtime/model/planner/mutate/plan.ts";
import { planMutation } from "../../../../../runtime/model/planner/plan-mutation.ts";
import { readOperation } from "../../../../../runtime/model/planner/request/document.ts";
import { roleSchema } from "../../../../../runtime/model/schema/role-schema.ts";
import { sampleWriter } from "../../../../support/sample-writer.ts";

const schema = roleSchema(sampleWriter);
const options = { stringifyNumbers: false, nullCollapse: false };
const query = "mutation ($objects: [author_insert_input!]!) { insert_author(objects: $objects) { affected_rows } }";
const operation = readOperation(query, null);
const session = new Map([["x-engine-branch-id", "7"]]);

// Few kinds of rows, because only recurring shapes use the cache.
const name = fc.string({ maxLength: 3 });
const books = fc.constantFrom(
  null,
  { data: [] },
  { data: [{ title: "a" }] },
  { data: [{ title: "b" }, { title: "c" }] },
);
const author = fc.oneof(fc.record({ name }), fc.record({ name, books }));
const request = fc.record({ objects: fc.array(author, { maxLength: 4 }) });

/** Results of an earlier step: a number of rows, and their keys. */
const given = ["100", `{${Array.from({ length: 100 }, (_, i) => i).join(",")}}`];

/** Returns the statements with their values, and the number of rows that later statements need. */
function writesOf(writes: readonly WritePlan[], variables: Record<string, unknown>): unknown {
  const steps = writes.flatMap((write) => write.steps);
  const results = steps.map(() => given);
  return steps.map(({ text, slots, expects }) => {
    return { text, values: bind(slots, { variables, session, results }), rows: expects?.rows };
  });
}

it("A cached mutation plan writes the same as a new plan, for any earlier requests", () => {
  fc.assert(
    fc.property(fc.array(request, { minLength: 10, maxLength: 30 }), (requests) => {
      const cache = new PlanCache(100);
      for (const variables of requests) {
        const anew = planMutation(operation, schema, variables, options);
        const found = cache.find(schema, { query, operationName: null }, options);
        const { plan } = cache.plan(found, variables) ?? cache.add(found, variables, anew);
        expect(writesOf(plan.writes, variables)).toEqual(writesOf(anew.plan.writes, variables));
      }
    }),
    { numRuns: 300 },
  );
});
