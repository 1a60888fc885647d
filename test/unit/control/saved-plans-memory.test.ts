/** Sessions may name unknown roles: their saved operations leave no data behind. */
import { expect, it } from "vitest";
import { analyze } from "../../../compiler/2-analyze/analyze.ts";
import { emptyCatalog } from "../../../compiler/catalog/catalog.ts";
import { readMetadataDocument } from "../../../compiler/catalog/upgrade.ts";
import { compileAnalysis } from "../../../runtime/control/compile-analysis.ts";
import { GenerationBuilder } from "../../../runtime/control/generation-builder.ts";
import { analysisOptions } from "../../support/analysis-options.ts";
import { collectGarbage } from "../../support/collect-garbage.ts";
import { must } from "../../support/compiled.ts";

it("Roles without permissions take no memory for saved plans", { timeout: 60_000 }, () => {
  const text = "query Q { no_queries_available }";
  const query_collections = [{ name: "saved", definition: { queries: [{ name: "q", query: text }] } }];
  const catalog = must(readMetadataDocument({ version: 3, sources: [], query_collections }, emptyCatalog));
  const options = { ...analysisOptions, remoteSchemaPermissions: false };
  const builder = new GenerationBuilder({
    sources: {
      database: () => {
        throw new Error("there are no sources");
      },
    },
    planCacheSize: 10,
    guard: { allowList: null, unauthorized: null },
    relayCipher: null,
  });
  const analysis = must(analyze({ catalog, introspections: new Map(), options }));
  const planning = { stringifyNumbers: false, nullCollapse: false };
  const generation = builder.build({ catalog, ...compileAnalysis({ analysis, planning }), resourceVersion: 1 });
  const lookUp = (from: number, count: number): void => {
    for (let i = from; i < from + count; i++) {
      if (generation.savedOperation({ role: `role ${i}`, backendOnly: false }, text))
        expect.fail(`role ${i} has plans`);
    }
  };
  lookUp(0, 1000);
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  lookUp(1000, 100_000);
  collectGarbage();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(5_000_000);
});
