/** A traversal of a whole schema leaves none of its modules loaded. */
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
import { decoded } from "../../../runtime/values/response-text.ts";
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

/** Returns the table object declared by the modules of a schema. */
function tableOf(schema: RoleSchema): object {
  const meta = schema.query.fields().get("author")?.meta;
  if (meta?.kind !== "root" || !("view" in meta.root)) throw new Error("the role reads the table");
  return meta.root.view().table;
}

it("A schema traversal releases its modules afterwards", async () => {
  const schema = generation().schemaOf(session);
  const cached = tableOf(schema);
  const walked = new WeakRef(tableOf(schema.transient()));
  expect(walked.deref()).not.toBe(cached);
  // A collection that is in progress may keep objects that were alive when it began.
  const isReleased = () => {
    collectGarbage();
    return walked.deref() === undefined;
  };
  await expect.poll(isReleased).toBe(true);
});

it("Introspection lists the role's fields", async () => {
  const served = generation();
  const live = new LiveQueries({ settings: { live: polling, stream: polling }, continuity: uninterrupted });
  const service = graphqlService(() => served, execution, live);
  const request = { query: getIntrospectionQuery(), operationName: null, variables: null };
  const response = JSON.parse(await decoded(await service.execute(request, new AdmittedSession(session)))) as {
    readonly __schema: { readonly types: readonly { readonly name: string; readonly fields: readonly object[] }[] };
  };
  const author = response.__schema.types.find(({ name }) => name === "author");
  expect(author?.fields).toMatchObject([{ name: "id" }, { name: "name" }]);
});
