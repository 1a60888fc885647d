/** The console of a project listens on this machine, where any page in a browser can send requests to it. */
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { request as httpRequest } from "node:http";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openProjectConsole, type ProjectConsole } from "../../support/project-console.ts";
import { WebsocketClient } from "../../support/websocket.ts";

let opened: ProjectConsole;

beforeAll(async () => {
  opened = await openProjectConsole();
}, 120_000);

afterAll(() => opened?.close());

type Headers = Readonly<Record<string, string>>;

/** Sends a request with any headers, including those that `fetch` sets itself. */
function ask(method: string, path: string, headers: Headers, body = "{}"): Promise<readonly [number, string]> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(`${opened.origin}${path}`, { method, headers }, (answer) => {
      let text = "";
      answer.on("data", (data) => (text += String(data)));
      answer.on("end", () => resolve([answer.statusCode ?? 0, text]));
    });
    sent.on("error", reject);
    sent.end(method === "GET" ? undefined : body);
  });
}

const trusted = (): Headers => ({
  "x-engine-console-key": opened.key,
  "x-engine-admin-secret": opened.adminSecret,
  origin: opened.origin,
});
/** Paths that list, show, plan and run migrations. */
const migrationPaths = ["list", "sql", "plan", "runs"].map((act) => `/project/migration-${act}`);
const migration = JSON.stringify({ source: "default", name: "attack", up: "select 1" });
/** Lists the migrations of the project, which begins without the folder. */
const saved = async (): Promise<readonly string[]> => {
  const folder = join(opened.folder, "migrations/default");
  return existsSync(folder) ? readdir(folder) : [];
};

