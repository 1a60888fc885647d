/** Database values that reach remote servers as join keys: they remain values, and remain hidden. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { query } from "../../support/database.ts";
import { type RemoteGraphql, startRemoteGraphql } from "../../support/remote-graphql.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";

const sdl = `
  scalar json
  type Query { echo(text: String): String any(value: json): String secret: String }
`;

/** Terminators of strings, arguments, fields and lines, which must not become part of a request. */
const hostile = [
  '") } secret: secret #',
  '\\") secret }',
  '""" secret """',
  "line\nbreak \u2028 \u0007",
  "{a: 1}",
  "$variable",
];

let remote: RemoteGraphql;
let server: TestServer;

beforeAll(async () => {
  remote = await startRemoteGraphql(sdl, 0, {
    root: { echo: ({ text }: { text: string }) => text, any: () => "seen", secret: () => "leaked" },
  });
  server = await startTestServer({
    environment: {
      REMOTE: `http://127.0.0.1:${remote.port}/graphql`,
      ENGINE_GRAPHQL_ENABLE_REMOTE_SCHEMA_PERMISSIONS: "true",
    },
  });
  await query(server.databaseUrl, "create table note (id int primary key, text text, tree json)");
  for (const [i, text] of hostile.entries()) {
    await query(server.databaseUrl, `insert into note values (${i}, '${text.replaceAll("'", "''")}', '{"deep": [1]}')`);
  }
  await server.metadata("add_remote_schema", { name: "remote", definition: { url_from_env: "REMOTE" } });
  await server.metadata("add_remote_schema_permissions", {
    remote_schema: "remote",
    role: "guest",
    definition: { schema: "scalar json type Query { echo(text: String): String any(value: json): String }" },
  });
  await server.metadata("pg_track_table", { table: "note" });
  await server.metadata("pg_create_select_permission", {
    table: "note",
    role: "guest",
    permission: { columns: ["id"], filter: {} },
  });
  const relationship = (name: string, column: string, field: string, argument: string) =>
    server.metadata("pg_create_remote_relationship", {
      table: "note",
      name,
      definition: {
        to_remote_schema: {
          remote_schema: "remote",
          lhs_fields: [column],
          remote_field: { [field]: { arguments: { [argument]: `$${column}` } } },
        },
      },
    });
  await relationship("echoed", "text", "echo", "text");
  await relationship("seen", "tree", "any", "value");
}, 60_000);

afterAll(async () => {
  await server?.close();
  await remote?.close();
});

const guest = { "x-engine-role": "guest" };

it("Texts of a column stay texts in remote requests", async () => {
  const answer = await server.graphql("{ note(order_by: {id: asc}) { echoed } }", guest);
  expect(answer).toEqual({ data: { note: hostile.map((echoed) => ({ echoed })) } });
});

it("Names inside JSON keys become part of neither a request nor an error", async () => {
  expect(await server.graphql("{ note(limit: 1) { seen } }", guest)).toEqual({ data: { note: [{ seen: "seen" }] } });
  remote.requests.length = 0;
  await query(server.databaseUrl, `update note set tree = '{"x: 1}) secret: secret any(value: {y": 1}'`);
  const answer = await server.graphql("{ note { seen } }", guest);
  expect(answer).toMatchObject({
    errors: [{ message: "a join key of a remote schema relationship is not a valid GraphQL value" }],
  });
  expect(JSON.stringify(answer)).not.toContain("secret");
  expect(remote.requests).toEqual([]);
});
