/**
 * Clients that disconnect during joins, and roles that reach their time limit.
 */
import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDatabase, query, type TestDatabase } from "../../support/database.ts";
import { type RemoteGraphql, startRemoteGraphql } from "../../support/remote-graphql.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";

let other: TestDatabase;
let remote: RemoteGraphql;
let server: TestServer;
/** Requests that the remote server has received, and those that were cancelled. */
const counts = { begun: 0, closed: 0 };

beforeAll(async () => {
  other = await createDatabase("abandoned_other");
  await query(other.url, "create view slow as select n as id, pg_sleep(5)::text as text from generate_series(1, 1) n");
  remote = await startRemoteGraphql(
    "type Far { id: ID } type Query { far(id: ID!): Far } type Mutation { set(id: ID!): Far }",
    0,
    {
      answer: () => {
        counts.begun++;
        return new Promise(() => undefined);
      },
      onTakenBack: () => void counts.closed++,
    },
  );
  const environment = {
    REMOTE: `http://127.0.0.1:${remote.port}/graphql`,
    OTHER: other.url,
    ENGINE_GRAPHQL_REMOTE_RELATIONSHIPS_BATCH_SIZE: "1",
  };
  server = await startTestServer({ environment });
  await query(server.databaseUrl, "create table item as select n as id from generate_series(1, 30) n");
  await server.metadata("pg_track_table", { table: "item" });
  const configuration = { connection_info: { database_url: { from_env: "OTHER" } } };
  await server.metadata("pg_add_source", { name: "other", configuration });
  await server.metadata("pg_track_table", { source: "other", table: "slow" });
  await server.metadata("add_remote_schema", { name: "remote", definition: { url_from_env: "REMOTE" } });
  const join = (name: string, definition: object) =>
    server.metadata("pg_create_remote_relationship", { table: "item", name, definition });
  const to_source = { source: "other", table: "slow", relationship_type: "array", field_mapping: { id: "id" } };
  await join("rows", { to_source });
  const remote_field = { far: { arguments: { id: "$id" } } };
  await join("far", { to_remote_schema: { remote_schema: "remote", lhs_fields: ["id"], remote_field } });
  for (const [source, table] of [
    ["default", "item"],
    ["other", "slow"],
  ]) {
    const permission = { columns: "*", filter: {} };
    await server.metadata("pg_create_select_permission", { source, table, role: "hasty", permission });
  }
});

afterAll(async () => {
  await server?.close();
  await remote?.close();
  await other?.drop();
});

async function running(): Promise<number> {
  const text =
    "select count(*)::int as n from pg_stat_activity where datname = current_database() and state = 'active' and pid <> pg_backend_pid()";
  return Number((await query(other.url, text))[0]?.n);
}

/** Sends a request, and returns a function that disconnects its client. */
function ask(text: string): () => void {
  const headers = { "content-type": "application/json" };
  const sending = request(`${server.url}/v1/graphql`, { method: "POST", agent: false, headers });
  sending.on("error", () => undefined);
  sending.end(JSON.stringify({ query: text }));
  return () => sending.destroy();
}

describe("Joins of disconnected clients", () => {
  it("A disconnected client's join statements are cancelled", async () => {
    const leave = ask("{ item(limit: 1) { rows { text } } }");
    await expect.poll(running).toBe(1);
    leave();
    await expect.poll(running, { timeout: 3000 }).toBe(0);
  });

  it("A disconnected client's remote requests are aborted and no more are sent", async () => {
    const leave = ask("{ item { far { id } } }");
    // The maximum number of concurrent requests.
    await expect.poll(() => counts.begun).toBe(8);
    leave();
    await expect.poll(() => counts.closed, { timeout: 3000 }).toBe(8);
    expect(counts.begun).toBe(8);
  });

  it("A disconnected client's remote root fields are aborted", async () => {
    const { begun, closed } = { ...counts };
    const leave = ask('{ far(id: "1") { id } item(limit: 1) { id } }');
    await expect.poll(() => counts.begun).toBe(begun + 1);
    leave();
    await expect.poll(() => counts.closed, { timeout: 3000 }).toBe(closed + 1);
  });

  it("A disconnected client's remote mutation completes", async () => {
    const { begun, closed } = { ...counts };
    const leave = ask('mutation { set(id: "1") { id } }');
    await expect.poll(() => counts.begun).toBe(begun + 1);
    leave();
    // Cancellations arrive before later requests.
    const later = ask('{ far(id: "1") { id } }');
    await expect.poll(() => counts.begun).toBe(begun + 2);
    later();
    await expect.poll(() => counts.closed, { timeout: 3000 }).toBe(closed + 1);
  });
});

describe("Time limits of joins", () => {
  it("A join ends at the time limit of its role", async () => {
    const time_limit = { global: 30, per_role: { hasty: 1 } };
    await server.metadata("set_api_limits", { disabled: false, time_limit });
    const headers = { "x-engine-role": "hasty" };
    expect(await server.graphql("{ item(limit: 1) { rows { text } } }", headers)).toMatchObject({
      errors: [{ extensions: { code: "time-limit-exceeded" } }],
    });
    await expect.poll(running, { timeout: 3000 }).toBe(0);
  });
});

describe("Memory limits of joins", () => {
  it("A join that exceeds the memory limit is refused with advice", async () => {
    const environment = { OTHER: other.url, ENGINE_GRAPHQL_MAX_BUFFERED_RESPONSE_BYTES: "2000" };
    const small = await startTestServer({ on: server, environment });
    try {
      await query(
        other.url,
        "create table text as select n as id, repeat('x', 100) as text from generate_series(1, 30) n",
      );
      await small.metadata("pg_track_table", { source: "other", table: "text" });
      const to_source = { source: "other", table: "text", relationship_type: "array", field_mapping: { id: "id" } };
      const definition = { to_source };
      await small.metadata("pg_create_remote_relationship", { table: "item", name: "texts", definition });
      expect(await small.graphql("{ item(where: {id: {_eq: 3}}) { texts { text } } }")).toEqual({
        data: { item: [{ texts: [{ text: "x".repeat(100) }] }] },
      });
      expect(await small.graphql("{ item { texts { text } } }")).toEqual({
        errors: [
          {
            message: "values joined by remote relationships exceed 2000 characters: select fewer rows or fields",
            extensions: { code: "validation-failed", path: "$" },
          },
        ],
      });
    } finally {
      await small.close();
    }
  });
});
