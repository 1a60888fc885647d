/** `engine metadata` as a user types it, against a real server with an admin secret. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Ended, runCommand } from "../support/command-line.ts";
import { query } from "../support/database.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

const adminSecret = "quite-secret-word";

let server: TestServer;
let project: string;

beforeAll(async () => {
  server = await startTestServer({ environment: { ENGINE_GRAPHQL_ADMIN_SECRET: adminSecret } });
  await query(server.databaseUrl, "create table author (id integer primary key, name text)");
});

afterAll(async () => {
  await server.close();
});

beforeEach(async () => {
  project = await mkdtemp(join(tmpdir(), "metadata-cli-"));
  await write("config.yaml", `version: 3\nendpoint: ${server.url}\nadmin_secret: ${adminSecret}\n`);
});

afterEach(async () => {
  await rm(project, { recursive: true, force: true });
});

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(join(project, file)), { recursive: true });
  await writeFile(join(project, file), text);
}

const read = (file: string): Promise<string> => readFile(join(project, file), "utf8");

/** Runs `engine metadata <args>` for the project. Its standard error is returned without the project's path. */
async function run(...args: readonly string[]): Promise<Ended> {
  const flags = args[0] === "convert" ? [] : ["--project", project];
  const { code, stdout, stderr } = await runCommand("metadata", ...args, ...flags);
  expect(stdout + stderr).not.toContain(adminSecret);
  return { code, stdout, stderr: stderr.replaceAll(`${project}/`, "") };
}

const silence: Ended = { code: 0, stdout: "", stderr: "" };
const reported = (line: string): Ended => ({ ...silence, stderr: `${line}\n` });
const applied = reported("metadata applied");
const exported = (to = "metadata"): Ended => reported(`exported the metadata of ${server.url} to ${to}`);

const databases = `- name: default
  kind: postgres
  configuration: { connection_info: { database_url: { from_env: ENGINE_GRAPHQL_DATABASE_URL } } }
  tables: "!include default/tables/tables.yaml"
`;

/** Writes the project's metadata: the table with a permission for these columns. */
async function writeProject(columns: string): Promise<void> {
  await write("metadata/version.yaml", "version: 3\n");
  await write("metadata/databases/databases.yaml", databases);
  await write("metadata/databases/default/tables/tables.yaml", '- "!include public_author.yaml"\n');
  await write(
    "metadata/databases/default/tables/public_author.yaml",
    `table: { schema: public, name: author }
select_permissions:
  - role: reader
    permission: { columns: ${columns}, filter: {} }
`,
  );
}

async function metadata(type: string, args: unknown = {}): Promise<unknown> {
  const answer = await server.post("/v1/metadata", { type, args }, { "x-engine-admin-secret": adminSecret });
  expect(answer.status).toBe(200);
  return answer.json;
}

