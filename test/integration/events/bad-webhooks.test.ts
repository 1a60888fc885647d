/** Failing webhooks and invalid definitions: each event ends in the specified state, and delays no other. */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { query, type Row } from "../../support/database.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../../support/webhook-receiver.ts";

let server: TestServer;
let webhook: WebhookReceiver;
let other: WebhookReceiver;
let untrusted: Server;

/** Size of the longest response in bytes. */
const longest = 100 * 1024 * 1024;
const block = Buffer.alloc(1024 * 1024, "x");
let sent = 0;

beforeAll(async () => {
  other = await startWebhookReceiver();
  webhook = await startWebhookReceiver(async (response, { path }) => {
    if (path === "/silent") return;
    if (path === "/elsewhere") return void response.writeHead(307, { location: other.url }).end();
    if (path === "/here") return void response.writeHead(307, { location: "/good" }).end();
    if (path === "/circle") return void response.writeHead(307, { location: "/circle" }).end();
    if (path === "/long" || path === "/long-error") {
      response.on("error", () => undefined);
      response.writeHead(path === "/long" ? 200 : 500);
      for (sent = 0; sent < longest && !response.destroyed; sent += block.length) {
        if (!response.write(block)) await Promise.race([once(response, "drain"), once(response, "close")]);
      }
    }
    response.end('{"ok": true}');
  });
  untrusted = await serveUntrusted();
  server = await startTestServer({
    sealed: false,
    environment: {
      HOOK: webhook.url,
      UNTRUSTED: `https://localhost:${(untrusted.address() as AddressInfo).port}`,
      ENGINE_GRAPHQL_EVENTS_STORED_RESPONSE_BYTES: "1000",
    },
  });
  await query(server.databaseUrl, "create table item (id serial primary key, name text)");
  await server.metadata("pg_track_table", { table: "item" });
}, 60_000);

afterAll(async () => {
  await server?.close();
  untrusted?.close();
  await Promise.all([webhook?.close(), other?.close()]);
});

beforeEach(async () => {
  const { sources } = (await server.metadata("export_metadata", {})) as {
    readonly sources: readonly {
      readonly tables: readonly { readonly event_triggers?: readonly { name: string }[] }[];
    }[];
  };
  const triggers = sources.flatMap(({ tables }) => tables.flatMap(({ event_triggers = [] }) => event_triggers));
  for (const { name } of triggers) await server.metadata("pg_delete_event_trigger", { name });
});

/** Starts a server with a self-signed certificate. */
async function serveUntrusted(): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), "untrusted-"));
  const [keyPath, certPath] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const args = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-days", "2"];
  execFileSync("openssl", [...args, "-keyout", keyPath, "-out", certPath], { stdio: "ignore" });
  const opened = createServer({ key: readFileSync(keyPath), cert: readFileSync(certPath) }, (request, response) => {
    request.resume().on("end", () => response.end());
  });
  rmSync(folder, { recursive: true });
  opened.listen(0, "127.0.0.1");
  await once(opened, "listening");
  return opened;
}

const good = { name: "good", table: "item", webhook: "{{HOOK}}/good", insert: { columns: "*" } };
const patience = { timeout: 20_000, interval: 20 };

/**
 * Inserts a row, and waits until its events have ended.
 * @returns the event of the trigger `bad`, and the stored invocations
 */
async function outcome(changed: object): Promise<{ readonly event: Row; readonly invocations: readonly Row[] }> {
  const retry_conf = { num_retries: 0, interval_sec: 1, timeout_sec: 10 };
  await server.metadata("pg_create_event_trigger", { ...good, name: "bad", retry_conf, ...changed });
  await server.metadata("pg_create_event_trigger", good);
  await query(server.databaseUrl, "insert into item (name) values ('a')");
  const open = () =>
    query(server.databaseUrl, "select 1 from engine_catalog.event_log where not (delivered or error or archived)");
  await expect.poll(open, patience).toEqual([]);
  const [event] = await query(
    server.databaseUrl,
    `select id, delivered, error, tries, locked from engine_catalog.event_log where trigger_name = 'bad'
     order by created_at desc limit 1`,
  );
  const [well] = await query(
    server.databaseUrl,
    "select delivered from engine_catalog.event_log where trigger_name = 'good' order by created_at desc limit 1",
  );
  expect(well).toEqual({ delivered: true });
  if (event === undefined) throw new Error("no event was recorded");
  const { id, ...state } = event;
  const invocations = await query(
    server.databaseUrl,
    "select status, response from engine_catalog.event_invocation_logs where event_id = $1 order by created_at",
    [id],
  );
  return { event: state, invocations };
}

const failed = { delivered: false, error: true, tries: 1, locked: null };
const delivered = { delivered: true, error: false, tries: 1, locked: null };
const failure = (status: number | null, message: unknown) => ({
  status,
  response: { type: "client_error", version: "2", data: { message } },
});

