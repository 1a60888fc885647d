/**
 * PostGIS in a schema outside the search path of the source's user, on Debian's PostgreSQL, because the embedded one
 * has no PostGIS.
 */
import { existsSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { query } from "../support/database.ts";
import { type Replication, startReplication } from "../support/replication.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

/** False in CI, where `.ci/postgres.sh` installs the files: there, missing files fail the tests. */
const postgisIsMissing = ((): boolean => {
  const isMissing = !existsSync("/usr/share/postgresql/15/extension/postgis.control");
  if (isMissing && process.env.CI) throw new Error("PostGIS is not installed");
  return isMissing;
})();

const table = { schema: "public", name: "place" };
const point = (x: number, y: number) => ({ type: "Point", coordinates: [x, y] });
const square = {
  type: "Polygon",
  coordinates: [
    [
      [0, 0],
      [0, 2],
      [2, 2],
      [2, 0],
      [0, 0],
    ],
  ],
};

/** Comparisons of the points (1, 1) and (5, 5), with their matches. */
const comparisons: readonly (readonly [operator: string, value: unknown, found: readonly string[]])[] = [
  ["_eq", point(1, 1), ["near"]],
  ["_in", [point(1, 1), "SRID=4326;POINT(9 9)"], ["near"]],
  ["_st_within", square, ["near"]],
  ["_st_intersects", square, ["near"]],
  ["_st_contains", point(1, 1), ["near"]],
  ["_st_equals", point(5, 5), ["far"]],
  ["_st_d_within", { distance: 1.5, from: point(0, 1) }, ["near"]],
];

describe.skipIf(postgisIsMissing)("PostGIS outside of the search path", () => {
  let database: Replication;
  let server: TestServer;

  beforeAll(async () => {
    database = await startReplication(0);
    await query(
      database.primary.url,
      `create schema ext;
       create extension postgis schema ext;
       create table place (name text primary key, at ext.geometry, globe ext.geography);
       insert into place values
         ('near', ext.ST_GeomFromText('POINT(1 1)', 4326), 'POINT(1 1)'), ('far', ext.ST_GeomFromText('POINT(5 5)', 4326), 'POINT(5 5)');
       create user reader;
       grant usage on schema ext to reader;
       grant all on place to reader`,
    );
    const url = new URL(database.primary.url);
    url.username = "reader";
    server = await startTestServer({ sealed: false });
    const filters = comparisons.map(([operator, value], i) => ({
      role: `role_${i}`,
      permission: { columns: ["name"], filter: { at: { [operator]: value } } },
    }));
    const configuration = { connection_info: { database_url: url.href } };
    const tables = [{ table, select_permissions: filters }];
    const sources = [{ name: "default", kind: "postgres", configuration, tables }];
    await server.metadata("replace_metadata", { version: 3, sources });
  }, 60_000);

  afterAll(async () => {
    await server?.close();
    await database?.close();
  });

  it.each(comparisons)("A geometry outside of the search path is compared by %s", async (operator, value, found) => {
    const variables = { value: { [operator]: value } };
    const text = "query ($value: geometry_comparison_exp!) { place(where: {at: $value}) { name } }";
    const rows = found.map((name) => ({ name }));
    expect(await server.graphql(text, {}, variables)).toEqual({ data: { place: rows } });
    const role = `role_${comparisons.findIndex(([each]) => each === operator)}`;
    expect(await server.graphql("{ place { name } }", { "x-engine-role": role })).toEqual({ data: { place: rows } });
  });

  it("An operator that PostGIS lacks is refused", async () => {
    const permission = { columns: ["name"], filter: { at: { _neq: point(1, 1) } } };
    const answer = await server.post("/v1/metadata", {
      type: "pg_create_select_permission",
      args: { table, role: "other", permission },
    });
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('\\"_neq\\" needs the operator')]);
  });

  it("A geometry is written and returned as GeoJSON", async () => {
    const text = `mutation ($at: geometry!, $globe: geography!) {
      insert_place_one(object: {name: "new", at: $at, globe: $globe}) { at globe }
      delete_place_by_pk(name: "new") { name }
    }`;
    expect(await server.graphql(text, {}, { at: point(3, 4), globe: point(3, 4) })).toMatchObject({
      data: { insert_place_one: { at: point(3, 4), globe: point(3, 4) } },
    });
  });

  it("A geography is found by its distance", async () => {
    const text = `query ($from: geography!) {
      place(where: {globe: {_st_d_within: {distance: 1000, from: $from}}}) { name }
    }`;
    expect(await server.graphql(text, {}, { from: point(1, 1) })).toEqual({ data: { place: [{ name: "near" }] } });
  });
});