describe("The metadata apply and export commands", () => {
  it("metadata apply activates the project's metadata and confirms it without a terminal", async () => {
    await writeProject("[id, name]");
    expect(await run("apply")).toEqual(applied);
    const answer = await server.post(
      "/v1/graphql",
      { query: "{ author { id name } }" },
      { "x-engine-admin-secret": adminSecret, "x-engine-role": "reader" },
    );
    expect(answer.json).toEqual({ data: { author: [] } });
  });

  it("metadata export writes files that apply without a difference", async () => {
    await writeProject("[id, name]");
    await run("apply");
    await rm(join(project, "metadata"), { recursive: true });
    await write("metadata/databases/default/tables/public_gone.yaml", "table: gone\n");
    expect(await run("export")).toEqual(exported());
    expect(await readdir(join(project, "metadata/databases/default/tables"))).toEqual([
      "public_author.yaml",
      "tables.yaml",
    ]);
    expect(await run("diff")).toEqual(silence);
    const before = await metadata("export_metadata");
    expect(await run("apply")).toEqual(applied);
    expect(await metadata("export_metadata")).toEqual(before);
  });

  it("metadata export with --output prints the metadata and leaves the project unchanged", async () => {
    const { stdout, stderr, code } = await run("export", "-o", "json");
    expect([code, stderr]).toEqual([0, ""]);
    expect(JSON.parse(stdout)).toEqual(await metadata("export_metadata"));
    expect((await run("export", "-o", "yaml")).stdout).toMatch(/^version: 3\nsources:\n {2}- name: default\n/);
    expect(await readdir(project)).toEqual(["config.yaml"]);
  });

  it("metadata export writes one file if the project names one", async () => {
    await write("config.yaml", `${await read("config.yaml")}metadata_directory: metadata.json\n`);
    expect(await run("export")).toEqual(exported("metadata.json"));
    expect(JSON.parse(await read("metadata.json"))).toEqual(await metadata("export_metadata"));
    expect(await readdir(project)).toEqual(["config.yaml", "metadata.json"]);
    expect(await run("apply")).toEqual(applied);
  });

  it("metadata apply announces its work on a terminal", async () => {
    const isTTY = Object.getOwnPropertyDescriptor(process.stderr, "isTTY");
    Object.defineProperty(process.stderr, "isTTY", { value: true, configurable: true });
    try {
      await writeProject("[id]");
      expect((await run("apply")).stderr).toBe(`applying metadata to ${server.url}\nmetadata applied\n`);
      expect((await run("export")).stderr).toBe(`exported the metadata of ${server.url} to metadata\n`);
    } finally {
      if (isTTY === undefined) Reflect.deleteProperty(process.stderr, "isTTY");
      else Object.defineProperty(process.stderr, "isTTY", isTTY);
    }
  });

  it("metadata apply accepts inconsistent metadata with a warning, or refuses it if configured so", async () => {
    await writeProject("[id]");
    await run("apply");
    const before = await metadata("export_metadata");
    await writeProject("[id, nome]");
    const reason =
      "metadata/databases/default/tables/public_author.yaml:3:5: inconsistent select_permission reader in table author in source default: " +
      'Inconsistent object: in table "author": in permission for role "reader": "nome" does not exist ($.sources[0].tables[0].select_permissions[0]) – did you mean "name"?';
    const refused = await run("apply", "--disallow-inconsistent-metadata");
    expect(refused.code).toBe(1);
    expect(refused.stderr).toBe(`${reason}\nerror: cannot continue due to inconsistent metadata\n`);
    expect(await metadata("export_metadata")).toEqual(before);
    expect(await run("apply")).toEqual(reported(`metadata applied\nmetadata is inconsistent: 1 object\n${reason}`));
    expect((await run("inconsistency", "list")).stdout).toBe(`${project}/${reason}\n`);
  });

  it("metadata apply locates inconsistencies that only the server finds", async () => {
    await writeProject("[id]");
    await write(
      "metadata/remote_schemas.yaml",
      "- name: other\n  definition: { url: http://127.0.0.1:1/graphql }\n- name: shop\n  definition: { url: http://127.0.0.1:1/graphql }\n",
    );
    const place = "metadata/remote_schemas.yaml:3:3: inconsistent remote_schema shop: ";
    expect(await run("apply")).toMatchObject({ code: 0, stderr: expect.stringContaining(`\n${place}`) });
    expect((await run("inconsistency", "list")).stdout).toContain(place);
    await run("clear");
  });

  it("metadata apply locates metadata that the server refuses", async () => {
    await writeProject("3");
    const { code, stderr } = await run("apply");
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^metadata\/databases\/default\/tables\/public_author\.yaml:4:\d+: parse-failed: .* \(\$\.sources\[0\]\.tables\[0\]\.select_permissions\[0\]\.permission\.columns\)\n$/,
    );
  });

  it("metadata apply locates syntax errors", async () => {
    await writeProject("[id");
    const { code, stderr } = await run("apply");
    expect(code).toBe(1);
    expect(stderr).toMatch(/metadata\/databases\/default\/tables\/public_author\.yaml:\d+:\d+: /);
  });

  it("metadata apply with --output prints the applied metadata", async () => {
    await writeProject("[id]");
    const { stdout, code } = await run("apply", "-o", "json");
    expect(code).toBe(0);
    expect(JSON.parse(stdout).sources[0].tables[0].select_permissions[0].permission.columns).toEqual(["id"]);
  });
});