describe("Failing webhooks", () => {
  it("A webhook that times out fails the event", async () => {
    const retry_conf = { num_retries: 0, interval_sec: 1, timeout_sec: 1 };
    expect(await outcome({ webhook: "{{HOOK}}/silent", retry_conf })).toEqual({
      event: failed,
      invocations: [failure(null, 'Event Trigger "bad" timed out while processing.')],
    });
  });

  it("A webhook response of 100 MB delivers the event, and its beginning is stored", async () => {
    const { event, invocations } = await outcome({ webhook: "{{HOOK}}/long" });
    expect(event).toEqual(delivered);
    expect(invocations).toMatchObject([{ status: 200, response: { data: { body: "x".repeat(1000) } } }]);
    expect(sent).toBeLessThan(longest);
  });

  it("A refusing webhook response of 100 MB fails the event, and its beginning is stored", async () => {
    const { event, invocations } = await outcome({ webhook: "{{HOOK}}/long-error" });
    expect(event).toEqual(failed);
    expect(invocations).toEqual([failure(500, "x".repeat(1000))]);
  });

  it("A webhook redirect to another origin fails the event and is not followed", async () => {
    const { event, invocations } = await outcome({ webhook: "{{HOOK}}/elsewhere" });
    expect(event).toEqual(failed);
    expect(invocations).toEqual([failure(null, expect.stringContaining("redirects to another origin"))]);
    expect(other.received).toEqual([]);
  });

  it("A webhook redirect within its origin is followed", async () => {
    expect((await outcome({ webhook: "{{HOOK}}/here" })).event).toEqual(delivered);
  });

  it("A circular webhook redirect fails the event", async () => {
    const { event, invocations } = await outcome({ webhook: "{{HOOK}}/circle" });
    expect(event).toEqual(failed);
    expect(invocations).toMatchObject([{ status: 307 }]);
  });

  it("A webhook with an untrusted certificate fails the event unless its host is exempt", async () => {
    const { event, invocations } = await outcome({ webhook: "{{UNTRUSTED}}" });
    expect(event).toEqual(failed);
    expect(invocations).toEqual([failure(null, expect.stringContaining("self-signed certificate"))]);
    await server.metadata("pg_delete_event_trigger", { name: "bad" });
    await server.metadata("pg_delete_event_trigger", { name: "good" });
    await server.metadata("add_host_to_tls_allowlist", { host: "localhost" });
    expect((await outcome({ webhook: "{{UNTRUSTED}}" })).event).toEqual(delivered);
  });
});

describe("Failing transforms of event triggers", () => {
  it("A failing transform ends the event as an error without an attempt", async () => {
    const request_transform = {
      version: 2,
      template_engine: "Kriti",
      body: { action: "transform", template: "{{$body.none.at.all}}" },
    };
    const before = webhook.received.length;
    const retry_conf = { num_retries: 5, interval_sec: 3600 };
    const { event, invocations } = await outcome({ request_transform, retry_conf });
    expect(event).toMatchObject({ delivered: false, error: true, locked: null });
    expect(invocations).toEqual([]);
    expect(webhook.received).toHaveLength(before + 1); // only the event of the other trigger
  });
});

describe("Missing environment variables of event triggers", () => {
  it("An event trigger with a missing environment variable is refused, or keeps its events until the variable is set", async () => {
    await outcome({});
    const unset = { ...good, name: "bad", webhook: undefined, webhook_from_env: "NOT_THERE", replace: true };
    const { status, json } = await server.post("/v1/metadata", { type: "pg_create_event_trigger", args: unset });
    expect(status).toBe(400);
    expect(json).toMatchObject({
      code: "invalid-configuration",
      error: expect.stringContaining("environment variable 'NOT_THERE' not set"),
    });
    const metadata = JSON.stringify(await server.metadata("export_metadata", {}));
    const broken = JSON.parse(
      metadata.replace(
        /"name":"bad"([^}]*?\}[^[\]]*?)"webhook":"\{\{HOOK\}\}\/good"/,
        '"name":"bad"$1"webhook_from_env":"NOT_THERE"',
      ),
    );
    const replace = { allow_inconsistent_metadata: true, metadata: broken };
    const replaced = await server.post("/v1/metadata", { type: "replace_metadata", version: 2, args: replace });
    expect(replaced.json).toMatchObject({ is_consistent: false });
    await query(server.databaseUrl, "insert into item (name) values ('waits')");
    const waiting = () =>
      query(
        server.databaseUrl,
        `select trigger_name as name, delivered, tries, locked from engine_catalog.event_log
         where payload #>> '{data,new,name}' = 'waits' order by 1`,
      );
    const open = { name: "bad", delivered: false, tries: 0, locked: null };
    await expect.poll(waiting, patience).toEqual([open, { name: "good", delivered: true, tries: 1, locked: null }]);
    await server.metadata("replace_metadata", JSON.parse(metadata));
    await expect.poll(waiting, patience).toMatchObject([{ name: "bad", delivered: true }, { name: "good" }]);
  });
});
