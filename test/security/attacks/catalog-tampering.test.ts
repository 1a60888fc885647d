/** A server with tampered Shapes in the metadata database. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { createDatabase, query, type TestDatabase } from "../../support/database.ts";
import { startTestServer } from "../../support/server.ts";

let main: TestDatabase;
let metadata: TestDatabase;
const start = () => startTestServer({ on: { databaseUrl: main.url, metadataUrl: metadata.url } });

beforeAll(async () => {
  [main, metadata] = await Promise.all([createDatabase("main"), createDatabase("metadata")]);
  await query(
    main.url,
    "create type mark as enum ('good'); create table letter (id integer primary key, mark mark); insert into letter values (1, 'good')",
  );
  const server = await start();
  await server.metadata("pg_track_table", { source: "default", table: "letter" });
  await server.stop();
}, 60_000);

afterAll(async () => {
  await Promise.all([main.drop(), metadata.drop()]);
});

it.each([
  ["no list of tables", "{shape,tables}", "no list"],
  ["code for the position of a column", "{shape,tables,0,columns,0,position}", "1;globalThis.tampered=1"],
  ["an object for the name of a type", "{shape,tables,0,columns,0,type,name}", { toString: 1 }],
  ["a number for the tables' name", "{shape,tables,0,name}", 1],
  ["SQL in place of a type", "{shape,tables,0,columns,1,type,sql}", "public.mark) or (select pg_sleep(60)) is null --"],
  ["SQL after the name of a type", "{shape,tables,0,columns,1,type,sql}", "public.mark or true"],
  ["an unknown format version", "{shape,format}", 2],
])(
  "A tampered stored shape with %s and a matching digest is never served",
  async (_, path, value) => {
    const shape = `jsonb_set(shape::jsonb, '${path}', '${JSON.stringify(value)}')::text`;
    const changed = await query(
      metadata.url,
      `update engine_catalog.engine_source_shape
     set shape = (${shape})::json, digest = encode(sha256(convert_to(${shape}, 'UTF8')), 'hex') returning source`,
    );
    expect(changed).toHaveLength(1);
    const server = await start();
    try {
      const marked = '{ letter(where: {mark: {_eq: "good"}}) { id } }';
      expect(await server.graphql(marked)).toEqual({ data: { letter: [{ id: 1 }] } });
      const others = '{ letter(where: {mark: {_neq: "good"}}) { id } }';
      expect(await server.graphql(others)).toEqual({ data: { letter: [] } });
      expect(await server.metadata("get_inconsistent_metadata", {})).toEqual([]);
      expect("tampered" in globalThis).toBe(false);
    } finally {
      await server.stop();
    }
  },
  30_000,
);
