/** Requests with credentials for another server: their responses, and the log lines about the credentials. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../support/server.ts";
import { WebsocketClient } from "../support/websocket.ts";

let server: TestServer;
beforeAll(async () => {
  const environment = { ENGINE_GRAPHQL_ADMIN_SECRET: "top-secret" };
  server = await startTestServer({ environment });
});
afterAll(() => server?.close());

it("A misplaced credential is logged once per kind with the expected header and without its value", async () => {
  const query = "{ __typename }";
  for (const header of ["X-Hasura-Admin-Secret", "apikey", "apikey"]) {
    const { json } = await server.post("/v1/graphql", { query }, { [header]: "top-secret" });
    expect(json.errors[0].extensions.code).toBe("access-denied");
  }
  const client = await WebsocketClient.open(server.url, { protocol: "graphql-transport-ws" });
  client.send({ type: "connection_init", payload: { "x-engine-admin-secret": "top-secret" } });
  expect(await client.closed).toMatchObject({ code: 4403 });
  const warnings = server.log.map((line) => JSON.parse(line)).filter(({ type }) => type === "unstructured");
  expect(warnings.map(({ level, detail }) => [level, detail.header])).toEqual([
    ["warn", "x-hasura-admin-secret"],
    ["warn", "apikey"],
    ["warn", "x-engine-admin-secret"],
  ]);
  expect(server.log.join("")).not.toContain("top-secret");
});
