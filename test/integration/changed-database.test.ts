/**
 * Databases that change outside the engine: the engine serves all consistent objects, restarts, and refuses no later
 * metadata change because of the inconsistency.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { query } from "../support/database.ts";
import { isSealed, startTestServer, type TestServer } from "../support/server.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
  const sql =
    "create table a (id int); create table a_by_pk (id int primary key); create table b (id int primary key); create table c (id int primary key, gone int)";
  await query(server.databaseUrl, sql);
  for (const table of ["a", "a_by_pk"]) await server.metadata("pg_track_table", { table });
});

afterAll(() => server.close());

it.skipIf(isSealed)("A conflict from the database omits one table, reports both and allows other changes", async () => {
  await query(server.databaseUrl, "alter table a add primary key (id)");
  const entry = {
    name: "table a_by_pk in source default",
    reason: expect.stringContaining(
      "_a_by_pk' defined in [table a in source default, table a_by_pk in source default]",
    ),
  };
  expect(await server.metadata("reload_metadata", { reload_sources: true })).toMatchObject({
    is_consistent: false,
    inconsistent_objects: [entry],
  });
  await server.metadata("pg_track_table", { table: "b" });
  await server.stop();
  server = await startTestServer({ on: server });
  expect(await server.metadata("get_inconsistent_metadata", {})).toMatchObject([entry]);
  expect(await server.graphql("{ a_by_pk(id: 1) { id } b { id } }")).toEqual({ data: { a_by_pk: null, b: [] } });
  // A metadata change that would cause the same inconsistency is refused.
  const custom_root_fields = { select: "b" };
  const change = { table: "a", configuration: { custom_root_fields } };
  const answer = await server.post("/v1/metadata", { type: "pg_set_table_customization", args: change });
  expect(answer).toMatchObject({ status: 500, json: { error: expect.stringContaining("conflicting definitions") } });
  const apart = { table: "a_by_pk", configuration: { custom_name: "by_pk" } };
  await server.metadata("pg_set_table_customization", apart);
  expect(await server.metadata("get_inconsistent_metadata", {})).toEqual([]);
});

it.skipIf(isSealed)("An earlier inconsistency from the database does not refuse a metadata change", async () => {
  await server.metadata("pg_track_table", { table: "c" });
  const permission = { columns: ["id", "gone"], filter: {} };
  await server.metadata("pg_create_select_permission", { table: "c", role: "user", permission });
  await query(server.databaseUrl, "alter table c drop column gone; create table d (id int primary key)");
  expect(await server.metadata("pg_track_table", { table: "d" })).toEqual({ message: "success" });
  expect(await server.metadata("get_inconsistent_metadata", {})).toMatchObject([
    {
      name: "select_permission user in table c in source default",
      reason: expect.stringContaining('"gone" does not exist'),
    },
  ]);
  // A change that is the cause itself is refused, regardless of concurrent changes.
  await query(server.databaseUrl, "alter table d add column more int");
  const change = { table: "c", role: "other", permission };
  const answer = await server.post("/v1/metadata", { type: "pg_create_select_permission", args: change });
  expect(answer.status).toBe(400);
});
