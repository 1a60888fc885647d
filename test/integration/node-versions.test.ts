/**
 * The parts of the product that depend on Node: a live server, a build, an artifact, a query and a subscription, without
 * warnings of Node. `.ci/run` runs this file with each supported version.
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readMetadataDirectory } from "../../runtime/cli/metadata-directory/read.ts";
import { engine } from "../support/artifact.ts";
import { createDatabase, query, type TestDatabase } from "../support/database.ts";
import { type EngineProcess, startEngine } from "../support/engine-process.ts";
import { ensureBuilt, root } from "../support/shared-checks.ts";
import { WebsocketClient } from "../support/websocket.ts";

const library = join(root, "fixtures/library");
const admin = { "x-engine-admin-secret": "secret" };
const librarian = { ...admin, "x-engine-role": "librarian" };
const books = "{ book(order_by: {id: asc}, limit: 1) { id } }";

/** Matches warnings of Node, such as those of deprecated and experimental parts. */
const warning = /Warning:|DEP\d{4}/;

describe(`Node ${process.version}`, { timeout: 60_000 }, () => {
  let folder: string;
  let database: TestDatabase;
  let environment: Readonly<Record<string, string>>;

  beforeAll(async () => {
    await ensureBuilt();
    folder = await mkdtemp(join(tmpdir(), "engine-node-"));
    database = await createDatabase("node");
    for (const file of ["schema.sql", "seed.sql"]) {
      await query(database.url, await readFile(join(library, "postgres", file), "utf8"));
    }
    environment = {
      ENGINE_GRAPHQL_DATABASE_URL: database.url,
      ENGINE_GRAPHQL_ADMIN_SECRET: "secret",
      HOME: folder,
    };
  }, 120_000);

  afterAll(async () => {
    await database?.drop();
    await rm(folder, { recursive: true, force: true });
  });

  it("A live server applies metadata and responds to a query and a subscription", async () => {
    const server = await startEngine(environment, undefined, folder);
    await thenStopped(server, async () => {
      const { metadata: args } = await readMetadataDirectory(join(library, "metadata"));
      const response = await fetch(`${server.url}/v1/metadata`, {
        method: "POST",
        headers: admin,
        body: JSON.stringify({ type: "replace_metadata", args }),
      });
      expect(await response.json()).toEqual({ message: "success" });
      await serves(server);
    });
  });

  it("An artifact responds to a query and a subscription", async () => {
    const input = ["--metadata", join(library, "metadata"), "--shape", join(library, "shape.json")];
    expect(await engine(["build", ...input, "--out", "artifact"], folder)).toMatchObject({
      code: 0,
      stderr: "",
    });
    const server = await startEngine(environment, [join(folder, "artifact/server.mjs")], folder);
    await thenStopped(server, () => serves(server));
  });
});

async function serves({ url }: EngineProcess): Promise<void> {
  const response = await fetch(`${url}/v1/graphql`, {
    method: "POST",
    headers: librarian,
    body: JSON.stringify({ query: books }),
  });
  const result = { data: { book: [{ id: 1 }] } };
  expect(await response.json()).toEqual(result);
  const client = await WebsocketClient.open(url, { protocol: "graphql-transport-ws" });
  client.send({ type: "connection_init", payload: { headers: librarian } });
  client.send({ id: "1", type: "subscribe", payload: { query: `subscription ${books}` } });
  // The messages before the first result are the acknowledgement and pings.
  await expect.poll(() => client.next()).toEqual({ id: "1", type: "next", payload: result });
  client.close();
  await client.closed;
}

/** Stops the server after the work. It must end by itself, without warnings of Node. */
async function thenStopped(server: EngineProcess, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } finally {
    server.child.kill();
  }
  expect((await server.ended).code).toBe(0);
  expect(server.errors()).not.toMatch(warning);
}
