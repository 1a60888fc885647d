/** What is accepted and not acted on is said: in a header, in the log of the start, and by `metadata apply`. */

import { afterAll, beforeAll, expect, it } from "vitest";
import { runCommand } from "../support/command-line.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { temporaryDirectory } from "../unit/metadata-directory/temporary-directory.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server?.close());

const connection_info = { database_url: { from_env: "ENGINE_GRAPHQL_DATABASE_URL" } };
const source = (more: object, configuration: object = {}) => ({
  name: "default",
  kind: "postgres",
  tables: [],
  configuration: { connection_info, ...configuration },
  ...more,
});

const placed = [
  "$.sources[0].configuration.connection_set: is stored and has no effect without a connection_template, which leads requests to it",
  "$.sources[0].customization.naming_convention: is stored and has no effect without the experimental feature naming_convention: set --experimental-features naming_convention",
  '$.sources[0].tables[0].select_permissions[0].permission.filter.owner._eq: "X-App-User-Id" is compared as a constant: session variables begin with x-engine-; map other names with --header-alias, or rename them with engine import',
  '$.api_limits.rate_limit.global.unique_params[1]: no request has "X-Hasura-Org-Id", which tells no clients apart: session variables begin with x-engine-',
];

it("by the metadata API and the command line, and when the server starts again", async () => {
  const sql = "create table thing (owner text)";
  await server.post("/v2/query", { type: "run_sql", args: { sql } });
  const before = await server.post("/v1/metadata", { type: "export_metadata", args: {} });
  expect(before.headers.get("warning")).toBeNull();
  const permission = { columns: ["owner"], filter: { owner: { _eq: "X-App-User-Id" } } };
  const table = { table: "thing", select_permissions: [{ role: "user", permission }] };
  const unique_params = ["x-engine-user-id", "X-Hasura-Org-Id"];
  const metadata = {
    version: 3,
    api_limits: { rate_limit: { global: { max_reqs_per_min: 1000, unique_params } } },
    sources: [
      source(
        { tables: [table], customization: { naming_convention: "graphql-default" } },
        { connection_set: [{ name: "unused", connection_info }] },
      ),
    ],
  };
  const replaced = await server.post("/v1/metadata", { type: "replace_metadata", args: metadata });
  expect(replaced.json).toEqual({ message: "success" });
  const quoted = placed.map((line) => `299 engine "${line.replaceAll('"', '\\"')}"`);
  expect(replaced.headers.get("warning")).toBe(quoted.join(", "));

  const project = await temporaryDirectory({
    "config.yaml": `version: 3\nendpoint: ${server.url}\nmetadata_directory: metadata.json\n`,
    "metadata.json": JSON.stringify(metadata),
  });
  const applied = await runCommand("metadata", "apply", "--project", project);
  expect(applied.stderr.split("\n")).toEqual(expect.arrayContaining(placed.map((line) => `notice: ${line}`)));

  await server.stop();
  const environment = {
    ENGINE_GRAPHQL_EXPERIMENTAL_FEATURES: "naming_convention,disable_postgres_arrays",
    ENGINE_GRAPHQL_PG_STRIPES: "7",
  };
  const next = await startTestServer({ on: server, environment });
  const told = next.log
    .map((line) => JSON.parse(line))
    .filter(({ level, detail }) => level === "warn" && detail.kind === "metadata_notice")
    .map(({ detail }) => detail.info.message);
  expect(told).toEqual(placed.filter((line) => !line.includes("naming_convention")));
  await next.stop();
});

it("of keys that nothing reads, while metadata is replaced", async () => {
  const again = await startTestServer();
  try {
    const metadata = { version: 3, sources: [source({}, { pol_settings: { max_connections: 3 } })], cron_trigers: [] };
    const lines = [
      '$.sources[0].configuration.pol_settings: no setting has the name "pol_settings", it is left out',
      '$.cron_trigers: no setting has the name "cron_trigers", it is left out: did you mean "cron_triggers"?',
    ];
    const quoted = lines.map((line) => `299 engine "${line.replaceAll('"', '\\"')}"`).join(", ");
    for (const args of [metadata, { metadata, allow_inconsistent_metadata: true }]) {
      const replaced = await again.post("/v1/metadata", { type: "replace_metadata", args });
      expect([replaced.status, replaced.headers.get("warning")]).toEqual([200, quoted]);
    }
    const read = await again.post("/v1/metadata", { type: "export_metadata", args: {} });
    expect(read.headers.get("warning")).toBeNull();
    const project = await temporaryDirectory({
      "config.yaml": `version: 3\nendpoint: ${again.url}\nmetadata_directory: metadata.json\n`,
      "metadata.json": JSON.stringify(metadata, null, 1),
    });
    const applied = await runCommand("metadata", "apply", "--project", project);
    expect(applied.stderr.replaceAll(`${project}/`, "").split("\n")).toEqual([
      expect.stringMatching(
        /^metadata\.json:\d+:\d+: warning: no setting has the name "pol_settings", it is left out$/,
      ),
      expect.stringMatching(/^metadata\.json:\d+:\d+: warning: .* did you mean "cron_triggers"\?$/),
      "metadata applied",
      "",
    ]);
  } finally {
    await again.close();
  }
});

it("names the tables and columns that the schema cannot have, and why", async () => {
  const sql = `create table odd (id int primary key, "a b" int, "c-d" int); create table "e f" (id int primary key)`;
  const fresh = await startTestServer();
  try {
    await fresh.post("/v2/query", { type: "run_sql", args: { sql } });
    const table = { table: "odd", configuration: { column_config: { "c-d": { custom_name: "c_d" } } } };
    const tracked = await fresh.post("/v1/metadata", { type: "pg_track_table", args: table });
    expect(tracked.headers.get("warning")).toBe(
      '299 engine "$.sources[0].tables[0]: the column \\"a b\\" of \\"odd\\" is left out of the GraphQL schema, which cannot have such names: set custom_name in column_config"',
    );
    const renamed = {
      table: "odd",
      configuration: { column_config: { "a b": { custom_name: "a_b" }, "c-d": { custom_name: "c_d" } } },
    };
    const mended = await fresh.post("/v1/metadata", { type: "pg_set_table_customization", args: renamed });
    expect(mended.headers.get("warning")).toBeNull();
  } finally {
    await fresh.close();
  }
});
