/** Runs the server and sends the requests of `docs/how-to/remote-relationships.md`. */
import { type ChildProcess, spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createDatabase, type TestDatabase } from "../../support/database.ts";
import { freePort } from "../../support/free-port.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";
import { root } from "../../support/shared-checks.ts";

const page = await readFile(join(root, "docs/how-to/remote-relationships.md"), "utf8");
const [, reviews = ""] = /<!-- reviews -->\n```js\n(.*?)```/s.exec(page) ?? [];
const requests = [...page.matchAll(/```sh\n(curl .*?)```(?:\n\n```json\n(.*?)```)?/gs)].flatMap(
  ([, commands = "", answer]) =>
    commands
      .split(/\n(?=curl )/)
      .map((command, i, all) => ({ command, answer: i === all.length - 1 ? answer : undefined })),
);

let stock: TestDatabase;
let program: ChildProcess;
let server: TestServer;
let port: number;

beforeAll(async () => {
  port = await freePort();
  stock = await createDatabase("page_stock");
  server = await startTestServer({ environment: { STOCK_DATABASE_URL: stock.url } });
  program = spawn(process.execPath, ["--input-type=module", "-e", reviews], {
    cwd: root,
    env: { ...process.env, PORT: String(port) },
    stdio: ["ignore", "ignore", "inherit"],
  });
  await vi.waitFor(() => fetch(`http://127.0.0.1:${port}/`, { method: "POST", body: '{"query":"{ __typename }"}' }), {
    timeout: 20_000,
  });
}, 60_000);

afterAll(async () => {
  program?.kill();
  await server?.close();
  await stock?.drop();
});

describe("The page about remote relationships", () => {
  it("The page has at least eight requests, two of them with responses", () => {
    expect(requests.length).toBeGreaterThanOrEqual(8);
    expect(requests.filter(({ answer }) => answer !== undefined)).toHaveLength(2);
  });

  it.each(requests)("The request on the page works: $command", async ({ command, answer }) => {
    const [, path = ""] = /http:\/\/localhost:8080(\S+)/.exec(command) ?? [];
    const [, body = ""] = /-d '([^']*)'/s.exec(command) ?? [];
    const { status, json, text } = await server.post(path, body.replaceAll("127.0.0.1:4000", `127.0.0.1:${port}`));
    expect(status, text).toBe(200);
    expect(text).not.toContain('"errors"');
    if (answer !== undefined) expect(json).toEqual(JSON.parse(answer));
  });
});
