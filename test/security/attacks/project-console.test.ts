/** The console of a project listens on this machine, where any page in a browser can send requests to it. */
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { request as httpRequest } from "node:http";
import { join } from "node:path";
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
      for (const path of ["/project/session", "/project/migrations", "/v1/metadata", "/v1/graphql"]) {
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
      for (const path of ["/project/session", "/project/migrations", "/project/metadata"]) {
        const [status, text] = await ask("POST", path, headers, migration);
        expect([status, text.includes(opened.adminSecret)]).toEqual([403, false]);
      }
    }
    expect(await saved()).toEqual([]);
    const [, page] = await ask("GET", "/console", {});
    expect([page.includes(opened.key), page.includes(opened.adminSecret)]).toEqual([false, false]);
    expect(opened.output.join()).not.toContain(opened.key);
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
    for (const act of ["session", "metadata", "migrations"]) {
      const { status } = await opened.server.post(`/project/${act}`, {}, trusted());
      expect(status).toBe(404);
    }
  });
});
