/**
 * The image's entry point with a mounted project: the deployment before it serves, and the errors that prevent it from
 * serving.
 */
import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { createDatabase, query, type TestDatabase } from "../../support/database.ts";
import { type EngineProcess, startEngine } from "../../support/engine-process.ts";
import { ensureBuilt, root } from "../../support/shared-checks.ts";
import { temporaryDirectory } from "../../unit/metadata-directory/temporary-directory.ts";

const run = promisify(execFile);
const secret = { "x-engine-admin-secret": "secret" };
const servers: EngineProcess[] = [];
const databases: TestDatabase[] = [];
let entryPoint: readonly string[];
let folder: string;
let environment: Record<string, string>;
let databaseUrl: string;

beforeAll(async () => {
  await ensureBuilt();
  const file = await readFile(join(root, "docs/containers/server.Containerfile"), "utf8");
  const [program, ...words] = JSON.parse(/^ENTRYPOINT (.*)$/m.exec(file)?.[1] ?? "[]") as string[];
  expect(program).toBe("node");
  entryPoint = words.map((word) => (word.endsWith(".mjs") ? join(root, word) : word));
});

beforeEach(async () => {
  folder = await temporaryDirectory();
  const [data, metadata] = [await createDatabase(), await createDatabase()];
  databases.push(data, metadata);
  databaseUrl = data.url;
  environment = {
    ENGINE_GRAPHQL_DATABASE_URL: data.url,
    ENGINE_GRAPHQL_METADATA_DATABASE_URL: metadata.url,
    ENGINE_GRAPHQL_ADMIN_SECRET: "secret",
    ENGINE_GRAPHQL_MIGRATIONS_DIR: join(folder, "migrations"),
    ENGINE_GRAPHQL_METADATA_DIR: join(folder, "metadata"),
    ENGINE_GRAPHQL_MIGRATIONS_SERVER_PORT: "0",
  };
  await write("migrations/default/1_notes/up.sql", "create table note (id integer primary key, text text)");
  await write("migrations/default/2_row/up.sql", "insert into note values (1, 'first')");
  await write("metadata/version.yaml", "version: 3\n");
  const source = { database_url: { from_env: "ENGINE_GRAPHQL_DATABASE_URL" } };
  const permission = { role: "user", permission: { columns: ["id", "text"], filter: {} } };
  const tables = [{ table: { schema: "public", name: "note" }, select_permissions: [permission] }];
  const list = [{ name: "default", kind: "postgres", configuration: { connection_info: source }, tables }];
  await write("metadata/databases/databases.yaml", JSON.stringify(list));
});

afterEach(async () => {
  for (const { child, ended } of servers.splice(0)) {
    child.kill("SIGKILL");
    await ended;
  }
  for (const database of databases.splice(0)) await database.drop();
});

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, file)), { recursive: true });
  await writeFile(join(folder, file), text);
}

async function start(more: Readonly<Record<string, string>> = {}): Promise<EngineProcess> {
  const server = await startEngine({ ...environment, ...more }, entryPoint);
  servers.push(server);
  return server;
}

