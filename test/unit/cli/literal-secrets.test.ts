import { expect, it } from "vitest";
import type { JsonObject } from "../../../compiler/catalog/model.ts";
import { literalSecrets } from "../../../runtime/cli/build/literal-secrets.ts";

const database = (connection_info: JsonObject) => ({
  version: 3,
  sources: [{ name: "default", kind: "postgres", tables: [], configuration: { connection_info } }],
});

const connection = "$.sources[0].configuration.connection_info";

it.each([
  ["a password in a URL", { database_url: "postgres://app:hunter2@db/shop" }, ["database_url"]],
  ["a password as a parameter of a URL", { database_url: "postgres://db/shop?password=hunter2" }, ["database_url"]],
  [
    "a password among connection parameters",
    { database_url: { connection_parameters: { host: "db", username: "app", password: "hunter2" } } },
    ["database_url.connection_parameters.password"],
  ],
  ["a connection string", { connection_string: "Server=db;Uid=app;Pwd=hunter2" }, ["connection_string"]],
  ["a URL without a password", { database_url: "postgres://app@db/shop" }, []],
  ["the name of a variable", { database_url: { from_env: "DATABASE_URL" } }, []],
] satisfies (readonly [string, JsonObject, string[]])[])("literalSecrets reports %s", (_, info, expected) => {
  expect(literalSecrets(database(info))).toEqual(expected.map((path) => `${connection}.${path}`));
});

it("literalSecrets reports header values, except those of well-known public headers", () => {
  const headers = [
    { name: "Authorization", value: "Bearer abc" },
    { name: "X-Api-Key", value_from_env: "API_KEY" },
    { name: "Content-Type", value: "application/json" },
    { name: "X-Region", value: "north" },
  ];
  expect(
    literalSecrets({ version: 3, actions: [{ name: "a", definition: { handler: "http://a", headers } }] }),
  ).toEqual(["$.actions[0].definition.headers[0].value", "$.actions[0].definition.headers[3].value"]);
});

it("literalSecrets reports webhook URLs with a password", () => {
  const validate_input = { type: "http", definition: { url: "https://me:hunter2@checks/" } };
  const table = { table: "book", insert_permissions: [{ role: "user", permission: { check: {}, validate_input } }] };
  expect(literalSecrets({ version: 3, sources: [{ name: "default", tables: [table] }] })).toEqual([
    "$.sources[0].tables[0].insert_permissions[0].permission.validate_input.definition.url",
  ]);
});

it("literalSecrets ignores queries and comments", () => {
  const queries = [{ name: "a", query: "query ($password: String) { user { password = 1 } }" }];
  expect(
    literalSecrets({
      version: 3,
      query_collections: [{ name: "all", comment: "password = none", definition: { queries } }],
      sources: [{ name: "default", native_queries: [{ code: "select 1 where password = {{given}}" }] }],
    }),
  ).toEqual([]);
});
