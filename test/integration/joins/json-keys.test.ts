/** Join keys of JSON types: SQL texts match JSON strings, and JSON strings match SQL texts. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { createDatabase, query, type TestDatabase } from "../../support/database.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";

const left = `
  create table note (id int primary key, doc jsonb, name text);
  insert into note values (1, '"it''s \\"q\\""', 'it''s "q"'), (2, '{"a": [1, "x"]}', '7'), (3, '7', 'none'), (4, 'null', null);
`;

const right = `
  create table document (id int primary key, body jsonb, plain json, words text, number int);
  insert into document values
    (1, '"it''s \\"q\\""', '1', 'it''s "q"', 1), (2, '{"a":[1,"x"]}', '2', '{"a": [1, "x"]}', 1),
    (3, '7', '3', '7', 7), (4, '"7"', '4', null, 1), (5, 'null', null, 'null', null);
`;

let other: TestDatabase;
let server: TestServer;

beforeAll(async () => {
  other = await createDatabase("joined_json");
  await query(other.url, right);
  server = await startTestServer({ environment: { OTHER: other.url } });
  await query(server.databaseUrl, left);
  await server.metadata("pg_track_table", { table: "note" });
  const configuration = { connection_info: { database_url: { from_env: "OTHER" } } };
  await server.metadata("pg_add_source", { name: "other", configuration });
  await server.metadata("pg_track_table", { source: "other", table: "document" });
  for (const [name, field_mapping] of Object.entries({
    json_to_json: { doc: "body" },
    json_to_text: { doc: "words" },
    text_to_json: { name: "body" },
    both: { id: "id", doc: "body" },
  })) {
    const to_source = { source: "other", table: "document", relationship_type: "array", field_mapping };
    await server.metadata("pg_create_remote_relationship", { table: "note", name, definition: { to_source } });
  }
});

afterAll(async () => {
  await server?.close();
  await other?.drop();
});

const found = (...ids: readonly number[]) => ids.map((id) => ({ id }));

it.each([
  ["json_to_json", [found(1), found(2), found(3), null]],
  ["json_to_text", [found(1), found(2), found(3), null]],
  ["text_to_json", [found(1), found(4), [], null]],
  ["both", [found(1), found(2), found(3), null]],
])("JSON keys are compared by their values: %s", async (name, values) => {
  const answer = await server.graphql(`{ note(order_by: {id: asc}) { ${name} { id } } }`);
  expect(answer).toEqual({ data: { note: values.map((value) => ({ [name]: value })) } });
});

it("Saved operations compare JSON keys by their values", async () => {
  const text = "query named { note(order_by: {id: asc}) { json_to_json { id } text_to_json { id } } }";
  await server.metadata("create_query_collection", {
    name: "saved",
    definition: { queries: [{ name: "named", query: text }] },
  });
  const endpoint = { name: "named", url: "named", methods: ["GET"] };
  const definition = { query: { collection_name: "saved", query_name: "named" } };
  await server.metadata("create_rest_endpoint", { ...endpoint, definition });
  const response = await fetch(`${server.url}/api/rest/named`);
  expect(await response.json()).toEqual(await server.graphql(text));
});