describe("The metadata diff command with a server", () => {
  it("metadata diff shows the changes that applying would make", async () => {
    await writeProject("[id]");
    await run("apply");
    await writeProject("[id, name]");
    const { code, stdout, stderr } = await run("diff");
    expect([code, stderr]).toEqual([0, ""]);
    const local = join(project, "metadata");
    expect(stdout).toBe(
      [
        "--- server/databases/default/tables/public_author.yaml",
        `+++ ${local}/databases/default/tables/public_author.yaml`,
        "@@ -6,4 +6,5 @@",
        "     permission:",
        "       columns:",
        "         - id",
        "+        - name",
        "       filter: {}",
        "",
      ].join("\n"),
    );
    expect((await run("diff", "--exit-code")).code).toBe(1);
    expect(JSON.parse((await run("diff", "--type", "json")).stdout)).toEqual([
      {
        path: '$.sources.default.tables["public.author"].select_permissions.reader.permission.columns',
        before: ["id"],
        after: ["id", "name"],
      },
    ]);
  });

  it("metadata diff compares another path with the server", async () => {
    await writeProject("[id]");
    await run("apply");
    await run("convert", join(project, "metadata"), join(project, "saved.json"));
    await rm(join(project, "metadata"), { recursive: true });
    expect(await run("diff", join(project, "saved.json"), "--exit-code")).toEqual(silence);
  });
});

describe("The metadata reload, inconsistency and clear commands", () => {
  it("metadata inconsistency lists, reports and drops inconsistent objects", async () => {
    await query(server.databaseUrl, "create table stale (id integer)");
    await metadata("pg_track_table", { table: "stale" });
    expect(await run("inconsistency", "list")).toEqual(silence);
    expect(await run("inconsistency", "status")).toEqual({ ...silence, stdout: "metadata is consistent\n" });
    await query(server.databaseUrl, "drop table stale");
    const line = 'table stale in source default: Inconsistent object: no such table/view exists in source: "stale"\n';
    expect(await run("reload")).toEqual(
      reported(`metadata reloaded\nmetadata is inconsistent: 1 object\n${line.trimEnd()}`),
    );
    expect(await run("inconsistency", "list")).toEqual({ ...silence, stdout: line });
    const status = await run("inconsistency", "status");
    expect(status).toEqual({ code: 1, stdout: "metadata is inconsistent: 1 object\n", stderr: "" });
    const entries: unknown = JSON.parse((await run("inconsistency", "list", "-o", "json")).stdout);
    expect(entries).toEqual(await metadata("get_inconsistent_metadata"));
    expect(await run("inconsistency", "drop")).toEqual(reported(`dropped 1 object:\n${line.trimEnd()}`));
    expect(await run("inconsistency", "drop")).toEqual(reported("metadata is consistent: nothing to drop"));
    expect((await run("inconsistency", "status")).code).toBe(0);
  });

  it("metadata inconsistency groups dependents below an empty enum table", async () => {
    await query(
      server.databaseUrl,
      `create table color (value text primary key); insert into color values ('red');
       create table car (id integer primary key, color text references color)`,
    );
    for (const table of ["color", "car"]) await metadata("pg_track_table", { table });
    await metadata("pg_set_table_is_enum", { table: "color", is_enum: true });
    const using = { foreign_key_constraint_on: "color" };
    await metadata("pg_create_object_relationship", { table: "car", name: "paint", using });
    const permission = { columns: "*", filter: { paint: {} } };
    for (const role of ["a", "b", "c"])
      await metadata("pg_create_select_permission", { table: "car", role, permission });
    await query(server.databaseUrl, "delete from color");
    const list = [
      'table color in source default: Inconsistent object: the table "color" cannot be used as an enum because the table must have at least one row',
      "4 objects are inconsistent because of table color in source default (--verbose lists them)",
    ];
    expect(await run("reload")).toEqual(
      reported(`metadata reloaded\nmetadata is inconsistent: 5 objects\n${list.join("\n")}`),
    );
    expect(await run("inconsistency", "list")).toEqual({ ...silence, stdout: `${list.join("\n")}\n` });
    process.argv.push("--verbose");
    try {
      expect((await run("inconsistency", "list")).stdout.trim().split("\n")).toHaveLength(5);
    } finally {
      process.argv.pop();
    }
    for (const table of ["car", "color"]) await metadata("pg_untrack_table", { table, cascade: true });
  });

  it("metadata clear clears the metadata", async () => {
    await writeProject("[id]");
    await run("apply");
    expect(await run("clear")).toEqual(reported(`metadata of ${server.url} cleared`));
    expect(await metadata("export_metadata")).toMatchObject({ sources: [{ name: "default", tables: [] }] });
  });
});

