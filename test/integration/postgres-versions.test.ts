/** Features that only newer versions of PostgreSQL have; `npm run matrix -- postgres` runs this file on each version. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { postgresUrl, query } from "../support/database.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../support/webhook-receiver.ts";

const [server_version] = await query(postgresUrl(), "select current_setting('server_version_num')::int as number");
const version = Number(server_version?.number) / 10_000;

let server: TestServer;

const sql = (text: string) => query(server.databaseUrl, text);
const track = (...tables: readonly string[]) =>
  Promise.all(tables.map((table) => server.metadata("pg_track_table", { table })));

/** Returns the name of the type of a field, with `!` if it is not nullable. */
async function typeOf(type: string, field: string): Promise<string | undefined> {
  const { data } = (await server.graphql(
    `{ __type(name: "${type}") { fields { name type { kind name ofType { name } } } } }`,
  )) as {
    data: { __type: { fields: { name: string; type: { kind: string; name: string; ofType: { name: string } } }[] } };
  };
  const found = data.__type.fields.find(({ name }) => name === field)?.type;
  return found?.kind === "NON_NULL" ? `${found.ofType.name}!` : found?.name;
}

/** Returns the names of the values or input fields of a type; `null` if it does not exist. */
async function namesIn(type: string): Promise<readonly string[] | null> {
  const { data } = (await server.graphql(
    `{ __type(name: "${type}") { enumValues { name } inputFields { name } } }`,
  )) as { data: { __type: Record<"enumValues" | "inputFields", { name: string }[] | null> | null } };
  return (data.__type?.enumValues ?? data.__type?.inputFields)?.map(({ name }) => name) ?? null;
}

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server?.close());

describe.skipIf(version < 15)("PostgreSQL 15", () => {
  it("A conflict on a key of nulls that are not distinct updates the row", async () => {
    await sql("create table price (id int primary key, shop text, amount int, unique nulls not distinct (shop))");
    await track("price");
    await sql("insert into price values (1, null, 5)");
    const conflict = "on_conflict: {constraint: price_shop_key, update_columns: [amount]}";
    expect(
      await server.graphql(
        `mutation { insert_price_one(object: {id: 2, shop: null, amount: 7}, ${conflict}) { id amount } }`,
      ),
    ).toEqual({ data: { insert_price_one: { id: 1, amount: 7 } } });
  });

  it("A view with the rights of its caller is read and written", async () => {
    await sql(`
      create table note (id int primary key, body text not null);
      create view own_note with (security_invoker = true) as select id, body from note`);
    await track("own_note");
    const inserted = 'mutation { insert_own_note_one(object: {id: 1, body: "a"}) { id body } }';
    expect(await server.graphql(inserted)).toEqual({ data: { insert_own_note_one: { id: 1, body: "a" } } });
    expect(await server.graphql("{ own_note { body } }")).toEqual({ data: { own_note: [{ body: "a" }] } });
  });
});

describe.skipIf(version < 18)("PostgreSQL 18", () => {
  let webhook: WebhookReceiver;

  beforeAll(async () => {
    webhook = await startWebhookReceiver();
  });

  afterAll(() => webhook?.close());

  it("A virtual generated column is read, filtered and sent in events, and cannot be written", async () => {
    await sql("create table line (id int primary key, amount int, twice int generated always as (amount * 2) virtual)");
    await track("line");
    await server.metadata("pg_create_event_trigger", {
      name: "line",
      table: "line",
      webhook: webhook.url,
      insert: { columns: "*" },
      update: { columns: ["twice"] },
    });
    expect(await namesIn("line_insert_input")).toEqual(["amount", "id"]);
    expect(await namesIn("line_set_input")).toEqual(["amount", "id"]);
    await server.graphql("mutation { insert_line_one(object: {id: 1, amount: 4}) { id } }");
    expect(await server.graphql("{ line(where: {twice: {_eq: 8}}, order_by: {twice: asc}) { twice } }")).toEqual({
      data: { line: [{ twice: 8 }] },
    });
    await server.graphql("mutation { update_line_by_pk(pk_columns: {id: 1}, _set: {amount: 5}) { twice } }");
    await expect.poll(() => webhook.received.length).toBe(2);
    const events = webhook.received.map(({ body }) => JSON.parse(body).event.data);
    expect(events).toEqual([
      { old: null, new: { id: 1, amount: 4, twice: 8 } },
      { old: { id: 1, amount: 4, twice: 8 }, new: { id: 1, amount: 5, twice: 10 } },
    ]);
  });

  it("The relationship of a foreign key that is not enforced is nullable", async () => {
    await sql(`
      create table author (id int primary key);
      create table book (id int primary key, author_id int not null references author not enforced,
        editor_id int not null references author);
      insert into author values (1); insert into book values (1, 9, 1)`);
    await track("author", "book");
    for (const name of ["author", "editor"]) {
      const using = { foreign_key_constraint_on: `${name}_id` };
      await server.metadata("pg_create_object_relationship", { table: "book", name, using });
    }
    expect(await typeOf("book", "editor")).toBe("author!");
    expect(await typeOf("book", "author")).toBe("author");
    expect(await server.graphql("{ book { author { id } editor { id } } }")).toEqual({
      data: { book: [{ author: null, editor: { id: 1 } }] },
    });
  });

  it("Temporal keys identify rows, and are neither constraints of on_conflict nor foreign keys", async () => {
    await sql(`
      create table room (id int4range, during daterange, name text, code int unique,
        primary key (id, during without overlaps));
      create table stay (id int primary key, room int4range, during daterange,
        foreign key (room, period during) references room (id, period during));
      insert into room values ('[1,1]', '[2026-01-01,2027-01-01)', 'blue', 1)`);
    await track("room", "stay");
    expect(await namesIn("room_constraint")).toEqual(["room_code_key"]);
    const key = 'id: "[1,2)", during: "[2026-01-01,2027-01-01)"';
    expect(await server.graphql(`{ room_by_pk(${key}) { name } }`)).toEqual({ data: { room_by_pk: { name: "blue" } } });
    const suggested = await server.metadata("pg_suggest_relationships", {
      source: "default",
      tables: ["stay", "room"],
    });
    expect(suggested).toEqual({ relationships: [] });
  });

  it("Rows get their keys from uuidv7(), which streams and orderings follow", async () => {
    await sql("create table entry (id uuid primary key default uuidv7(), n int)");
    await track("entry");
    for (const n of [1, 2]) await server.graphql(`mutation { insert_entry_one(object: {n: ${n}}) { id } }`);
    expect(await server.graphql("{ entry(order_by: {id: asc}) { n } }")).toEqual({
      data: { entry: [{ n: 1 }, { n: 2 }] },
    });
  });
});
