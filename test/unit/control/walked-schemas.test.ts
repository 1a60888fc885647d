/** What walks a whole schema once leaves none of its modules behind. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { getIntrospectionQuery } from "graphql";
import { expect, it } from "vitest";
import { compileAnalysis } from "../../../runtime/control/compile-analysis.ts";
import { GenerationBuilder } from "../../../runtime/control/generation-builder.ts";
import type { DatabaseSource } from "../../../runtime/databases/sources/source.ts";
import { graphqlService } from "../../../runtime/execute/services.ts";
import { LiveQueries } from "../../../runtime/execute/subscribe/live-queries.ts";
import type { RoleSchema } from "../../../runtime/model/schema/role-schema.ts";
import { uninterrupted } from "../../../runtime/ports/continuity.ts";
import { AdmittedSession } from "../../../runtime/values/admitted-session.ts";
import { collectGarbage } from "../../support/collect-garbage.ts";
import { execution, polling } from "../../support/compiled.ts";
import { analysisOf } from "../analyze/sample.ts";

const session = { role: "reader", variables: new Map<string, string>(), backendOnly: false };
const select_permissions = [{ role: "reader", permission: { columns: ["id", "name"], filter: {} } }];
const analysis = analysisOf({ tables: [{ table: "author", select_permissions }] });

function generation() {
  const database = { name: "default" } as unknown as DatabaseSource;
  const builder = new GenerationBuilder({
    sources: { database: () => database },
    planCacheSize: 10,
    relayCipher: null,
    guard: { allowList: null, unauthorized: null },
  });
  const compiled = compileAnalysis({ analysis, planning: execution });
  return builder.build({ ...compiled, catalog: analysis.catalog, resourceVersion: 1 });
}

/** The table as the modules of a schema declare it. */
function tableOf(schema: RoleSchema): object {
  const meta = schema.query.fields().get("author")?.meta;
  if (meta?.kind !== "root" || !("view" in meta.root)) throw new Error("the role reads the table");
  return meta.root.view().table;
}

it("has modules of its own, which go with it", async () => {
  const schema = generation().schemaOf(session);
  const kept = tableOf(schema);
  const walked = new WeakRef(tableOf(schema.unkept()));
  expect(walked.deref()).not.toBe(kept);
  await nextTurn();
  collectGarbage();
  expect(walked.deref()).toBeUndefined();
});

it("answers introspection as the modules that stay would", async () => {
  const served = generation();
  const live = new LiveQueries({ settings: { live: polling, stream: polling }, continuity: uninterrupted });
  const service = graphqlService(() => served, execution, live);
  const request = { query: getIntrospectionQuery(), operationName: null, variables: null };
  const answer = JSON.parse(await service.execute(request, new AdmittedSession(session))) as {
    readonly __schema: { readonly types: readonly { readonly name: string; readonly fields: readonly object[] }[] };
  };
  const author = answer.__schema.types.find(({ name }) => name === "author");
  expect(author?.fields).toMatchObject([{ name: "id" }, { name: "name" }]);
});
