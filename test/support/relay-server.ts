/** A server with tables whose keys and columns have many types, queried through the Relay API. */
import { afterAll, beforeAll, expect } from "vitest";
import { query } from "./database.ts";
import { startTestServer, type TestServer } from "./server.ts";

const schema = `
  create table shelf (id integer primary key, label text, floor integer);
  create type size as (height integer, width integer);
  create table item (
    id integer primary key, name text, weight real, price numeric, code bigint, tags integer[], extra jsonb, box size,
    at timestamptz, open boolean, mood text not null, shelf_id integer references shelf
  );
  create table part (
    item_id integer not null references item, no text not null, grams real, made date, primary key (no, item_id)
  );
  create view open_item as select * from item where open;
  create table sealed (key jsonb primary key, spots integer[] not null);
  create function items_like(search text) returns setof item language sql stable as
    $$ select * from item where name like '%' || search || '%' $$;

  insert into shelf values (1, 'low', 1), (2, null, 2), (3, 'high', null);
  insert into item
    select i, case when i % 5 > 0 then 'n' || i % 4 end, case when i % 3 > 0 then i % 4 * 0.1 end,
      case when i % 7 > 0 then (i % 3)::numeric / 7 end, case when i % 4 > 0 then 9007199254740993 + i % 3 end,
      case when i % 6 > 0 then array[i % 2, null, i % 3] end,
      case i % 4 when 0 then null when 1 then 'null'::jsonb when 2 then '"x\\"y"' else '{"a": [1, "b"]}' end,
      case when i % 5 > 1 then row(i % 2, null)::size end,
      case when i % 5 > 0 then timestamptz '2020-01-01 00:00:00.123456+00' + i % 4 * interval '1 microsecond' end,
      case when i % 3 > 0 then i % 2 = 0 end, (array['grim', E'glad\\nsad', 'ünï'])[1 + i % 3],
      case when i % 4 > 0 then i % 4 end
    from generate_series(1, 29) i;
  insert into part
    select i, chr(96 + n), case when n > 1 then n * 0.1 * (i % 3) end, date '2020-02-28' + i % 3
    from generate_series(1, 29) i, generate_series(1, 3) n where n <= i % 4;
  insert into sealed values ('{"a": "ü"}', '{1,2}'), ('"text"', '{}'), ('null', '{3}');
`;

const table = (name: string, more: object = {}) => ({ table: { schema: "public", name }, ...more });
const select = (role: string, permission: object) => ({
  role,
  permission: { columns: "*", filter: {}, ...permission },
});
const column = (columns: readonly string[]) => ({ columns, filter: {} });

const tables = [
  table("shelf", {
    array_relationships: [
      {
        name: "items",
        using: { foreign_key_constraint_on: { table: { schema: "public", name: "item" }, column: "shelf_id" } },
      },
    ],
    select_permissions: [{ role: "reader", permission: { columns: ["label"], filter: {} } }],
  }),
  table("item", {
    object_relationships: [{ name: "shelf", using: { foreign_key_constraint_on: "shelf_id" } }],
    array_relationships: [
      {
        name: "parts",
        using: { foreign_key_constraint_on: { table: { schema: "public", name: "part" }, column: "item_id" } },
      },
      {
        name: "open_items",
        using: {
          manual_configuration: { remote_table: { schema: "public", name: "open_item" }, column_mapping: { id: "id" } },
        },
      },
    ],
    insert_permissions: [{ role: "reader", permission: { ...column(["name"]), check: {}, backend_only: true } }],
    select_permissions: [
      select("reader", { columns: ["name", "mood"], filter: { weight: { _lt: 0.25 } }, limit: 4 }),
      select("weighed", { filter: { weight: { _lt: 0.25 } }, query_root_fields: ["select_by_pk"] }),
      select("listed", { query_root_fields: ["select"], subscription_root_fields: ["select_by_pk"] }),
      select("related", { query_root_fields: [] }),
    ],
  }),
  table("part", {
    object_relationships: [{ name: "item", using: { foreign_key_constraint_on: "item_id" } }],
  }),
  table("open_item"),
  table("sealed"),
];

export let server: TestServer;

/** Starts the server before the tests of the file that calls this, and closes it after them. */
export function useRelayServer(): void {
  beforeAll(async () => {
    server = await startTestServer();
    await query(server.databaseUrl, schema);
    await server.metadata("replace_metadata", {
      version: 3,
      sources: [
        {
          name: "default",
          kind: "postgres",
          tables,
          functions: [{ function: { schema: "public", name: "items_like" } }],
          configuration: { connection_info: { database_url: { from_env: "ENGINE_GRAPHQL_DATABASE_URL" } } },
        },
      ],
    });
  });

  afterAll(() => server?.close());
}

export async function relay(document: string, variables: object = {}, headers: Record<string, string> = {}) {
  const answer = await server.post("/v1beta1/relay", { query: document, variables }, headers);
  expect(answer.status).toBe(200);
  return answer.json;
}

export const role = (name: string) => ({ "x-engine-role": name });
export const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64");
export const encodeSpaced = (text: string) => Buffer.from(text).toString("base64");
export const itemId = (id: number) => encodeSpaced(`[1, "public", "item", ${id}]`);
