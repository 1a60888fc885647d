/**
 * An unreachable database: its fields remain in the schema, return a clear error, and work again once it is reachable.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDatabase, query, type TestDatabase } from "../support/database.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

let server: TestServer;
let databases: readonly TestDatabase[];
let on: { readonly databaseUrl: string; readonly metadataUrl: string };
let letters: TestDatabase;

const readLetters = "{ letter { id } }";
const connectionError = {
  errors: [{ message: "connection error", extensions: { path: "$", code: "postgres-error" } }],
};

beforeAll(async () => {
  const [main, metadata, other] = await Promise.all(["main", "metadata", "letters"].map(createDatabase));
  if (!main || !metadata || !other) throw new Error("there are three databases");
  databases = [main, metadata, other];
  on = { databaseUrl: main.url, metadataUrl: metadata.url };
  letters = other;
  server = await startTestServer({ on });
  await query(letters.url, "create table letter (id integer primary key); insert into letter values (1)");
  const configuration = { connection_info: { database_url: letters.url } };
  await server.metadata("pg_add_source", { name: "letters", configuration });
  await server.metadata("pg_track_table", { source: "letters", table: "letter" });
});

afterAll(async () => {
  await server?.stop();
  await Promise.all(databases.map((database) => database.drop()));
});

/** Opens the database to connections, or closes it and ends the existing ones. */
async function admit(open: boolean): Promise<void> {
  const { name } = letters;
  await query(on.databaseUrl, `alter database "${name}" allow_connections ${open}`);
  if (open) return;
  await query(on.databaseUrl, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
}

/** Repeats a request until it returns the result. */
async function until(request: () => Promise<unknown>, expected: unknown): Promise<void> {
  const end = Date.now() + 15_000;
  for (;;) {
    const response = await request();
    if (JSON.stringify(response) === JSON.stringify(expected)) return;
    if (Date.now() > end) throw new Error(`the last response is ${JSON.stringify(response)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const rows = { data: { letter: [{ id: 1 }] } };

describe("Unreachable sources", () => {
  it("An unreachable source keeps its fields after a reload and is listed with the reason", async () => {
    await admit(false);
    const reloaded = await server.metadata("reload_metadata", {});
    expect(reloaded).toMatchObject({ is_consistent: false });
    expect(JSON.stringify(reloaded)).toContain("stale database introspection is used");
    expect(await server.graphql(readLetters)).toMatchObject(connectionError);
  });

  it("An unreachable source does not prevent other changes", async () => {
    await query(server.databaseUrl, "create table note (id integer primary key)");
    await server.metadata("pg_track_table", { table: "note" });
    expect(await server.graphql("{ note { id } }")).toEqual({ data: { note: [] } });
  });

  it("An unreachable source is served again when it returns", async () => {
    await admit(true);
    await until(() => server.graphql(readLetters), rows);
    await until(() => server.metadata("get_inconsistent_metadata", {}), []);
  });

  it("An unreachable source keeps its fields over a restart", async () => {
    const sql = "alter table letter add column sender text";
    expect((await server.post("/v2/query", { type: "run_sql", args: { source: "letters", sql } })).status).toBe(200);
    await server.stop();
    await admit(false);
    server = await startTestServer({ on });
    expect(await server.graphql("{ letter { sender } }")).toMatchObject(connectionError);
    await admit(true);
    await until(() => server.graphql(readLetters), rows);
  });

  it("A source with changed connection settings does not reuse its earlier introspection", async () => {
    const url = new URL(letters.url);
    url.pathname = "/nowhere";
    const configuration = { connection_info: { database_url: url.href } };
    const metadata = (await server.metadata("export_metadata", {})) as { sources: { name: string }[] };
    const sources = metadata.sources.map((source) =>
      source.name === "letters" ? { ...source, configuration } : source,
    );
    await server.metadata("replace_metadata", {
      allow_inconsistent_metadata: true,
      metadata: { ...metadata, sources },
    });
    expect(await server.graphql(readLetters)).toMatchObject({
      errors: [{ message: "field 'letter' not found in type: 'query_root'" }],
    });
  });
});
