/** The examples of `docs/how-to/schedules.md` work as shown: its requests are sent to the demo. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { librarySample } from "../../../runtime/cli/demo.ts";
import { version } from "../../../runtime/cli/version.ts";
import { parseOptions } from "../../../runtime/config/options.ts";
import { createLog } from "../../../runtime/observe/logs/log.ts";
import { type Server, startServer } from "../../../runtime/server/live/start-server.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../../support/webhook-receiver.ts";

const page = await readFile(join(import.meta.dirname, "../../../docs/how-to/schedules.md"), "utf8");
const requests = [...page.matchAll(/```sh\n(curl .*?)```(?:\n\n```json\n(.*?)```)?/gs)].flatMap(
  ([, commands = "", answer]) =>
    commands
      .split(/\n(?=curl )/)
      .map((command, i, all) => ({ command, answer: i === all.length - 1 ? answer : undefined })),
);

let server: Server;
let receiver: WebhookReceiver;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "engine-schedules-"));
  receiver = await startWebhookReceiver();
  const options = parseOptions({ dataDir: join(folder, "data"), serverPort: "0", serverHost: "127.0.0.1" }, {});
  const log = createLog(options, { write: () => undefined });
  server = await startServer({ options, environment: {}, log, version, sample: librarySample });
}, 60_000);

afterAll(async () => {
  await server?.close();
  await receiver?.close();
  await rm(folder, { recursive: true, force: true });
});

describe("The page about schedules", () => {
  it("The schedules page has at least five requests", () => expect(requests.length).toBeGreaterThanOrEqual(5));

  it.each(requests)("The request on the schedules page works: $command", async ({ command, answer }) => {
    const [, path = ""] = /http:\/\/localhost:8080(\S+)/.exec(command) ?? [];
    const [, body = ""] = /-d '([^']*)'/s.exec(command) ?? [];
    const sent = body.replaceAll("http://127.0.0.1:3000", receiver.url);
    const response = await fetch(`http://127.0.0.1:${server.port}${path}`, { method: "POST", body: sent });
    const text = await response.text();
    expect([response.status, text]).toEqual([200, expect.any(String)]);
    if (answer !== undefined) expect(JSON.parse(text)).toEqual(JSON.parse(answer));
    if (body.includes("get_rows_count")) expect(JSON.parse(text)).toMatchObject({ count: 100 });
  });

  it("The example event of the schedules page is delivered", async () => {
    await vi.waitFor(() => expect(receiver.received.map(({ path }) => path)).toContain("/once"), { timeout: 10_000 });
    const once = receiver.received.find(({ path }) => path === "/once");
    expect(JSON.parse(once?.body ?? "")).toMatchObject({ payload: { order: 7 } });
  });
});
