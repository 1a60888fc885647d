/** Upserts on partitioned tables, by unique indexes that have expressions or a condition. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { query } from "../../support/database.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
  await query(
    server.databaseUrl,
    `create table seat (id int, day date, name text, free boolean not null default true, note text, primary key (id, day))
       partition by range (day);
     create table seat_24 partition of seat for values from ('2024-01-01') to ('2025-01-01');
     create table seat_25 partition of seat for values from ('2025-01-01') to ('2026-01-01');
     create unique index seat_free on seat (day, name) where free;
     create unique index seat_lower on seat (lower(note), day);
     create unique index seat_part on only seat (day, id, name);
     create unique index seat_own on seat_24 (name) where note is null;
     create table bare (day date, name text, free boolean, note text) partition by list (day);
     create table bare_1 partition of bare default;
     create unique index bare_free on bare (day, name) where free;`,
  );
  for (const table of ["seat", "seat_24", "bare"]) await server.metadata("pg_track_table", { table });
  const columns = ["id", "day", "name", "free", "note"];
  const starting = (text: string) => ({ note: { _like: `${text}%` } });
  for (const [role, updated] of Object.entries({ clerk: ["note"], mover: ["note", "id"] })) {
    const one = { table: "seat", role };
    await server.metadata("pg_create_select_permission", { ...one, permission: { columns, filter: {} } });
    await server.metadata("pg_create_insert_permission", { ...one, permission: { columns, check: starting("new") } });
    const update = { columns: updated, filter: {}, check: starting("changed") };
    await server.metadata("pg_create_update_permission", { ...one, permission: update });
  }
}, 60_000);

beforeEach(async () => {
  await query(
    server.databaseUrl,
    "truncate seat, bare; insert into seat values (1, '2024-05-05', 'A', true, 'first'), (2, '2025-05-05', 'A', false, null)",
  );
});

afterAll(() => server?.close());

const valuesOf = async (type: string): Promise<readonly string[]> => {
  const answer = await server.post("/v1/graphql", { query: `{ __type(name: "${type}") { enumValues { name } } }` });
  return answer.json.data.__type.enumValues.map(({ name }: { name: string }) => name);
};

function upsert(object: string, constraint: string, update: string, role?: string): Promise<unknown> {
  const conflict = `{constraint: ${constraint}, update_columns: [${update}]}`;
  const text = `mutation { insert_seat_one(object: ${object}, on_conflict: ${conflict}) { id note free } }`;
  return server.graphql(text, role ? { "x-engine-role": role } : undefined);
}
const one = (row: object | null) => ({ data: { insert_seat_one: row } });
const refused = { errors: [{ extensions: { code: "permission-error" } }] };

describe("an upsert of a partitioned table", () => {
  it("lists the indexes that each relation itself has, unless they are invalid", async () => {
    expect(await valuesOf("seat_constraint")).toEqual(["seat_pkey", "seat_free", "seat_lower"]);
    expect(await valuesOf("seat_24_constraint")).toContain("seat_own");
    expect(await valuesOf("bare_constraint")).toEqual(["bare_free"]);
  });

  it("handles conflicts on a partial index, and ignores rows outside of it", async () => {
    const same = '{id: 7, day: "2024-05-05", name: "A", note: "new"}';
    expect(await upsert(same, "seat_free", "")).toEqual(one(null));
    expect(await upsert(same, "seat_free", "note")).toEqual(one({ id: 1, note: "new", free: true }));
    const taken = '{id: 7, day: "2024-05-05", name: "A", free: false, note: "new 7"}';
    expect(await upsert(taken, "seat_free", "note")).toEqual(one({ id: 7, note: "new 7", free: false }));
  });

  it("handles conflicts on an index with expressions", async () => {
    const same = '{id: 8, day: "2024-05-05", name: "B", note: "FIRST"}';
    expect(await upsert(same, "seat_lower", "note")).toEqual(one({ id: 1, note: "FIRST", free: true }));
  });

  it("checks existing rows as updated rows, and others as new rows", async () => {
    const row = (note: string, name = "A") => `{id: 9, day: "2024-05-05", name: "${name}", note: "${note}"}`;
    expect(await upsert(row("new"), "seat_free", "note", "clerk")).toMatchObject(refused);
    expect(await upsert(row("changed"), "seat_free", "note", "clerk")).toEqual(
      one({ id: 1, note: "changed", free: true }),
    );
    expect(await upsert(row("changed 2", "B"), "seat_free", "note", "clerk")).toMatchObject(refused);
    expect(await upsert(row("new", "B"), "seat_free", "note", "clerk")).toEqual(
      one({ id: 9, note: "new", free: true }),
    );
  });

  it("checks rows as both where the update writes the key that would distinguish them", async () => {
    const row = (note: string) => `{id: 9, day: "2024-05-05", name: "A", note: "${note}"}`;
    expect(await upsert(row("new"), "seat_free", "note, id", "mover")).toMatchObject(refused);
    expect(await upsert(row("changed"), "seat_free", "note, id", "mover")).toMatchObject(refused);
    expect(await upsert(row("changed"), "seat_free", "note", "mover")).toEqual(
      one({ id: 1, note: "changed", free: true }),
    );
  });

  it("handles conflicts where there is no primary key", async () => {
    const text = (
      note: string,
    ) => `mutation { insert_bare_one(object: {day: "2024-05-05", name: "A", free: true, note: "${note}"},
      on_conflict: {constraint: bare_free, update_columns: [note]}) { name note } }`;
    for (const note of ["x", "y"]) {
      expect(await server.graphql(text(note))).toEqual({ data: { insert_bare_one: { name: "A", note } } });
    }
    expect(await query(server.databaseUrl, "select note from bare")).toEqual([{ note: "y" }]);
  });
});
