/** How long a start waits for servers of remote schemas. */
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
const kept = readRemoteShape(JSON.parse(JSON.stringify(__schema)));
const memory = {
  find: async () => ("shape" in kept ? kept.shape : undefined),
  keep: () => {},
  forget: () => {},
};

/** Milliseconds, and whether the last answer is used. */
async function start(registry: RemoteSchemaRegistry, most: number): Promise<readonly [number, boolean]> {
  const begin = performance.now();
  const found = (await registry.introspections(catalog(), new Map(), new Set(), most)).get("silent")?.introspection;
  await registry.close();
  return [performance.now() - begin, found !== undefined && "staleShape" in found];
}

it("a start does not wait for a silent server whose last answer is kept, where it is asked again later", async () => {
  const [milliseconds, isStale] = await start(new RemoteSchemaRegistry({}, { memory, areAskedAgain: true }), 60_000);
  expect(isStale).toBe(true);
  expect(milliseconds).toBeLessThan(10_000);
});

it.each([
  ["whose last answer is kept, where nobody asks it again", { memory }, true],
  ["of which nothing is known", { areAskedAgain: true }, false],
])("a start waits a little for a silent server %s", async (_, options, isKept) => {
  const [milliseconds, isStale] = await start(new RemoteSchemaRegistry({}, options), 400);
  expect(isStale).toBe(isKept);
  expect(milliseconds).toBeGreaterThan(350);
});
