/** Pages of other origins in a real browser attack a server right after its first start, without an admin secret. */
import { createServer, type Server } from "node:http";
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { browserPath, hasBrowser } from "../../support/browser.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";

const attacker = "attacker.example";

/** Returns the script of a page, which resolves with the readable responses and the opened sockets. */
const attack = ({ target, sql }: { readonly target: string; readonly sql: string }): string => `(async () => {
  const target = ${JSON.stringify(target)};
  const sql = ${JSON.stringify(sql)};
  const body = JSON.stringify({ type: "run_sql", args: { sql } });
  const read = [];
  const attempt = async (path, options) => {
    const answer = await fetch(target + path, options).catch(() => null);
    if (answer !== null && answer.type !== "opaque" && answer.ok) read.push(path + ": " + (await answer.text()));
  };
  for (const path of ["/v2/query", "/v1/query"]) {
    await attempt(path, { method: "POST", body });
    await attempt(path, { method: "POST", body, headers: { "content-type": "application/json" } });
    await attempt(path, { method: "POST", body, mode: "no-cors", headers: { "content-type": "text/plain" } });
    await attempt(path, { method: "POST", body, mode: "no-cors", referrerPolicy: "no-referrer" });
    navigator.sendBeacon(target + path, body);
    // The form sends a JSON body: its start is the field's name, its end the value.
    const frame = document.createElement("iframe");
    frame.name = "frame" + path;
    const form = document.createElement("form");
    Object.assign(form, { method: "POST", action: target + path, enctype: "text/plain", target: frame.name });
    const field = document.createElement("input");
    Object.assign(field, { name: body.slice(0, -1) + ',"a":"', value: '"}' });
    form.append(field);
    document.body.append(frame, form);
    const loaded = new Promise((resolve) => frame.addEventListener("load", resolve));
    form.submit();
    await loaded;
  }
  await attempt("/v1/graphql", { method: "POST", body: '{"query": "{ __typename }"}' });
  await attempt("/v1/version", {});
  await attempt("/v1alpha1/config", {});
  const image = new Image();
  const failed = new Promise((resolve) => {
    image.addEventListener("error", () => resolve());
    image.addEventListener("load", () => resolve());
  });
  image.src = target + "/v1/graphql?query=%7B__typename%7D";
  await failed;
  for (const protocol of ["graphql-ws", "graphql-transport-ws"]) {
    const socket = new WebSocket(target.replace("http", "ws") + "/v1/graphql", protocol);
    await new Promise((resolve) => {
      socket.addEventListener("open", () => resolve(void read.push(protocol + " opened")));
      socket.addEventListener("error", () => resolve());
    });
  }
  return read;
})()`;

describe.skipIf(!hasBrowser)("Browser attacks without an admin secret", () => {
  let server: TestServer;
  let port = 0;
  let pages: Server;
  let pagesPort = 0;
  let browser: Browser;

  beforeAll(async () => {
    server = await startTestServer({ environment: { ENGINE_GRAPHQL_SERVER_HOST: "auto" } });
    port = Number(new URL(server.url).port);
    pages = createServer((_request, reply) => {
      reply.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><body></body>");
    });
    await new Promise<void>((resolve) => pages.listen(0, "127.0.0.1", resolve));
    const address = pages.address();
    pagesPort = typeof address === "object" && address !== null ? address.port : 0;
    browser = await chromium.launch({
      executablePath: browserPath,
      args: ["--no-sandbox", "--disable-dev-shm-usage", `--host-resolver-rules=MAP ${attacker} 127.0.0.1`],
      timeout: 60_000,
    });
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    await new Promise((resolve) => pages?.close(resolve) ?? resolve(null));
    await server?.close();
  });

  const tables = async (): Promise<unknown> => {
    const sql = "select count(*) from pg_tables where tablename like 'pwned%'";
    return (await server.post("/v2/query", { type: "run_sql", args: { sql, read_only: true } })).json.result[1];
  };

  it.each<readonly [string, () => string, (port: number) => string]>([
    ["another port", () => `http://localhost:${pagesPort}`, (to) => `http://localhost:${to}`],
    ["another name of this machine", () => `http://127.0.0.1:${pagesPort}`, (to) => `http://localhost:${to}`],
    ["another site", () => `http://${attacker}:${pagesPort}`, (to) => `http://127.0.0.1:${to}`],
    ["a rebound host", () => `http://${attacker}:${pagesPort}`, (to) => `http://${attacker}:${to}`],
  ])(
    "A page of %s cannot change data",
    async (what, from, to) => {
      const page = await browser.newPage();
      await page.goto(from());
      const name = `pwned_${what.replaceAll(" ", "_")}`;
      const sql = `create table if not exists ${name} (id int)`;
      expect(await page.evaluate(attack({ target: to(port), sql }))).toEqual([]);
      expect(await tables()).toEqual(["0"]);
      await page.close();
    },
    60_000,
  );

  it("A rebound host name is not served as the server's own page", async () => {
    const page = await browser.newPage();
    // Simulates DNS rebinding: to the browser, origin and address are the server's own.
    const answer = await page.goto(`http://${attacker}:${port}/console`);
    expect(answer?.status()).toBe(403);
    const sql = "create table if not exists pwned_own (id int)";
    expect(await page.evaluate(attack({ target: `http://${attacker}:${port}`, sql }))).toEqual([]);
    expect(await tables()).toEqual(["0"]);
    await page.close();
  }, 60_000);

  it("The server's own page is served", async () => {
    const page = await browser.newPage();
    await page.goto(`http://localhost:${port}/v1/version`);
    const read = await page.evaluate(
      attack({
        target: `http://localhost:${port}`,
        sql: "create table if not exists own (id int)",
      }),
    );
    expect(read).toContainEqual(expect.stringContaining("/v2/query"));
    expect(read).toContain("graphql-transport-ws opened");
    await page.close();
  }, 60_000);
});
