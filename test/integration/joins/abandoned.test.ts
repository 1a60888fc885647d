/** Clients that go away while other sources and servers are asked for them, and roles whose time is over. */
import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDatabase, query, type TestDatabase } from "../../support/database.ts";
import { type RemoteGraphql, startRemoteGraphql } from "../../support/remote-graphql.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";

let other: TestDatabase;
let remote: RemoteGraphql;
let server: TestServer;
/** Requests that the remote server has, and those that were taken back. */
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

/** @returns goes away */
function ask(text: string): () => void {
  const headers = { "content-type": "application/json" };
  const sending = request(`${server.url}/v1/graphql`, { method: "POST", agent: false, headers });
  sending.on("error", () => undefined);
  sending.end(JSON.stringify({ query: text }));
  return () => sending.destroy();
}

describe("a client that goes away", () => {
  it("ends the statements that join rows of other databases", async () => {
    const leave = ask("{ item(limit: 1) { rows { text } } }");
    await expect.poll(running).toBe(1);
    leave();
    await expect.poll(running, { timeout: 3000 }).toBe(0);
  });

  it("takes back the requests to remote servers, and sends no more of them", async () => {
    const leave = ask("{ item { far { id } } }");
    // As many as are asked at once.
    await expect.poll(() => counts.begun).toBe(8);
    leave();
    await expect.poll(() => counts.closed, { timeout: 3000 }).toBe(8);
    expect(counts.begun).toBe(8);
  });

  it("takes back what it asked remote servers by root fields", async () => {
    const { begun, closed } = { ...counts };
    const leave = ask('{ far(id: "1") { id } item(limit: 1) { id } }');
    await expect.poll(() => counts.begun).toBe(begun + 1);
    leave();
    await expect.poll(() => counts.closed, { timeout: 3000 }).toBe(closed + 1);
  });

  it("does not take back what it had written", async () => {
    const { begun, closed } = { ...counts };
    const leave = ask('mutation { set(id: "1") { id } }');
    await expect.poll(() => counts.begun).toBe(begun + 1);
    leave();
    // What is taken back arrives before what is asked later.
    const later = ask('{ far(id: "1") { id } }');
    await expect.poll(() => counts.begun).toBe(begun + 2);
    later();
    await expect.poll(() => counts.closed, { timeout: 3000 }).toBe(closed + 1);
  });
});

describe("a role whose time is over", () => {
  it("is told so, and nothing goes on", async () => {
    const time_limit = { global: 30, per_role: { hasty: 1 } };
    await server.metadata("set_api_limits", { disabled: false, time_limit });
    const headers = { "x-engine-role": "hasty" };
    expect(await server.graphql("{ item(limit: 1) { rows { text } } }", headers)).toMatchObject({
      errors: [{ extensions: { code: "time-limit-exceeded" } }],
    });
    await expect.poll(running, { timeout: 3000 }).toBe(0);
  });
});

describe("a request that joins more than memory has room for", () => {
  it("is refused, and says what to do", async () => {
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
            message:
              "the values that remote relationships lead to have more than 2000 characters: select fewer rows or fields",
            extensions: { code: "validation-failed", path: "$" },
          },
        ],
      });
    } finally {
      await small.close();
    }
  });
});
