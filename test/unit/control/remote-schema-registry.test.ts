/** Time limits of a start for unresponsive remote schemas. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { buildSchema, introspectionFromSchema } from "graphql";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readRemoteShape } from "../../../compiler/1-introspect/read-remote-shape.ts";
import { emptyCatalog } from "../../../compiler/catalog/catalog.ts";
import { RemoteSchemaRegistry } from "../../../runtime/control/remote-schema-registry.ts";

let silent: Server;
const catalog = () => {
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
  return {
    ...emptyCatalog,
    remote_schemas: [{ name: "silent", definition: { url }, permissions: [], remote_relationships: [] }],
  };
};

beforeAll(async () => {
  silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
});

afterAll(async () => {
  silent.closeAllConnections();
  await new Promise((resolve) => silent.close(resolve));
});

const { __schema } = introspectionFromSchema(buildSchema("type Query { a: Int }"));
const stored = readRemoteShape(JSON.parse(JSON.stringify(__schema)));
const memory = {
  find: async () => ("shape" in stored ? stored.shape : undefined),
  store: () => {},
  delete: () => {},
};

/** Returns the duration of a start in milliseconds, and true if the stored shape is used. */
async function start(registry: RemoteSchemaRegistry, maxMilliseconds: number): Promise<readonly [number, boolean]> {
  const begin = performance.now();
  const found = (await registry.introspections(catalog(), new Map(), new Set(), maxMilliseconds)).get(
    "silent",
  )?.introspection;
  await registry.close();
  return [performance.now() - begin, found !== undefined && "staleShape" in found];
}

it("A start does not wait for a silent remote server whose last schema is stored if it is retried later", async () => {
  const [milliseconds, isStale] = await start(new RemoteSchemaRegistry({}, { memory, hasRetries: true }), 60_000);
  expect(isStale).toBe(true);
  expect(milliseconds).toBeLessThan(10_000);
});

it.each([
  ["whose schema is stored but never retried", { memory }, true],
  ["without a stored schema", { hasRetries: true }, false],
])("A start waits briefly for a silent remote server %s", async (_, options, isExpectedStale) => {
  const [milliseconds, isStale] = await start(new RemoteSchemaRegistry({}, options), 400);
  expect(isStale).toBe(isExpectedStale);
  expect(milliseconds).toBeGreaterThan(350);
});