describe("Connection errors of the CLI", () => {
  const others: Server[] = [];

  afterEach(() => {
    for (const other of others.splice(0)) other.close();
  });

  /** Starts an HTTP server that is not an engine. */
  async function answering(status: number, headers: Record<string, string>, body: string): Promise<string> {
    const other = createServer((_, response) => void response.writeHead(status, headers).end(body));
    others.push(other);
    await new Promise<void>((resolve) => void other.listen(0, "127.0.0.1", resolve));
    const address = other.address();
    return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  }

  it("The CLI reports a wrong or missing admin secret with advice", async () => {
    const advice = `(from ${server.url}): set the admin secret with --admin-secret, ENGINE_GRAPHQL_ADMIN_SECRET or "admin_secret" in config.yaml\n`;
    const wrong = await run("reload", "--admin-secret", "wrong-word");
    expect(wrong.code).toBe(1);
    expect(wrong.stderr).toBe(`error: invalid x-engine-admin-secret/x-engine-access-key ${advice}`);
    await write("config.yaml", `version: 3\nendpoint: ${server.url}\n`);
    const { stderr } = await run("reload");
    expect(stderr).toContain(`required, but not found ${advice}`);
  });

  it("The CLI reports an endpoint without a server", async () => {
    const endpoint = await answering(200, {}, "");
    await new Promise((resolve) => others.pop()?.close(resolve));
    const { code, stderr } = await run("export", "--endpoint", endpoint);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      new RegExp(
        `^error: cannot reach the server at ${endpoint} \\(connect ECONNREFUSED [^)]+\\): start it, or set another address with --endpoint, ENGINE_GRAPHQL_ENDPOINT or "endpoint" in config.yaml\n$`,
      ),
    );
    expect(await readdir(project)).toEqual(["config.yaml"]);
  });

  it("The CLI reports that another program responds", async () => {
    const page = await answering(200, {}, "<html>");
    expect((await run("export", "--endpoint", page)).stderr).toContain(
      `error: the response from ${page} (200) is not from an engine: set the address of the server with --endpoint`,
    );
    const redirecting = await answering(301, { location: "https://somewhere/else?token=hidden" }, "");
    const { stderr } = await run("export", "--endpoint", redirecting);
    expect(stderr).toContain(`${redirecting} redirects to https://somewhere/else (301): set the address of the server`);
  });

  it("The CLI reports an endpoint with a superfluous path", async () => {
    const { code, stderr } = await run("export", "--endpoint", `${server.url}/v1/`);
    expect(code).toBe(1);
    expect(stderr).toContain(`(from ${server.url}/v1): check the address`);
  });

  it("The CLI reports a closed connection and that a change may have been made", async () => {
    const other = createServer((request) => request.socket.destroy());
    others.push(other);
    await new Promise<void>((resolve) => void other.listen(0, "127.0.0.1", resolve));
    const address = other.address();
    const endpoint = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
    const { stderr } = await run("clear", "--endpoint", endpoint);
    expect(stderr).toContain(`the connection to ${endpoint} was closed before the response`);
    expect(stderr).toContain("a change may have been made");
  });
});
