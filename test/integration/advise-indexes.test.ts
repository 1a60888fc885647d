/** The operation `advise` on a database: plans decide whether an index serves a row filter or a join. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { query } from "../support/database.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

const secret = { "x-engine-admin-secret": "s" };
let server: TestServer;

const schema = `
create table part (id integer primary key, owner text not null, hidden boolean not null);
create index on part (owner) where not hidden;
create index on part (hidden);
create table collated (id integer primary key, owner text not null);
create index collated_owner on collated (owner collate "C");
create operator === (function = int4eq, leftarg = integer, rightarg = integer);
create operator class identical for type integer using hash as operator 1 ===, function 1 hashint4(integer);
create table classed (id integer primary key, owner integer not null);
create index classed_owner on classed using hash (owner identical);
create table typed (id integer primary key, amount numeric not null);
create index on typed (amount);
create table counted (id integer primary key, typed_id numeric not null);
create index counted_typed on typed (id, amount);
create table small (id integer primary key, owner text not null);
insert into small select i, 'ann' from generate_series(1, 40) i;
analyze small;
create table ranged (id integer not null, owner text not null) partition by range (id);
create table ranged_1 partition of ranged for values from (0) to (10);
create table ranged_2 partition of ranged for values from (10) to (20);
create index on ranged_1 (owner);
create table listed (id integer not null, owner uuid not null) partition by range (id);
create table listed_1 partition of listed for values from (0) to (10);
create table listed_2 partition of listed for values from (10) to (20);
create index on listed_1 (owner);
create index on listed_2 (owner);
`;

const own = { owner: { _eq: "X-Engine-User-Id" } };
const table = (name: string, filter: object = own, more: object = {}) => ({
  table: { schema: "public", name },
  select_permissions: [{ role: "user", permission: { columns: ["id"], filter } }],
  ...more,
});
const join = {
  object_relationships: [
    {
      name: "typed",
      using: {
        manual_configuration: { remote_table: { schema: "public", name: "typed" }, column_mapping: { typed_id: "id" } },
      },
    },
  ],
};

interface Finding {
  readonly severity: string;
  readonly place: string;
  readonly reason: string;
  readonly fix: string;
}

async function findings(tables: readonly object[]): Promise<readonly Finding[]> {
  const sources = [
    {
      name: "default",
      kind: "postgres",
      configuration: { connection_info: { database_url: { from_env: "ENGINE_GRAPHQL_DATABASE_URL" } } },
      tables,
    },
  ];
  const metadata = { version: 3, sources };
  const replaced = await server.post("/v1/metadata", { type: "replace_metadata", args: metadata }, secret);
  expect(replaced.json).toMatchObject({ message: "success" });
  const { json } = await server.post("/v1/metadata", { type: "advise", args: { authenticated_only: true } }, secret);
  expect(json.skipped).toEqual([]);
  return json.findings;
}

beforeAll(async () => {
  server = await startTestServer({ environment: { ENGINE_GRAPHQL_ADMIN_SECRET: "s" }, sealed: false });
  await query(server.databaseUrl, schema);
}, 120_000);

afterAll(() => server?.close());

describe("Indexes verified by plans", { timeout: 60_000 }, () => {
  it("A partial index that contains the rows of the filter serves it, and no index of another condition does", async () => {
    const visible = { _and: [own, { hidden: { _eq: false } }] };
    expect(await findings([table("part", visible)])).toEqual([]);
    const [finding] = await findings([table("part", { _and: [own, { hidden: { _eq: true } }] })]);
    expect(finding).toMatchObject({ severity: "warning", place: "default.public.part.owner" });
    expect(finding?.reason).toMatch(/the index part_owner_idx of part contains only rows with \(NOT hidden\)/);
  });

  it.each([
    ["collated", "the index collated_owner of collated has the collation C instead of the column's"],
    ["classed", "the index classed_owner of classed has the operator class identical, which does not serve it"],
    ["ranged", "no index of ranged begins with owner"],
  ])("An index of %s that cannot serve the filter leaves the finding with its reason", async (name, reason) => {
    const [finding, ...others] = await findings([table(name)]);
    expect(others).toEqual([]);
    expect(finding).toMatchObject({
      place: `default.public.${name}.owner`,
      fix: expect.stringContaining("CREATE INDEX"),
    });
    expect(finding?.reason).toContain(`compares owner with x-engine-user-id, and ${reason}: each request`);
  });

  it("Indexes of all partitions serve the filter of a partitioned table", async () => {
    expect(await findings([table("listed")])).toEqual([]);
  });

  it("A join of columns whose types have no common index operator leaves the finding with the types as its remedy", async () => {
    const [finding, ...others] = await findings([table("typed", {}), table("counted", {}, join)]);
    expect(others).toEqual([]);
    expect(finding).toMatchObject({
      place: "default.public.counted.typed",
      reason: expect.stringContaining("the database does not use the index counted_typed of typed for it"),
      fix: "give typed_id of counted and id of typed the same types",
    });
  });

  it("A missing index of a table with few rows is a note", async () => {
    expect(await findings([table("small")])).toMatchObject([
      { severity: "note", reason: expect.stringContaining("reads the whole table, which has about 40 rows") },
    ]);
  });
});
