/** The tables that the load uses, and their metadata. */

export const tables = `
  create table ledger (id bigserial primary key, key text not null);
  create table counter (id int primary key, value bigint not null);
  insert into counter values (1, 0);
  create table item (id int primary key, shelf int not null, name text not null);
  insert into item select n, n % 50, 'item ' || n from generate_series(1, 1000) n;
  create index on item (shelf);
  create view slow_item as select item.id, pg_sleep(5)::text as pause from item where id = 1;
  create function wide(size int) returns setof item language sql stable as
    'select id, shelf, repeat(''x'', size) from item where id = 1';
`;

export const user = { "x-engine-role": "user" };

/** Metadata operations, in order. */
export const metadata: readonly unknown[] = [
  ...["ledger", "counter", "item", "slow_item"].map((table) => ({ type: "pg_track_table", args: { table } })),
  { type: "pg_track_function", args: { function: "wide" } },
  {
    type: "pg_create_select_permission",
    args: { table: "item", role: "user", permission: { columns: "*", filter: {} } },
  },
  {
    type: "create_query_collection",
    args: {
      name: "rest",
      definition: {
        queries: [{ name: "shelf", query: "query ($shelf: Int!) { item(where: {shelf: {_eq: $shelf}}) { id } }" }],
      },
    },
  },
  {
    type: "create_rest_endpoint",
    args: {
      name: "shelf",
      url: "shelf/:shelf",
      methods: ["GET"],
      definition: { query: { collection_name: "rest", query_name: "shelf" } },
    },
  },
];

/** Inserts a row and increments the counter in one transaction: the counter equals the number of rows. */
export const write = `mutation ($key: String!) {
  insert_ledger_one(object: {key: $key}) { id }
  update_counter_by_pk(pk_columns: {id: 1}, _inc: {value: 1}) { value }
}`;
export const read = "query ($shelf: Int!) { item(where: {shelf: {_eq: $shelf}}, order_by: {id: asc}) { id name } }";
export const liveCounter = "subscription { counter_by_pk(id: 1) { value } }";
/** Streams all rows after the latest one received. */
export const ledgerStream = (latest: number): string =>
  `subscription { ledger_stream(batch_size: 100, cursor: {initial_value: {id: ${Math.max(latest, 0)}}}) { id } }`;
