/** Each generation has its own plans: a draft does not evict plans of the served generation. */
import { expect, it } from "vitest";
import { compileAnalysis } from "../../../runtime/control/compile-analysis.ts";
import { GenerationBuilder } from "../../../runtime/control/generation-builder.ts";
import type { DatabaseSource } from "../../../runtime/databases/sources/source.ts";
import type { Generation } from "../../../runtime/execute/generation.ts";
import { graphqlService } from "../../../runtime/execute/services.ts";
import { LiveQueries } from "../../../runtime/execute/subscribe/live-queries.ts";
import { uninterrupted } from "../../../runtime/ports/continuity.ts";
import { AdmittedSession } from "../../../runtime/values/admitted-session.ts";
import { execution, polling } from "../../support/compiled.ts";
import { analysisOf } from "../analyze/sample.ts";

const session = { role: "reader", variables: new Map<string, string>(), backendOnly: false };
const query = "{ author { id } }";

const database = { name: "default", query: async () => [["[]"]] } as unknown as DatabaseSource;
const builder = new GenerationBuilder({
  sources: { database: () => database },
  planCacheSize: 10,
  relayCipher: null,
  guard: { allowList: null, unauthorized: null },
});

function generationWith(columns: readonly string[]): Generation {
  const select_permissions = [{ role: "reader", permission: { columns, filter: {} } }];
  const analysis = analysisOf({ tables: [{ table: "author", select_permissions }] });
  const compiled = compileAnalysis({ analysis, planning: execution });
  return builder.build({ ...compiled, catalog: analysis.catalog, resourceVersion: 1 });
}

async function execute(generation: Generation, text = query): Promise<void> {
  const live = new LiveQueries({ settings: { live: polling, stream: polling }, continuity: uninterrupted });
  const service = graphqlService(() => generation, execution, live);
  await service.execute({ query: text, operationName: null, variables: null }, new AdmittedSession(session));
}

/** Returns true if the plan of the query is cached. */
function isPlanned(generation: Generation): boolean {
  const { plans } = generation;
  return (
    plans.plan(plans.find(generation.schemaOf(session), { query, operationName: null }, execution), {}) !== undefined
  );
}

/** Runs more other operations than a cache holds. */
async function executeMany(generation: Generation): Promise<void> {
  for (let i = 0; i < 20; i++) await execute(generation, `query Q${i} ${query}`);
}

it("A draft generation and its requests do not evict plans of the served generation", async () => {
  const served = generationWith(["id", "name"]);
  await execute(served);
  const draft = generationWith(["id"]);
  expect([served, draft].map(isPlanned)).toEqual([true, false]);
  await executeMany(draft);
  expect(isPlanned(served)).toBe(true);
});

it("A generation keeps no more plans than its limit", async () => {
  const served = generationWith(["id"]);
  await execute(served);
  await executeMany(served);
  expect(isPlanned(served)).toBe(false);
});
