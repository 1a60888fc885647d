/**
 * A source whose extension Citus appears and vanishes while the engine serves. Tables with the names of Citus's catalogue
 * take its place here: the statements for Citus run on PostgreSQL too.
 */
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parse as parseYaml } from "yaml";
import { readCitusFile, resetRows, runLines } from "../support/citus-cases.ts";
import { query } from "../support/database.ts";
import { isSealed, startTestServer, type TestServer } from "../support/server.ts";

const places = `
  select 'countries'::regclass as logicalrelid, 'n'::"char" as partmethod, null as partkey, 1 as colocationid, 't'::"char" as repmodel
  union all select 'products'::regclass, 'n', null, 1, 't'
  union all select 'tenants'::regclass, 'h', 'id', 2, 's'
  union all select 'visits'::regclass, 'h', 'id', 3, 's'
  union all select name::regclass, 'h', 'tenant_id', 2, 's' from unnest(array['customers', 'orders', 'items']) name`;

const appears = `
  set allow_system_table_mods = on;
  create table pg_catalog.pg_dist_partition as ${places};
  create table pg_catalog.pg_dist_object as
    select 'pg_proc'::regclass::oid as classid, oid as objid, 0 as objsubid from pg_proc where pronamespace = 'public'::regnamespace;
  create function pg_catalog.column_to_column_name(regclass, text) returns text language sql as 'select $2';
  insert into pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
    values (99999, 'citus', 10, 'pg_catalog'::regnamespace, false, '13.2-1')`;

const vanishes = `
  set allow_system_table_mods = on;
  delete from pg_extension where extname = 'citus';
  drop function pg_catalog.column_to_column_name(regclass, text);
  drop table pg_catalog.pg_dist_partition, pg_catalog.pg_dist_object`;

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
  for (const file of ["schema.postgres.sql", "keys.sql", "functions.sql"]) await runLines(server.databaseUrl, file);
  const text = await readCitusFile("metadata.yaml");
  const metadata = parseYaml(
    text.replace("database_url: postgres://unused", "database_url: { from_env: ENGINE_GRAPHQL_DATABASE_URL }"),
  );
  await server.metadata("replace_metadata", { metadata });
  for (const table of ["notes", "orders"]) {
    await server.metadata("pg_create_event_trigger", {
      ...{ name: `of_${table}`, table, webhook: "http://127.0.0.1:9/", insert: { columns: "*" } },
    });
  }
});

afterAll(() => server.close());

const reload = () => server.metadata("reload_metadata", { reload_sources: true });

/** Sends golden operations, among them some with other statements on Citus. */
async function expectGoldenResults(): Promise<void> {
  for (const name of ["array-of-reference", "delete-by-key", "update-with-relationships", "distributed-to-local"]) {
    await resetRows(server.databaseUrl);
    const { data } = (await server.graphql(await readCitusFile(join(name, "query.graphql")))) as { data: unknown };
    expect(data, name).toEqual(JSON.parse(await readCitusFile(join(name, "result.json"))));
  }
}

const hasChanges = async (): Promise<boolean> => {
  const answer = await server.graphql('{ __type(name: "orders_mutation_response") { fields { name } } }');
  return JSON.stringify(answer).includes('"changes"');
};

it.skipIf(isSealed)("Operations have the same results before and after Citus appears or vanishes", async () => {
  await expectGoldenResults();
  expect(await hasChanges()).toBe(true);

  await query(server.databaseUrl, appears);
  await expectGoldenResults();
  expect(await reload()).toMatchObject({
    is_consistent: false,
    inconsistent_objects: [{ name: expect.stringContaining("of_orders"), reason: expect.stringContaining("Citus") }],
  });
  expect(await hasChanges()).toBe(false);
  await expectGoldenResults();

  await query(server.databaseUrl, vanishes);
  await expectGoldenResults();
  expect(await reload()).toMatchObject({ is_consistent: true });
  expect(await hasChanges()).toBe(true);
  await expectGoldenResults();
  const recorded = "select count(*)::int as events from engine_catalog.event_log where trigger_name = 'of_orders'";
  const [before] = await query(server.databaseUrl, recorded);
  await query(server.databaseUrl, "insert into orders (tenant_id, id) values (1, 999)");
  const [after] = await query(server.databaseUrl, recorded);
  expect(Number(after?.events) - Number(before?.events)).toBe(1);
});
