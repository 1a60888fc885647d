/** Two versions of the engine on one metadata database, as in a rolling deployment. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { query } from "../../support/database.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";

let old: TestServer;

beforeAll(async () => {
  old = await startTestServer({ sealed: false });
  await query(old.databaseUrl, "create table note (id integer primary key); insert into note values (1)");
  await old.metadata("pg_track_table", { table: "note" });
  // The first changes that a newer version makes: a catalog version unknown to this one, and an additional column.
  await query(
    old.metadataUrl,
    `update engine_catalog.engine_version set version = '99';
     alter table engine_catalog.engine_schema_notifications add column newer text`,
  );
});
afterAll(() => old?.close());

it("A running instance continues to serve and change metadata beside a newer version", async () => {
  expect(await old.graphql("{ note { id } }")).toEqual({ data: { note: [{ id: 1 }] } });
  const configuration = { custom_root_fields: { select: "notes" } };
  await old.metadata("pg_set_table_customization", { table: "note", configuration });
  expect(await old.graphql("{ notes { id } }")).toEqual({ data: { notes: [{ id: 1 }] } });
});

it("A new instance of the older version refuses to start with the reason", async () => {
  const starting = startTestServer({ sealed: false, on: old });
  await expect(starting).rejects.toThrow(
    /Cannot use database previously used with a newer version of engine \(expected a catalog version <=\d+, but the current version is 99\)\./,
  );
  expect(await query(old.metadataUrl, "select version from engine_catalog.engine_version")).toEqual([
    { version: "99" },
  ]);
});
