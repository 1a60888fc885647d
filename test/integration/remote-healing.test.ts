/** Unreachable remote servers: they delay neither a start nor a change, and recover automatically. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RemoteGraphql, startRemoteGraphql } from "../support/remote-graphql.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

const sdl = "type Query { hello: String }";
const options = { root: { hello: "world" } };
let remote: RemoteGraphql;
let first: TestServer;
let second: TestServer;

beforeAll(async () => {
  remote = await startRemoteGraphql(sdl, 0, options);
  first = await startTestServer();
  const url = `http://127.0.0.1:${remote.port}/graphql`;
  await first.metadata("add_remote_schema", { name: "greeter", definition: { url, timeout_seconds: 2 } });
});

afterAll(async () => {
  await second?.stop();
  await first?.close();
  await remote?.close();
});

const ask = async (engine: TestServer) => (await engine.post("/v1/graphql", { query: "{ hello }" })).json;

async function until(holds: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 15_000;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error("it did not come to be in time");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe("Unreachable remote servers", () => {
  it("An unreachable remote server keeps its fields at the next start by its stored schema", async () => {
    expect(await ask(first)).toEqual({ data: { hello: "world" } });
    const { port } = remote;
    await remote.close();
    await first.stop();
    second = await startTestServer({
      on: first,
      environment: { ENGINE_GRAPHQL_REMOTE_SCHEMA_HEALING_INTERVAL: "100" },
    });
    const inconsistent = async () => JSON.stringify(await second.metadata("get_inconsistent_metadata", {}));
    expect(await inconsistent()).toContain("stale remote schema introspection");
    const logged = second.log.map((line) => JSON.parse(line)).filter(({ type }) => type === "stored-introspection");
    expect(logged).toMatchObject([{ level: "warn", detail: { info: { remote_schema: "greeter" } } }]);
    expect(await ask(second)).toMatchObject({
      errors: [
        {
          message: `HTTP exception occurred while sending the request to "http://127.0.0.1:${port}/graphql"`,
          extensions: { code: "remote-schema-error", internal: { type: "http_exception" } },
        },
      ],
    });
    expect(await second.graphql("{ __typename }")).toEqual({ data: { __typename: "query_root" } });
    remote = await startRemoteGraphql("type Query { hello: String again: Int }", port, options);
    await until(async () => !(await inconsistent()).includes("stale"));
    // The server also serves fields that the remote schema gained during the outage.
    await until(async () => (await second.post("/v1/graphql", { query: "{ again }" })).json.data?.again === null);
  });
});
