/** Settings of database kinds that come from an option: read with the metadata, and never stored with it. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../support/server.ts";

let plain: TestServer;
let server: TestServer;

beforeAll(async () => {
  plain = await startTestServer({ sealed: false });
  const backend_configs = {
    dataconnector: { sqlite: { uri: "http://usual", timeout: 1 }, other: { uri: "http://o" } },
  };
  server = await startTestServer({
    sealed: false,
    on: plain,
    environment: { ENGINE_GRAPHQL_METADATA_DEFAULTS: JSON.stringify({ backend_configs }) },
  });
}, 60_000);

afterAll(async () => {
  await server?.stop();
  await plain?.close();
});

const configsOf = async (on: TestServer): Promise<unknown> =>
  ((await on.metadata("export_metadata", {})) as { backend_configs?: unknown }).backend_configs;

const own = { dataconnector: { sqlite: { uri: "http://own" } } };

it("Metadata defaults are merged with the metadata, which takes precedence", async () => {
  const metadata = { version: 3, sources: [], backend_configs: own };
  await server.metadata("replace_metadata", metadata);
  expect(await configsOf(server)).toEqual({
    dataconnector: { sqlite: { uri: "http://own", timeout: 1 }, other: { uri: "http://o" } },
  });
});

it("Metadata defaults are not stored by any change", async () => {
  await server.metadata("create_query_collection", { name: "c", definition: { queries: [] } });
  const stored = () => plain.metadata("export_metadata", {});
  const query_collections = [expect.objectContaining({ name: "c" })];
  await expect.poll(stored, { timeout: 10_000 }).toMatchObject({ query_collections, backend_configs: own });
  expect(await configsOf(plain)).toEqual(own);
});
