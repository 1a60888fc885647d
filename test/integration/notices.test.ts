/** Accepted but ignored settings are reported: in a header, in the start-up log, and by `metadata apply`. */

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
  "$.sources[0].configuration.connection_set: is stored and has no effect without a connection_template, which routes requests to its members",
  "$.sources[0].customization.naming_convention: is stored and has no effect without the experimental feature naming_convention: set --experimental-features naming_convention",
  '$.sources[0].tables[0].select_permissions[0].permission.filter.owner._eq: "X-App-User-Id" is compared as a constant: session variables begin with x-engine-; map other names with --header-alias, or rename them with engine import',
  '$.api_limits.rate_limit.global.unique_params[1]: "X-Hasura-Org-Id" is the same for every request, so it cannot be used as a rate-limit key: session variables begin with x-engine-',
];

it("Notices appear in the metadata API, on the command line and at the next start", async () => {
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
  const notices = next.log
    .map((line) => JSON.parse(line))
    .filter(({ level, detail }) => level === "warn" && detail.kind === "metadata_notice")
    .map(({ detail }) => detail.info.message);
  expect(notices).toEqual(placed.filter((line) => !line.includes("naming_convention")));
  await next.stop();
});

it("Notices about unknown keys appear when metadata is replaced", async () => {
  const restarted = await startTestServer();
  try {
    const metadata = { version: 3, sources: [source({}, { pol_settings: { max_connections: 3 } })], cron_trigers: [] };
    const lines = [
      '$.sources[0].configuration.pol_settings: unknown key "pol_settings" is ignored',
      '$.cron_trigers: unknown key "cron_trigers" is ignored: did you mean "cron_triggers"?',
    ];
    const quoted = lines.map((line) => `299 engine "${line.replaceAll('"', '\\"')}"`).join(", ");
    for (const args of [metadata, { metadata, allow_inconsistent_metadata: true }]) {
      const replaced = await restarted.post("/v1/metadata", { type: "replace_metadata", args });
      expect([replaced.status, replaced.headers.get("warning")]).toEqual([200, quoted]);
    }
    const read = await restarted.post("/v1/metadata", { type: "export_metadata", args: {} });
    expect(read.headers.get("warning")).toBeNull();
    const project = await temporaryDirectory({
      "config.yaml": `version: 3\nendpoint: ${restarted.url}\nmetadata_directory: metadata.json\n`,
      "metadata.json": JSON.stringify(metadata, null, 1),
    });
    const applied = await runCommand("metadata", "apply", "--project", project);
    expect(applied.stderr.replaceAll(`${project}/`, "").split("\n")).toEqual([
      expect.stringMatching(/^metadata\.json:\d+:\d+: warning: unknown key "pol_settings" is ignored$/),
      expect.stringMatching(/^metadata\.json:\d+:\d+: warning: .* did you mean "cron_triggers"\?$/),
      "metadata applied",
      "",
    ]);
  } finally {
    await restarted.close();
  }
});

it("Notices name the tables and columns that the schema omits, with the reason", async () => {
  const sql = `create table odd (id int primary key, "a b" int, "c-d" int); create table "e f" (id int primary key)`;
  const fresh = await startTestServer();
  try {
    await fresh.post("/v2/query", { type: "run_sql", args: { sql } });
    const table = { table: "odd", configuration: { column_config: { "c-d": { custom_name: "c_d" } } } };
    const tracked = await fresh.post("/v1/metadata", { type: "pg_track_table", args: table });
    expect(tracked.headers.get("warning")).toBe(
      '299 engine "$.sources[0].tables[0]: the column \\"a b\\" of \\"odd\\" is not in the GraphQL schema because its name is not valid there: set custom_name in column_config"',
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
