/** Rows before and after mutations: `changes` of a mutation response. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { query } from "../../support/database.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
  await query(
    server.databaseUrl,
    `create table item (id integer primary key, name text not null unique, price integer, secret text, hidden boolean not null default false, shop integer);
     create table shop (id integer primary key, open boolean not null);
     create table counter (key integer primary key, n integer not null);
     create function add_up() returns trigger language plpgsql as $$
       begin new.n := old.n + new.n; return new; end $$;
     create trigger add_up before update on counter for each row execute function add_up();
     create table day (at date, name text, n integer, primary key (at, name)) partition by range (at);
     create table day_24 partition of day for values from ('2024-01-01') to ('2025-01-01');
     create table plain (text text);
     create table item_part (id integer primary key);
     create table item_part_change (id integer primary key);`,
  );
  const tables = ["item", "shop", "counter", "day", "plain", "item_part", "item_part_change"];
  for (const table of tables) await server.metadata("pg_track_table", { table });
  await server.metadata("pg_create_object_relationship", {
    table: "item",
    name: "store",
    using: { manual_configuration: { remote_table: "shop", column_mapping: { shop: "id" } } },
  });
  const columns = ["id", "name", "price", "shop"];
  const one = { table: "item", role: "clerk" };
  await server.metadata("pg_create_select_permission", {
    ...one,
    permission: { columns, filter: { hidden: { _eq: false } } },
  });
  const written = [...columns, "hidden"];
  await server.metadata("pg_create_insert_permission", { ...one, permission: { columns: written, check: {} } });
  const update = { columns: written, filter: {}, check: { price: { _lt: 1000 } } };
  await server.metadata("pg_create_update_permission", { ...one, permission: update });
  await server.metadata("pg_create_delete_permission", { ...one, permission: { filter: {} } });
  await server.metadata("pg_create_select_permission", {
    table: "shop",
    role: "clerk",
    permission: { columns: ["id"], filter: { open: { _eq: true } } },
  });
}, 60_000);

beforeEach(() =>
  query(
    server.databaseUrl,
    `truncate item, shop, counter, day, plain;
     insert into shop values (1, true), (2, false);
     insert into item values (1, 'a', 10, 'x', false, 1), (2, 'b', 20, 'y', true, 2), (3, 'it''s "c", (d)\\', null, null, false, 2)`,
  ),
);

afterAll(() => server?.close());

const run = (text: string, role?: string): Promise<unknown> =>
  server.graphql(`mutation { ${text} }`, role ? { "x-engine-role": role } : undefined);
const fields = "changes { inserted old { id name price } new { id name price } }";

describe("changes", () => {
  it("An update returns rows as they were before and after it", async () => {
    expect(
      await run(`update_item(where: {id: {_in: [1, 3]}}, _inc: {price: 5}, _set: {secret: "z"}) {
        affected_rows returning { id } changes { __typename inserted old { secret price name } new { secret price store { open } } } }`),
    ).toEqual({
      data: {
        update_item: {
          affected_rows: 2,
          returning: [{ id: 1 }, { id: 3 }],
          changes: [
            {
              __typename: "item_change",
              inserted: false,
              old: { secret: "x", price: 10, name: "a" },
              new: { secret: "z", price: 15, store: { open: true } },
            },
            {
              __typename: "item_change",
              inserted: false,
              old: { secret: null, price: null, name: 'it\'s "c", (d)\\' },
              new: { secret: "z", price: null, store: { open: false } },
            },
          ],
        },
      },
    });
  });

  it("Each of several updates lists its own changes, also of keys and of no row", async () => {
    expect(
      await run(`update_item_many(updates: [{where: {id: {_eq: 1}}, _set: {id: 9}}, {where: {id: {_eq: 9}}, _set: {price: 1}},
        {where: {id: {_eq: 77}}, _set: {price: 1}}]) { changes { old { id price } new { id price } } }`),
    ).toEqual({
      data: {
        update_item_many: [
          { changes: [{ old: { id: 1, price: 10 }, new: { id: 9, price: 10 } }] },
          { changes: [{ old: { id: 9, price: 10 }, new: { id: 9, price: 1 } }] },
          { changes: [] },
        ],
      },
    });
  });

  it("Changes of inserts have no old row, and changes of deletes no new row", async () => {
    expect(
      await run(`insert_item(objects: [{id: 5, name: "e"}, {id: 6, name: "f", price: 1}]) { ${fields} }
        delete_item(where: {id: {_in: [1, 5]}}) { ${fields} }`),
    ).toEqual({
      data: {
        insert_item: {
          changes: [
            { inserted: true, old: null, new: { id: 5, name: "e", price: null } },
            { inserted: true, old: null, new: { id: 6, name: "f", price: 1 } },
          ],
        },
        delete_item: {
          changes: [
            { inserted: false, old: { id: 1, name: "a", price: 10 }, new: null },
            { inserted: false, old: { id: 5, name: "e", price: null }, new: null },
          ],
        },
      },
    });
  });

  it("Changes of an upsert distinguish inserted from updated rows, also on partitioned tables", async () => {
    expect(
      await run(`insert_item(objects: [{id: 4, name: "n"}, {id: 1, name: "a2"}, {id: 5, name: "m"}],
          on_conflict: {constraint: item_pkey, update_columns: [name]}) { affected_rows ${fields} }
        first: insert_day(objects: [{at: "2024-01-01", name: "x", n: 1}]) { affected_rows }
        insert_day(objects: [{at: "2024-01-01", name: "x", n: 2}, {at: "2024-01-01", name: "y", n: 3}],
          on_conflict: {constraint: day_pkey, update_columns: [n]}) { changes { inserted old { n } new { n } } }`),
    ).toEqual({
      data: {
        insert_item: {
          affected_rows: 3,
          changes: [
            { inserted: true, old: null, new: { id: 4, name: "n", price: null } },
            { inserted: false, old: { id: 1, name: "a", price: 10 }, new: { id: 1, name: "a2", price: 10 } },
            { inserted: true, old: null, new: { id: 5, name: "m", price: null } },
          ],
        },
        first: { affected_rows: 1 },
        insert_day: {
          changes: [
            { inserted: false, old: { n: 1 }, new: { n: 2 } },
            { inserted: true, old: null, new: { n: 3 } },
          ],
        },
      },
    });
  });

  it("Changes contain no old row that the role could not select, and no hidden column or related row", async () => {
    const shown = "changes { inserted old { id } new { id price } }";
    const change = (...changes: object[]) => ({ changes });
    expect(
      await run(
        `a: update_item(where: {id: {_eq: 1}}, _set: {hidden: true}) { ${shown} }
         b: update_item(where: {}, _set: {price: 3, hidden: false}) { ${shown} }
         c: insert_item(objects: [{id: 3, name: "c"}], on_conflict: {constraint: item_pkey, update_columns: [name]}) {
           changes { old { store { id } } } }
         d: update_item(where: {id: {_eq: 2}}, _set: {hidden: true}) { affected_rows }
         e: insert_item(objects: [{id: 2, name: "c2"}], on_conflict: {constraint: item_pkey, update_columns: [name]}) { ${shown} }
         f: delete_item(where: {id: {_eq: 2}}) { ${shown} }`,
        "clerk",
      ),
    ).toEqual({
      data: {
        a: change({ inserted: false, old: { id: 1 }, new: { id: 1, price: 10 } }),
        b: change(
          { inserted: false, old: null, new: { id: 2, price: 3 } },
          { inserted: false, old: { id: 3 }, new: { id: 3, price: 3 } },
          { inserted: false, old: null, new: { id: 1, price: 3 } },
        ),
        c: change({ old: { store: null } }),
        d: { affected_rows: 1 },
        e: change({ inserted: false, old: null, new: { id: 2, price: 3 } }),
        f: change({ inserted: false, old: null, new: null }),
      },
    });
    const hidden = await run("update_item(where: {}, _set: {price: 1}) { changes { old { secret } } }", "clerk");
    expect(hidden).toMatchObject({ errors: [{ extensions: { code: "validation-failed" } }] });
    const checked = await run(`update_item(where: {}, _set: {price: 5000}) { ${fields} }`, "clerk");
    expect(checked).toMatchObject({ errors: [{ extensions: { code: "permission-error" } }] });
  });

  it("The response of a nested insert contains the changes of its rows", async () => {
    expect(
      await run(`insert_item(objects: [{id: 8, name: "h", store: {data: {id: 8, open: true}}}, {id: 1, name: "z"}],
        on_conflict: {constraint: item_pkey, update_columns: [name]}) {
          affected_rows changes { inserted old { name } new { name store { id } } } }`),
    ).toEqual({
      data: {
        insert_item: {
          affected_rows: 3,
          changes: [
            { inserted: true, old: null, new: { name: "h", store: { id: 8 } } },
            { inserted: false, old: { name: "a" }, new: { name: "z", store: { id: 1 } } },
          ],
        },
      },
    });
  });

  it("Tables with a primary key have the field `changes`, unless another type has the name of its type", async () => {
    const fieldsOf = async (type: string) => {
      const { json } = await server.post("/v1/graphql", { query: `{ __type(name: "${type}") { fields { name } } }` });
      return json.data.__type?.fields.map(({ name }: { name: string }) => name);
    };
    expect(await fieldsOf("plain_mutation_response")).toEqual(["affected_rows", "returning"]);
    expect(await fieldsOf("item_mutation_response")).toEqual(["affected_rows", "changes", "returning"]);
    expect(await fieldsOf("item_part_mutation_response")).toEqual(["affected_rows", "returning"]);
    expect(await fieldsOf("item_part_change")).toEqual(["id"]);
    expect(await fieldsOf("item_part_change_mutation_response")).toEqual(["affected_rows", "changes", "returning"]);
    await server.metadata("pg_untrack_table", { table: "item_part_change" });
    expect(await fieldsOf("item_part_mutation_response")).toEqual(["affected_rows", "changes", "returning"]);
    await server.metadata("pg_track_table", { table: "item_part_change" });
  });

  it("Concurrent updates of a row return changes that form one chain without gaps", { timeout: 60_000 }, async () => {
    const upsert = `insert_counter(objects: [{key: 1, n: 1}], on_conflict: {constraint: counter_pkey, update_columns: [n]}) {
      changes { inserted old { n } new { n } } }`;
    const update = "update_counter(where: {key: {_eq: 1}}, _set: {n: 1}) { changes { inserted old { n } new { n } } }";
    const [first] = [await run(upsert)];
    const answers = [first, ...(await Promise.all(Array.from({ length: 50 }, (_, i) => run(i % 2 ? upsert : update))))];
    const links = answers.map((answer) => {
      const { data } = answer as { data: Record<string, { changes: readonly unknown[] }> };
      return Object.values(data)[0]?.changes;
    });
    const expected = Array.from({ length: 51 }, (_, i) => [
      { inserted: i === 0, old: i === 0 ? null : { n: i }, new: { n: i + 1 } },
    ]);
    const place = (link: unknown): number => (link as [{ new: { n: number } }])[0].new.n;
    expect(links.sort((a, b) => place(a) - place(b))).toEqual(expected);
  });
});
