/**
 * Tools that read OpenAPI documents, run on the documents of the sample library and of endpoints with difficult names.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { query } from "../support/database.ts";
import { useLibrary } from "../support/library.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { root } from "../support/shared-checks.ts";

const peers = join(root, "test/peers/node_modules");
/** True if the tools are missing outside CI, where `.ci/run` installs them. */
const isLeftOut = !existsSync(join(peers, "orval")) && process.env.CI === undefined;
const hint = isLeftOut ? " (left out: run npm ci --prefix test/peers)" : "";

/** Names that become equal in another spelling, defaults, and paths that differ only in a name. */
const tables = `
  create table uuid_required (id uuid primary key default gen_random_uuid(), "Note" jsonb, day date);
  create table "UuidRequired" (id int primary key)`;
const operations: readonly (readonly [string, string, readonly string[], string])[] = [
  [
    "save-note",
    "notes",
    ["POST"],
    `mutation ($object: uuid_required_insert_input!) {
      insert_uuid_required_one(object: $object) { id Note day } }`,
  ],
  ["save note", "notes/:id", ["GET"], "query ($id: uuid!) { uuid_required_by_pk(id: $id) { id Note day } }"],
  ["Save_Note", "notes/:key", ["DELETE"], "mutation ($key: uuid!) { delete_uuid_required_by_pk(id: $key) { id } }"],
  [
    "others",
    "others",
    ["GET", "PATCH"],
    `query ($where: UuidRequired_bool_exp, $limit: Int = null, $after: Int! = 0, $day: date, $only: uuid_required_bool_exp) {
      UuidRequired(where: $where, limit: $limit, offset: $after) { id }
      chosen: uuid_required(where: $only) { id } dated: uuid_required(where: {day: {_eq: $day}}) { id } }`,
  ],
];

/** The code that an application would contain. */
const program = `
import createClient from "openapi-fetch";
import type { paths } from "./full.js";

const client = createClient<paths>({ baseUrl: process.argv[2] ?? "", headers: { "x-engine-role": "admin" } });
const told: unknown[] = [];

function dataOf<T>({ data, error }: { data?: { data: T } | undefined; error?: unknown }): T {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data.data;
}

const found = await client.GET("/api/rest/books", { params: { query: { title: "Frank%" } } });
const books: { id: number; title: string }[] | undefined = found.data?.data.book;
told.push(books?.map(({ title }) => title));
for (const { data } of [
  await client.POST("/api/rest/books", { body: { title: "Frank%", limit: 1 } }),
  await client.POST("/api/rest/books", { params: { query: { title: "Frank%" } }, body: { limit: null } }),
  await client.POST("/api/rest/search", { body: { where: { title: { _ilike: "frank%" }, _not: { id: { _gt: 100 } } } } }),
]) told.push(data?.data.book.length);

const saved = dataOf(await client.POST("/api/rest/notes", { body: { object: { Note: { a: [1] }, day: "2024-02-29" } } }));
const key = saved.insert_uuid_required_one?.id ?? "";
const read = dataOf(await client.GET("/api/rest/notes/{key}", { params: { path: { key } } }));
told.push(read.uuid_required_by_pk?.Note);
told.push(dataOf(await client.DELETE("/api/rest/notes/{key}", { params: { path: { key } } })).delete_uuid_required_by_pk?.id === key);
const body = { where: { id: { _in: [1] } }, only: {}, day: "2024-02-29", after: 0 };
told.push(dataOf(await client.PATCH("/api/rest/others", { body })));
told.push(dataOf(await client.GET("/api/rest/others", { params: { query: { after: 0, limit: 2, day: "2024-02-29" } } })));
const refused = await client.POST("/api/rest/loans", {
  body: { copy: 1, member: "00000000-0000-4000-8000-000000000001", until: "no day" },
});
told.push([refused.response.status, refused.error?.code]);
console.log(JSON.stringify(told));
`;

const files = ["plain", "full", "member"] as const;
let server: TestServer;
let folder: string;

beforeAll(async () => {
  if (isLeftOut) return;
  server = await startTestServer({ sealed: false });
  await useLibrary(server);
  await query(server.databaseUrl, tables);
  for (const table of ["uuid_required", "UuidRequired"]) await server.metadata("pg_track_table", { table });
  const queries = operations.map(([name, , , text]) => ({ name, query: text }));
  await server.metadata("create_query_collection", { name: "notes", definition: { queries } });
  for (const [name, url, methods] of operations) {
    const definition = { query: { collection_name: "notes", query_name: name } };
    await server.metadata("create_rest_endpoint", { name, url, methods, definition });
  }
  folder = await mkdtemp(join(tmpdir(), "openapi-tools-"));
  await symlink(peers, join(folder, "node_modules"));
  const parameters = { plain: "", full: "?form=full", member: "?form=full&role=member" };
  for (const name of files) {
    const answer = await fetch(`${server.url}/api/swagger/json${parameters[name]}`);
    await writeFile(join(folder, `${name}.json`), await answer.text());
  }
  const options = { strict: true, target: "es2022", module: "nodenext", types: ["node"], outDir: "out" };
  const tsconfig = { compilerOptions: { ...options, exactOptionalPropertyTypes: true, skipLibCheck: true } };
  await writeFile(join(folder, "package.json"), '{"type": "module"}');
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ ...tsconfig, include: ["*.ts"] }));
}, 60_000);

afterAll(async () => {
  if (isLeftOut) return;
  await server?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Runs one of the tools; returns its output if it fails. */
async function run(tool: string, ...args: readonly string[]): Promise<string> {
  const path = tool === "node" ? [] : [join(peers, ".bin", tool)];
  const env = {
    PATH: process.env.PATH,
    NO_COLOR: "1",
    REDOCLY_TELEMETRY: "off",
    REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
  };
  const { stdout } = await promisify(execFile)(process.execPath, [...path, ...args], { cwd: folder, env }).catch(
    (error: { stdout: string; stderr: string }) => {
      throw new Error(`${tool} ${args.join(" ")}:\n${error.stdout}${error.stderr}`);
    },
  );
  return stdout;
}

describe.skipIf(isLeftOut)(`OpenAPI documents${hint}`, () => {
  it("The OpenAPI documents pass redocly", async () => {
    await run("redocly", "lint", ...files.map((name) => `${name}.json`));
  }, 120_000);

  it("The clients generated by orval and openapi-typescript compile and work", async () => {
    const configOf = (name: string) => {
      const output = { target: `${name}.client.ts`, client: "fetch", mode: "single" };
      return [name, { input: `${name}.json`, output }] as const;
    };
    const config = Object.fromEntries(files.map(configOf));
    await writeFile(join(folder, "orval.config.cjs"), `module.exports = ${JSON.stringify(config)};`);
    await run("orval", "--config", "orval.config.cjs");
    for (const name of files) await run("openapi-typescript", `${name}.json`, "--output", `${name}.ts`);
    await writeFile(join(folder, "program.ts"), program);
    await run("tsc", "--project", ".");
    expect(JSON.parse(await run("node", "out/program.js", server.url))).toEqual([
      ["Frankenstein"],
      1,
      1,
      1,
      { a: [1] },
      true,
      { UuidRequired: [], chosen: [], dated: [] },
      { UuidRequired: [], chosen: [], dated: [] },
      [400, "data-exception"],
    ]);
  }, 240_000);
});
