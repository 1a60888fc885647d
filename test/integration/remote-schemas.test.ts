/**
 * Remote schemas in the metadata, with a real remote server: its requests, and the behaviour while it is unreachable.
 */
import { createServer } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RemoteGraphql, startRemoteGraphql } from "../support/remote-graphql.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

const sdl = "type Query { hello(name: String): String }";
let remote: RemoteGraphql;
let engine: TestServer;

beforeAll(async () => {
  remote = await startRemoteGraphql(sdl);
  engine = await startTestServer({
    environment: {
      GREETER: `127.0.0.1:${remote.port}`,
      GREETER_KEY: "k",
      ENGINE_GRAPHQL_ENABLE_REMOTE_SCHEMA_PERMISSIONS: "true",
    },
  });
});

afterAll(async () => {
  await engine?.close();
  await remote?.close();
});

const definition = {
  url: "http://{{GREETER}}/graphql",
  headers: [
    { name: "x-key", value_from_env: "GREETER_KEY" },
    { name: "x-from", value: "to {{GREETER}}" },
  ],
  timeout_seconds: 5,
};
const countIntrospections = async (work: () => Promise<unknown>): Promise<number> => {
  const before = remote.headers.length;
  await work();
  return remote.headers.length - before;
};

describe("Remote schema introspection", () => {
  it("A remote schema is introspected with its headers when it is added", async () => {
    await engine.metadata("add_remote_schema", { name: "greeter", definition });
    expect(remote.headers).toHaveLength(1);
    expect(remote.headers[0]).toMatchObject({ "x-key": "k", "x-from": `to ${remote.headers[0]?.host}` });
    expect(await engine.metadata("introspect_remote_schema", { name: "greeter" })).toMatchObject({
      data: { __schema: { queryType: { name: "Query" } } },
    });
  });

  it("A remote schema is not introspected again for unrelated changes", async () => {
    const more = { name: "greeter", definition: { ...definition, timeout_seconds: 7 }, comment: "polite" };
    expect(await countIntrospections(() => engine.metadata("update_remote_schema", more))).toBe(0);
    const schemaOfRole = { schema: "type Query { hello: String }" };
    const permission = { remote_schema: "greeter", role: "user", definition: schemaOfRole };
    expect(await countIntrospections(() => engine.metadata("add_remote_schema_permissions", permission))).toBe(0);
  });

  it("A remote schema is introspected again with changed headers", async () => {
    const args = { name: "greeter", definition: { ...definition, headers: [{ name: "x-key", value: "other" }] } };
    expect(await countIntrospections(() => engine.metadata("update_remote_schema", args))).toBe(1);
    expect(remote.headers.at(-1)).toMatchObject({ "x-key": "other" });
    expect(
      await countIntrospections(() => engine.metadata("update_remote_schema", { name: "greeter", definition })),
    ).toBe(1);
  });

  it("A remote schema is introspected again when it is reloaded", async () => {
    expect(await countIntrospections(() => engine.metadata("reload_remote_schema", { name: "greeter" }))).toBe(1);
    expect(await countIntrospections(() => engine.metadata("reload_metadata", { reload_remote_schemas: false }))).toBe(
      0,
    );
    expect(
      await countIntrospections(() => engine.metadata("reload_metadata", { reload_remote_schemas: ["greeter"] })),
    ).toBe(1);
  });

  it("An unreachable remote schema keeps its previous schema and is listed as inconsistent", async () => {
    const { port } = remote;
    await remote.close();
    const refused = await engine.post("/v1/metadata", { type: "reload_remote_schema", args: { name: "greeter" } });
    expect(refused).toMatchObject({ status: 500, json: { code: "unexpected" } });
    expect(await engine.metadata("get_inconsistent_metadata", {})).toEqual([]);
    expect(await engine.metadata("reload_metadata", {})).toMatchObject({
      is_consistent: false,
      inconsistent_objects: [
        {
          type: "remote_schema",
          reason: expect.stringContaining(
            'remote schema "greeter"  is inconsistent because of stale remote schema introspection is used.',
          ),
        },
      ],
    });
    expect(await engine.metadata("introspect_remote_schema", { name: "greeter" })).toHaveProperty("data.__schema");
    remote = await startRemoteGraphql(sdl, port);
    expect(await engine.metadata("reload_metadata", {})).toEqual({ message: "success", is_consistent: true });
  });

  it("The headers of an unreachable remote schema may change, and refused headers are an error", async () => {
    const { port } = remote;
    const withKey = (value: string) => ({
      type: "update_remote_schema",
      args: { name: "greeter", definition: { ...definition, headers: [{ name: "x-key", value }] } },
    });
    await remote.close();
    expect(await engine.post("/v1/metadata", withKey("new"))).toMatchObject({ status: 200 });
    expect(await engine.metadata("get_inconsistent_metadata", {})).toEqual([]);
    const guard = createServer((_, response) => response.writeHead(401).end('{"errors":[{"message":"who?"}]}'));
    await new Promise<void>((resolve) => guard.listen(port, "127.0.0.1", resolve));
    expect(await engine.post("/v1/metadata", withKey("wrong"))).toMatchObject({ status: 400 });
    guard.closeAllConnections();
    await new Promise((resolve) => guard.close(resolve));
    remote = await startRemoteGraphql(sdl, port);
    await engine.metadata("update_remote_schema", { name: "greeter", definition });
  });

  it("A remote schema without a server cannot be added", async () => {
    const args = { name: "nobody", definition: { url: "http://127.0.0.1:1/graphql" } };
    const answer = await engine.post("/v1/metadata", { type: "add_remote_schema", args });
    expect(answer).toMatchObject({
      status: 400,
      json: {
        code: "remote-schema-error",
        path: "$.args",
        error: 'HTTP exception occurred while sending the request to "http://127.0.0.1:1/graphql"',
      },
    });
    expect(JSON.stringify(await engine.metadata("export_metadata", {}))).not.toContain("nobody");
  });
});
