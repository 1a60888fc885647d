/** The examples of `docs/how-to/event-triggers.md` work as shown: its receiver runs, its requests are sent to the demo. */
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { librarySample } from "../../../runtime/cli/demo.ts";
import { version } from "../../../runtime/cli/version.ts";
import { parseOptions } from "../../../runtime/config/options.ts";
import { createLog } from "../../../runtime/observe/logs/log.ts";
import { type Server, startServer } from "../../../runtime/server/live/start-server.ts";
import { freePort } from "../../support/free-port.ts";

const page = await readFile(join(import.meta.dirname, "../../../docs/how-to/event-triggers.md"), "utf8");
const [, receiver = ""] = /<!-- receiver -->\n```js\n(.*?)```/s.exec(page) ?? [];
const requests = [...page.matchAll(/```sh\n(curl .*?)```(?:\n\n```json\n(.*?)```)?/gs)].flatMap(
  ([, commands = "", answer]) =>
    commands
      .split(/\n(?=curl )/)
      .map((command, i, all) => ({ command, answer: i === all.length - 1 ? answer : undefined })),
);

let server: Server;
let hook: ChildProcess;
let folder: string;
let port: number;
let printed = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "engine-events-"));
  port = await freePort();
  const environment = { HOOK_SECRET: `whsec_${randomBytes(24).toString("base64")}` };
  await writeFile(join(folder, "receiver.mjs"), receiver);
  hook = spawn(process.execPath, [join(folder, "receiver.mjs")], {
    env: { ...process.env, ...environment, PORT: String(port) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  hook.stdout?.on("data", (text: Buffer) => {
    printed += text.toString();
  });
  const options = parseOptions({ dataDir: join(folder, "data"), serverPort: "0", serverHost: "127.0.0.1" }, {});
  const log = createLog(options, { write: () => undefined });
  server = await startServer({ options, environment, log, version, sample: librarySample });
}, 60_000);

afterAll(async () => {
  hook?.kill();
  await server?.close();
  await rm(folder, { recursive: true, force: true });
});

describe("The page about event triggers", () => {
  it("The page has at least seven requests", () => expect(requests.length).toBeGreaterThanOrEqual(7));

  it.each(requests)("The request on the page returns the shown response: $command", async ({ command, answer }) => {
    const [, path = ""] = /http:\/\/localhost:8080(\S+)/.exec(command) ?? [];
    const [, body = ""] = /-d '([^']*)'/s.exec(command) ?? [];
    const sent = body.replaceAll("127.0.0.1:3000", `127.0.0.1:${port}`);
    const response = await fetch(`http://127.0.0.1:${server.port}${path}`, { method: "POST", body: sent });
    const text = `${await response.text()}\n`;
    expect({ status: response.status, text }).toEqual({ status: 200, text: answer ?? text });
  });

  it("The receiver on the page prints the shown lines", async () => {
    const said = [...page.matchAll(/prints `([^`]*)`/g)].map(([, line = ""]) => line);
    expect(said).toHaveLength(2);
    await expect.poll(() => printed.trim().split("\n").sort(), { timeout: 15_000 }).toEqual(said.sort());
  });
});