describe("Attacks on the console of a project", () => {
  it.each(["evil.example", "evil.example:80", "localhost.evil.example", "127.0.0.1", "[::1]:80"])(
    "The project console refuses requests by another host name: %j",
    async (host) => {
      for (const path of ["/console", "/v1/version", "/project/session"]) {
        const [status, text] = await ask(path.startsWith("/project") ? "POST" : "GET", path, { ...trusted(), host });
        expect([status, text.includes(opened.adminSecret)]).toEqual([403, false]);
      }
    },
  );

  it.each(["http://evil.example", "null", "http://localhost:1", "https://127.0.0.1", ""])(
    "The project console refuses requests of pages of another origin: %j",
    async (origin) => {
      for (const path of [
        "/project/session",
        "/project/migrations",
        ...migrationPaths,
        "/project/test-runs",
        "/v1/metadata",
        "/v1/graphql",
      ]) {
        expect((await ask("POST", path, { ...trusted(), origin }, migration))[0]).toBe(403);
      }
      await expect(WebsocketClient.open(opened.origin, { headers: { origin } })).rejects.toThrow("403");
      expect(await saved()).toEqual([]);
    },
  );

  it("The project console refuses cross-site loads and links without an origin, except to the page", async () => {
    for (const site of ["cross-site", "same-site"]) {
      expect((await ask("GET", "/v1/version", { "sec-fetch-site": site }))[0]).toBe(403);
      expect((await ask("GET", "/console", { "sec-fetch-site": site }))[0]).toBe(200);
    }
    expect((await ask("GET", "/v1/version", { "sec-fetch-site": "same-origin" }))[0]).toBe(200);
  });

  it("The project console writes files only with its key and never reveals it", async () => {
    for (const key of ["", "x", opened.key.slice(1), `${opened.key}x`]) {
      const headers = { ...trusted(), "x-engine-console-key": key };
      for (const path of [
        "/project/session",
        "/project/migrations",
        ...migrationPaths,
        "/project/metadata",
        "/project/tests",
        "/project/test-runs",
      ]) {
        const [status, text] = await ask("POST", path, headers, migration);
        expect([status, text.includes(opened.adminSecret)]).toEqual([403, false]);
      }
    }
    expect(await saved()).toEqual([]);
    const [, page] = await ask("GET", "/console", {});
    expect([page.includes(opened.key), page.includes(opened.adminSecret)]).toEqual([false, false]);
    expect(opened.output.join()).not.toContain(opened.key);
  });

  it("A migration is written into the folder of its database only, whatever names the database and the migration have", {
    timeout: 120_000,
  }, async () => {
    const send = async (path: string, body: object) => ask("POST", path, trusted(), JSON.stringify(body));
    const sources = ["../../outside", "..", "a\\b"];
    const connection_info = { database_url: opened.server.databaseUrl };
    for (const [index, name] of sources.entries()) {
      const customization = { root_fields: { namespace: `n${index}` }, type_names: { prefix: `n${index}_` } };
      const args = { name, configuration: { connection_info }, customization };
      expect(await send("/v1/metadata", { type: "pg_add_source", args })).toMatchObject([200, expect.anything()]);
    }
    expect((await send("/project/metadata", {}))[0]).toBe(200);
    const around = await readdir(dirname(opened.folder), { recursive: true });
    for (const source of sources) {
      const [status, text] = await send("/project/migrations", {
        source,
        name: "attack",
        up: "create table attack ()",
      });
      expect([status, text]).toEqual([400, expect.stringContaining("cannot have migrations")]);
    }
    expect(await readdir(dirname(opened.folder), { recursive: true })).toEqual(around);
    for (const name of ["../../attack", "..\\attack", "/etc/attack", "attack\0"]) {
      const [status, text] = await send("/project/migrations", { source: "default", name, up: "select 1" });
      const { folder = "" } = JSON.parse(text) as { readonly folder?: string };
      expect([status, dirname(folder)]).toEqual([200, join(opened.folder, "migrations/default")]);
    }
    const tables = await send("/v1/metadata", { type: "pg_get_source_tables", args: { source: "default" } });
    expect(tables[1]).not.toContain("attack");
  });

  it("Migrations are read and run in the folder of a database of the server only", async () => {
    const send = async (act: string, body: object) =>
      ask("POST", `/project/migration-${act}`, trusted(), JSON.stringify(body));
    for (const source of ["../../outside", "..", "../migrations/default", "default/../default", "__proto__"]) {
      for (const act of ["list", "sql", "plan", "runs"]) {
        const body = { list: {}, sql: { version: "1" } }[act] ?? { change: { kind: "apply" } };
        const [status, text] = await send(act, { source, ...body, ...(act === "runs" && { plan: "" }) });
        expect([source, act, status]).toEqual([source, act, 400]);
        expect(text).toMatch(/has no database|cannot have migrations/);
      }
    }
    for (const version of ["../1", "1/../2", "", "-1", "1 ", "1".repeat(41), 1]) {
      expect((await send("sql", { source: "default", version }))[0]).toBe(400);
      const change = { kind: "revert", version };
      expect((await send("runs", { source: "default", change, plan: "" }))[0]).toBe(400);
    }
  });

  it("SQL of a request is never run by a change of migrations", async () => {
    const change = { kind: "apply", sql: "create table attack ()", up: "create table attack ()" };
    const [status] = await ask(
      "POST",
      "/project/migration-runs",
      trusted(),
      JSON.stringify({ source: "default", change, plan: "" }),
    );
    expect(status).toBe(400);
  });

  it("The project console sends the server neither its key nor local cookies", async () => {
    const cookie = "session=of-another-server";
    const query = JSON.stringify({ query: "{ __typename }" });
    const [status] = await ask("POST", "/v1/graphql", { ...trusted(), cookie }, query);
    expect(status).toBe(200);
    const log = opened.server.log.join("\n");
    expect(log).toContain("http-log");
    expect([log.includes(opened.key), log.includes("of-another-server")]).toEqual([false, false]);
  });

  it("An ordinary server has no project endpoints", async () => {
    for (const act of ["session", "metadata", "migrations", "migration-list", "migration-runs"]) {
      const { status } = await opened.server.post(`/project/${act}`, {}, trusted());
      expect(status).toBe(404);
    }
  });
});
