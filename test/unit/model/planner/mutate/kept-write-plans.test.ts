/** A plan that was kept writes for another request of the same shape what one made for it would. */
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

// Few kinds of rows: only where shapes come again there is something to keep.
const name = fc.string({ maxLength: 3 });
const books = fc.constantFrom(
  null,
  { data: [] },
  { data: [{ title: "a" }] },
  { data: [{ title: "b" }, { title: "c" }] },
);
const author = fc.oneof(fc.record({ name }), fc.record({ name, books }));
const request = fc.record({ objects: fc.array(author, { maxLength: 4 }) });

/** As an earlier step gives them: a number of rows, and their keys. */
const given = ["100", `{${Array.from({ length: 100 }, (_, i) => i).join(",")}}`];

/** What the statements write, and how many rows later ones need. */
function writesOf(writes: readonly WritePlan[], variables: Record<string, unknown>): unknown {
  const steps = writes.flatMap((write) => write.steps);
  const results = steps.map(() => given);
  return steps.map(({ text, slots, expects }) => {
    return { text, values: bind(slots, { variables, session, results }), rows: expects?.rows };
  });
}

it("is the same as one that is made anew, whatever came before", () => {
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
