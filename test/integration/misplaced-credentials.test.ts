/** Clients that were made for another server: what they get, and what the log says of their credentials. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../support/server.ts";
import { WebsocketClient } from "../support/websocket.ts";

let server: TestServer;
beforeAll(async () => {
  const environment = { ENGINE_GRAPHQL_ADMIN_SECRET: "top-secret" };
  server = await startTestServer({ environment });
});
afterAll(() => server?.close());

it("names the header that was expected, once for each kind, and no value", async () => {
  const query = "{ __typename }";
  for (const header of ["X-Hasura-Admin-Secret", "apikey", "apikey"]) {
    const { json } = await server.post("/v1/graphql", { query }, { [header]: "top-secret" });
    expect(json.errors[0].extensions.code).toBe("access-denied");
  }
  const client = await WebsocketClient.open(server.url, { protocol: "graphql-transport-ws" });
  client.send({ type: "connection_init", payload: { "x-engine-admin-secret": "top-secret" } });
  expect(await client.closed).toMatchObject({ code: 4403 });
  const told = server.log.map((line) => JSON.parse(line)).filter(({ type }) => type === "unstructured");
  expect(told.map(({ level, detail }) => [level, detail.header])).toEqual([
    ["warn", "x-hasura-admin-secret"],
    ["warn", "apikey"],
    ["warn", "x-engine-admin-secret"],
  ]);
  expect(server.log.join("")).not.toContain("top-secret");
});