async function ask({ url }: EngineProcess, path: string, body: object, headers: object = {}) {
  const answer = await fetch(`${url}${path}`, {
    method: "POST",
    headers: { ...secret, ...headers },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: await answer.json() };
}

const notes = (server: EngineProcess) =>
  ask(server, "/v1/graphql", { query: "{ note { id text } }" }, { "x-engine-role": "user" });
const deployed = { status: 200, body: { data: { note: [{ id: 1, text: "first" }] } } };

const deployment = (lines: readonly string[]): readonly string[] =>
  lines.flatMap((line) => {
    const { type, detail } = JSON.parse(line);
    return type === "startup" && detail.kind === "deployment" ? [detail.info.message] : [];
  });

it("A mounted project is deployed once before the server serves", { timeout: 60_000 }, async () => {
  const first = await start();
  expect(await notes(first)).toEqual(deployed);
  expect(deployment(first.log())).toEqual([
    "applied 1_notes on default",
    "applied 2_row on default",
    "applied the metadata",
    "deployed",
  ]);
  const second = await start();
  expect(await notes(second)).toEqual(deployed);
  expect(deployment(second.log())).toEqual(["applied the metadata", "deployed"]);
});

it("Several servers with a mounted project start concurrently", { timeout: 120_000 }, async () => {
  const started = await Promise.all([start(), start()]);
  for (const server of started) expect(await notes(server)).toEqual(deployed);
  const applied = started.flatMap((server) => deployment(server.log())).filter((line) => line.startsWith("applied 2"));
  expect(applied).toHaveLength(1);
});

it("A mounted project is deployed on a server without the metadata API", { timeout: 60_000 }, async () => {
  const jwt = JSON.stringify({ type: "HS256", key: "k".repeat(32) });
  const server = await start({
    ENGINE_GRAPHQL_ENABLED_APIS: "graphql",
    ENGINE_GRAPHQL_ENABLE_READ_ONLY_MODE: "true",
    ENGINE_GRAPHQL_JWT_SECRET: jwt,
  });
  expect(await notes(server)).toEqual(deployed);
  expect(await ask(server, "/v1/metadata", { type: "export_metadata", args: {} })).toMatchObject({ status: 404 });
});

it("Mounted migrations and mounted metadata work separately", { timeout: 60_000 }, async () => {
  const { ENGINE_GRAPHQL_METADATA_DIR: metadata = "", ...migrationsOnly } = environment;
  environment = migrationsOnly;
  const migrated = await start();
  expect(deployment(migrated.log())).toEqual(["applied 1_notes on default", "applied 2_row on default", "deployed"]);
  const { ENGINE_GRAPHQL_MIGRATIONS_DIR: _, ...neither } = migrationsOnly;
  environment = { ...neither, ENGINE_GRAPHQL_METADATA_DIR: metadata };
  const server = await start();
  expect(await notes(server)).toEqual(deployed);
  expect(deployment(server.log())).toEqual(["applied the metadata", "deployed"]);
});

it("A server with a mounted project waits for its database", { timeout: 120_000 }, async () => {
  const url = new URL(databaseUrl);
  const name = `${url.pathname.slice(1)}_late`;
  url.pathname = name;
  const starting = start({ ENGINE_GRAPHQL_DATABASE_URL: url.href });
  try {
    // Its metadata database is locked by another deployment, so that it waits.
    const metadataUrl = environment.ENGINE_GRAPHQL_METADATA_DATABASE_URL ?? "";
    await expect
      .poll(() => query(metadataUrl, "select 1 from engine_catalog.engine_metadata").catch(() => []), {
        timeout: 60_000,
      })
      .not.toEqual([]);
    await query(databaseUrl, `create database ${name}`);
    const server = await starting;
    expect(await notes(server)).toEqual(deployed);
  } finally {
    await starting.catch(() => undefined);
    for (const { child } of servers) child.kill("SIGKILL");
    await query(databaseUrl, `drop database if exists ${name} with (force)`);
  }
});

it.each([
  [
    "failing SQL",
    { "migrations/default/3_bad/up.sql": "select 1;\nselect nothing;" },
    "migrations/default/3_bad/up.sql:2:8: column",
  ],
  ["invalid metadata", { "metadata/databases/databases.yaml": "- name: [" }, "metadata/databases/databases.yaml:1:"],
] as const)(
  "A server with a mounted project does not serve after %s",
  { timeout: 60_000 },
  async (_, files, message) => {
    for (const [file, text] of Object.entries(files)) await write(file, text);
    const failed = await run(process.execPath, [...entryPoint], {
      env: { PATH: process.env.PATH ?? "", ENGINE_GRAPHQL_SERVER_PORT: "0", ...environment },
    }).catch((error: { readonly code: number; readonly stderr: string }) => error);
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining(message) });
    expect(failed.stderr).not.toContain("engine serves");
  },
);

it("An invalid variable of a mounted project is named", { timeout: 60_000 }, async () => {
  for (const [variable, value, message] of [
    ["ENGINE_GRAPHQL_METADATA_DIR", join(folder, "nowhere"), "no such folder"],
    ["ENGINE_GRAPHQL_MIGRATIONS_SERVER_TIMEOUT", "soon", "ENGINE_GRAPHQL_MIGRATIONS_SERVER_TIMEOUT"],
  ] as const) {
    await expect(start({ [variable]: value })).rejects.toThrow(message);
  }
});
