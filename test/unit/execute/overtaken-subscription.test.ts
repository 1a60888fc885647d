import { expect, it } from "vitest";
import { analyze } from "../../../compiler/2-analyze/analyze.ts";
import { emptyCatalog } from "../../../compiler/catalog/model.ts";
import { readMetadataDocument } from "../../../compiler/catalog/upgrade.ts";
import { readShapeFile } from "../../../runtime/cli/compile/shape-file.ts";
import { compileAnalysis } from "../../../runtime/control/compile-analysis.ts";
import { GenerationBuilder } from "../../../runtime/control/generation-builder.ts";
import { graphqlService } from "../../../runtime/execute/execute.ts";
import type { DatabaseSource } from "../../../runtime/sources/source.ts";
import { LiveQueries } from "../../../runtime/subscribe/live-queries.ts";
import { AdmittedSession } from "../../../runtime/support/admitted-session.ts";
import { execution, must, polling } from "../../support/compiled.ts";
import { NotedSink } from "../subscribe/scripted.ts";

const shapeFile = new URL("../../../fixtures/library/shape.json", import.meta.url).pathname;

it("a subscription that the metadata overtakes before it begins is planned by the new metadata", async () => {
  const saved = await readShapeFile(shapeFile);
  if (!("shape" in saved)) throw new Error("the sample library has one source");
  const database = { name: "default", query: async () => [["[]"]] } as unknown as DatabaseSource;
  const builder = new GenerationBuilder({
    sources: { database: () => database },
    planCacheSize: 10,
    relayCipher: null,
    guard: { allowList: null, unauthorized: null },
  });
  const options = {
    environment: { URL: "postgres://unused" },
    experimentalFeatures: new Set<string>(),
    defaultNamingConvention: "engine-default",
    inferFunctionPermissions: true,
    remoteSchemaPermissions: true,
  } as const;
  const generationWith = (columns: readonly string[], resourceVersion: number) => {
    const select_permissions = [{ role: "reader", permission: { columns, filter: {} } }];
    const tables = [{ table: { schema: "public", name: "author" }, select_permissions }];
    const configuration = { connection_info: { database_url: { from_env: "URL" } } };
    const metadata = { version: 3, sources: [{ name: "default", kind: "postgres", configuration, tables }] };
    const catalog = must(readMetadataDocument(metadata, emptyCatalog));
    const introspections = new Map([["default", { shape: saved.shape }]]);
    const analysis = must(analyze({ catalog, introspections, options }));
    return builder.build({ catalog, ...compileAnalysis({ analysis, planning: execution }), resourceVersion });
  };
  let generation = generationWith(["id", "name"], 1);
  const live = new LiveQueries({ settings: { live: polling, stream: polling } });
  const service = graphqlService(() => generation, execution, live);
  const session = { role: "reader", variables: new Map<string, string>(), backendOnly: false };
  const prepare = async () => {
    const request = { query: "subscription { author { name } }", operationName: null, variables: null };
    const prepared = await service.prepare(request, new AdmittedSession(session));
    if (prepared.kind !== "subscription") throw new Error("a subscription is prepared as one");
    return prepared;
  };
  const sink = new NotedSink();
  const { stop } = await (await prepare()).subscribe(sink);
  expect(sink.take()).toEqual(['{"author":[]}']);
  stop();
  const overtaken = await prepare();
  generation = generationWith(["id"], 2);
  await expect(overtaken.subscribe(sink)).rejects.toThrow("field 'name' not found in type: 'author'");
  expect([sink.take(), live.counters.live.activeSubscriptions]).toEqual([[], 0]);
});
