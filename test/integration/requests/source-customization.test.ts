/** Naming conventions, namespaces, prefixes and suffixes of sources, from metadata to results. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { query } from "../../support/database.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";
import { WebsocketClient } from "../../support/websocket.ts";

const schema = `
  create table ship_state (state text primary key, meaning text);
  insert into ship_state values ('at_sea', 'Nowhere near.'), ('moored', 'At a berth.');
  create table cargo_ship (
    ship_id int primary key, ship_name text not null unique, current_state text not null references ship_state,
    extra_data jsonb
  );
  insert into cargo_ship values (1, 'Anna', 'moored', '{"a": 1}'), (2, 'Berta', 'at_sea', null);
  create table log_entry (entry_id int primary key, ship_id int not null references cargo_ship, entry_text text);
  insert into log_entry values (1, 1, 'x'), (2, 1, 'y');
  create function ships_like(first_letters text, text default '') returns setof cargo_ship language sql stable as
    $$ select * from cargo_ship where starts_with(ship_name, first_letters) and ship_name <> $2 $$;
`;

const cargoShip = {
  table: "cargo_ship",
  array_relationships: [
    { name: "log_entries", using: { foreign_key_constraint_on: { column: "ship_id", table: "log_entry" } } },
  ],
};

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ environment: { ENGINE_GRAPHQL_EXPERIMENTAL_FEATURES: "naming_convention" } });
});

afterAll(() => server.close());

beforeEach(() => query(server.databaseUrl, schema).then(() => undefined));
afterEach(() =>
  query(server.databaseUrl, "drop function ships_like; drop table log_entry, cargo_ship, ship_state").then(
    () => undefined,
  ),
);

async function load(customization: object, more: object = {}): Promise<void> {
  await server.metadata("replace_metadata", {
    metadata: {
      version: 3,
      sources: [
        {
          name: "default",
          kind: "postgres",
          customization,
          configuration: { connection_info: { database_url: { from_env: "ENGINE_GRAPHQL_DATABASE_URL" } } },
          tables: [
            { table: "ship_state", is_enum: true },
            cargoShip,
            {
              table: "log_entry",
              configuration: { custom_name: "diary_page", column_config: { entry_text: { custom_name: "the_text" } } },
            },
          ],
          functions: [{ function: "ships_like" }],
          ...more,
        },
      ],
    },
  });
}

async function data(text: string, variables?: unknown): Promise<unknown> {
  const answer = (await server.graphql(text, {}, variables)) as { data?: unknown };
  expect(answer).toEqual({ data: expect.anything() });
  return answer.data;
}

describe("The graphql-default naming convention in requests", () => {
  beforeEach(() => load({ naming_convention: "graphql-default" }));

  it("graphql-default names work in queries", async () => {
    const text = `query ($states: [ShipStateEnum!]) {
      cargoShip(
        where: {currentState: {_in: $states}, extraData: {_hasKey: "a"}, shipName: {_isNull: false}}
        orderBy: [{currentState: DESC_NULLS_LAST}, {log_entriesAggregate: {max: {the_text: ASC}}}], distinctOn: [currentState]
      ) {
        __typename shipId currentState
        log_entries(orderBy: {entryId: DESC}) { the_text }
        log_entriesAggregate { aggregate { stddevPop { entryId } count } }
      }
      diary_pageByPk(entryId: 1) { __typename }
      shipsLike(args: {firstLetters: "B", arg1: "Bella"}) { shipName }
    }`;
    expect(await data(text, { states: ["MOORED"] })).toEqual({
      cargoShip: [
        {
          __typename: "CargoShip",
          shipId: 1,
          currentState: "MOORED",
          log_entries: [{ the_text: "y" }, { the_text: "x" }],
          log_entriesAggregate: { aggregate: { stddevPop: { entryId: 0.5 }, count: 2 } },
        },
      ],
      diary_pageByPk: { __typename: "diary_page" },
      shipsLike: [{ shipName: "Berta" }],
    });
  });

  it("graphql-default names work in mutations", async () => {
    const text = `mutation {
      insertCargoShip(
        objects: [{shipId: 2, shipName: "Carla", currentState: AT_SEA}]
        onConflict: {constraint: cargo_ship_pkey, updateColumns: [shipName]}
      ) { affectedRows returning { shipName currentState } }
      updateCargoShipByPk(pkColumns: {shipId: 1}, _deleteKey: {extraData: "a"}, _set: {currentState: AT_SEA}) {
        extraData currentState
      }
      deleteDiary_pageByPk(entryId: 1) { the_text }
    }`;
    expect(await data(text)).toEqual({
      insertCargoShip: { affectedRows: 1, returning: [{ shipName: "Carla", currentState: "AT_SEA" }] },
      updateCargoShipByPk: { extraData: {}, currentState: "AT_SEA" },
      deleteDiary_pageByPk: { the_text: "x" },
    });
  });

  it("graphql-default enum values are accepted only by their schema names", async () => {
    const failure = await server.graphql("{ cargoShip(where: {currentState: {_eq: moored}}) { shipId } }");
    expect(failure).toMatchObject({
      errors: [
        {
          message: "expected one of the values ['AT_SEA', 'MOORED'] for type 'ShipStateEnum', but found 'moored'",
          extensions: { path: "$.selectionSet.cargoShip.args.where.currentState._eq", code: "validation-failed" },
        },
      ],
    });
  });

  it("JSON data operations keep their operators under graphql-default", async () => {
    const where = { ship_name: { $is_null: false }, extra_data: { _has_key: "a" } };
    const args = { table: "cargo_ship", columns: ["ship_id"], where, order_by: ["+ship_name"] };
    expect((await server.post("/v1/query", { type: "select", args })).json).toEqual([{ ship_id: 1 }]);
  });
});

describe("Two sources with equal type names", () => {
  it("Equal type names are refused until one source has a type prefix", async () => {
    const source = (name: string, column: string, prefix: string, types: object = {}) => ({
      name,
      kind: "postgres",
      customization: { root_fields: { prefix }, type_names: types },
      configuration: { connection_info: { database_url: { from_env: "ENGINE_GRAPHQL_DATABASE_URL" } } },
      tables: [
        {
          table: "log_entry",
          configuration: {
            column_config: { [column]: { custom_name: "value" } },
          },
        },
      ],
    });
    const one = source("one", "entry_text", "a_");
    const alike = { version: 3, sources: [one, source("two", "ship_id", "b_")] };
    const refused = await server.post("/v1/metadata", { type: "replace_metadata", args: { metadata: alike } });
    expect(refused.json.error).toMatch(
      "Found conflicting definitions for GraphQL type 'log_entry' by [table log_entry in source one, table log_entry in source two]",
    );
    const sources = [one, source("two", "ship_id", "b_", { prefix: "b_" })];
    await server.metadata("replace_metadata", { metadata: { version: 3, sources } });
    const text = "{ a_log_entry_by_pk(entry_id: 1) { value } b_log_entry_by_pk(entry_id: 1) { value } }";
    expect(await data(text)).toEqual({ a_log_entry_by_pk: { value: "x" }, b_log_entry_by_pk: { value: 1 } });
    const where =
      '{ a_log_entry(where: {value: {_eq: "y"}}) { entry_id } b_log_entry(where: {value: {_lt: 0}}) { value } }';
    expect(await data(where)).toEqual({ a_log_entry: [{ entry_id: 2 }], b_log_entry: [] });
  });
});

describe("Root field namespaces", () => {
  const customization = {
    root_fields: { namespace: "port", prefix: "a_", suffix: "_z" },
    type_names: { prefix: "P_", suffix: "_Q" },
  };

  beforeEach(() => load(customization));

  it("A namespace contains the query fields", async () => {
    const text = `query ($no: Boolean = false) {
      port { __typename a_cargo_ship_z(order_by: {ship_id: asc}, limit: 1) { __typename ship_id } }
      again: port { x: a_cargo_ship_by_pk_z(ship_id: 2) { ship_name } }
      port { a_cargo_ship_z(order_by: {ship_id: asc}, limit: 1) { ship_name } }
      empty: port { a_cargo_ship_z @include(if: $no) { ship_id } }
      __typename
    }`;
    expect(await data(text)).toEqual({
      port: {
        __typename: "P_port_query_Q",
        a_cargo_ship_z: [{ __typename: "P_cargo_ship_Q", ship_id: 1, ship_name: "Anna" }],
      },
      again: { x: { ship_name: "Berta" } },
      empty: {},
      __typename: "query_root",
    });
  });

  it("A namespace is part of error paths", async () => {
    const missing = (await server.graphql("{ port { cargo_ship { ship_id } } }")) as { errors: unknown };
    expect(missing.errors).toEqual([
      {
        message: "field 'cargo_ship' not found in type: 'P_port_query_Q'",
        extensions: { path: "$.selectionSet.port.selectionSet.cargo_ship", code: "validation-failed" },
      },
    ]);
    const duplicate = (await server.graphql(
      `mutation { port { a_insert_cargo_ship_z(objects: [{ship_id: 1, ship_name: "x", current_state: moored}]) { affected_rows } } }`,
    )) as { errors: { extensions: unknown }[] };
    expect(duplicate.errors[0]?.extensions).toMatchObject({
      path: "$.selectionSet.port.selectionSet.a_insert_cargo_ship_z.args.objects",
      code: "constraint-violation",
    });
  });

  it("A namespace contains the mutation fields, which run in one transaction", async () => {
    const text = (second: number) => `mutation {
      port {
        __typename
        a_delete_diary_page_by_pk_z(entry_id: 1) { the_text }
        a_insert_cargo_ship_one_z(object: {ship_id: ${second}, ship_name: "C", current_state: moored}) { ship_id }
      }
    }`;
    expect(await server.graphql(text(1))).toHaveProperty("errors");
    expect(await data(text(3))).toEqual({
      port: {
        __typename: "P_port_mutation_frontend_Q",
        a_delete_diary_page_by_pk_z: { the_text: "x" },
        a_insert_cargo_ship_one_z: { ship_id: 3 },
      },
    });
  });

  it("A namespace has named types in introspection", async () => {
    const text = `{ __schema { queryType { fields { name type { kind ofType { name } } } } subscriptionType { fields { name } } }
      __type(name: "P_port_subscription_Q") { fields { name } } }`;
    const { __schema, __type } = (await data(text)) as { __schema: unknown; __type: { fields: { name: string }[] } };
    expect(__schema).toEqual({
      queryType: { fields: [{ name: "port", type: { kind: "NON_NULL", ofType: { name: "P_port_query_Q" } } }] },
      subscriptionType: { fields: [{ name: "port" }] },
    });
    expect(__type.fields.map(({ name }) => name)).toContain("a_cargo_ship_stream_z");
  });

  it("A namespace contains the subscription fields, one namespace per subscription", async () => {
    const client = await WebsocketClient.open(server.url, { protocol: "graphql-ws" });
    client.send({ type: "connection_init", payload: {} });
    await client.take(3);
    const start = (id: string, text: string) => client.send({ type: "start", id, payload: { query: text } });
    start("1", `subscription { p: port { __typename a_log: a_diary_page_by_pk_z(entry_id: 2) { the_text } } }`);
    expect(await client.next()).toEqual({
      type: "data",
      id: "1",
      payload: { data: { p: { __typename: "P_port_subscription_Q", a_log: { the_text: "y" } } } },
    });
    client.send({ type: "stop", id: "1" });
    const rows = "port { a_cargo_ship_z { ship_id } }";
    start("2", `subscription @_multiple_top_level_fields { a: ${rows} b: ${rows} }`);
    let message = await client.next();
    while ((message as { id?: string }).id !== "2") message = await client.next();
    expect(message).toMatchObject({
      type: "error",
      payload: { errors: [{ message: "subscriptions must select one top level field" }] },
    });
    client.close();
  });

  it("A namespace follows the naming convention", async () => {
    await load({ ...customization, naming_convention: "graphql-default" });
    expect(await data("{ port { __typename a_CargoShip_z { shipId } } }")).toMatchObject({
      port: { __typename: "P_PortQuery_Q" },
    });
  });
});
