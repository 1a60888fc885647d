/** `disabled_features`: the statements sent to a database with neither notifications nor lateral joins. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDatabase, query, type TestDatabase } from "../../support/database.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";
import { type StatementLog, startStatementLog } from "../../support/statement-log.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../../support/webhook-receiver.ts";
import { WebsocketClient } from "../../support/websocket.ts";

let database: TestDatabase;
let metadata: TestDatabase;
let log: StatementLog;
let hook: WebhookReceiver;
let engine: TestServer;

const owners = ["ada", "ben", "cleo"];
const text = "subscription { note { text } }";
const answer = (owner: string) => ({ data: { note: [{ text: owner }] } });
const configuration = (features?: readonly string[]) => ({
  connection_info: { database_url: log.url, ...(features && { disabled_features: features }) },
});

beforeAll(async () => {
  [database, metadata] = [await createDatabase("features"), await createDatabase("features_metadata")];
  await query(
    database.url,
    `create table note (owner text primary key, text text);
     insert into note select name, name from unnest(array['ada', 'ben', 'cleo']) name`,
  );
  log = await startStatementLog(database.url);
  hook = await startWebhookReceiver();
  engine = await startTestServer({
    sealed: false,
    on: { databaseUrl: database.url, metadataUrl: metadata.url },
    environment: {
      HOOK: hook.url,
      ENGINE_GRAPHQL_LIVE_QUERIES_NOTIFY: "shop",
      ENGINE_GRAPHQL_LIVE_QUERIES_MULTIPLEXED_REFETCH_INTERVAL: "50",
    },
  });
  await engine.metadata("pg_add_source", { name: "shop", configuration: configuration() });
  await engine.metadata("pg_track_table", { source: "shop", table: "note" });
  const filter = { owner: { _eq: "x-engine-user-id" } };
  const permission = { columns: "*", filter };
  await engine.metadata("pg_create_select_permission", { source: "shop", table: "note", role: "user", permission });
}, 120_000);

afterAll(async () => {
  await engine?.close();
  await log?.close();
  await hook?.close();
  await Promise.all([database?.drop(), metadata?.drop()]);
});

const user = (owner: string) => ({ "x-engine-role": "user", "x-engine-user-id": owner });

/** Subscribes for all owners, and waits until each subscription has received its own change. */
async function follow(): Promise<void> {
  const clients = await Promise.all(
    owners.map(async (owner) => {
      const client = await WebsocketClient.open(engine.url, { protocol: "graphql-transport-ws" });
      client.send({ type: "connection_init", payload: { headers: user(owner) } });
      client.send({ type: "subscribe", id: "1", payload: { query: text } });
      const next = async (): Promise<unknown> => {
        for (;;) {
          const message = (await client.next()) as { readonly type: string; readonly payload: unknown };
          if (message.type === "next") return message.payload;
        }
      };
      expect(await next()).toEqual(answer(owner));
      return { owner, client, next };
    }),
  );
  await query(database.url, "update note set text = owner || '!'");
  for (const { owner, next } of clients) expect(await next()).toEqual(answer(`${owner}!`));
  await query(database.url, "update note set text = owner");
  for (const { owner, client, next } of clients) {
    expect(await next()).toEqual(answer(owner));
    client.ws.close();
  }
}

const sent = (pattern: RegExp): readonly string[] => log.statements.filter((each) => pattern.test(each));

describe("Disabled features of a source", () => {
  it("A source with all features uses LISTEN and multiplexed statements", async () => {
    await follow();
    expect(sent(/\blateral\b/i)).not.toEqual([]);
    expect(sent(/^LISTEN /)).not.toEqual([]);
  }, 60_000);

  it("A source with disabled features uses neither LISTEN nor multiplexed statements, and subscriptions still work", async () => {
    const features = ["notifications", "multiplexing"];
    await engine.metadata("pg_update_source", { name: "shop", configuration: configuration(features) });
    log.statements.length = 0;
    await follow();
    expect(sent(/\blateral\b/i)).toEqual([]);
    expect(sent(/\b(LISTEN|pg_notify)\b/)).toEqual([]);
    // All subscriptions run the same statement, each with its own values.
    expect(new Set(sent(/"note"/).filter((each) => /^select \(/.test(each))).size).toBe(1);
    const trigger = { source: "shop", name: "noted", table: "note", webhook: "{{HOOK}}", insert: { columns: "*" } };
    await engine.metadata("pg_create_event_trigger", trigger);
    await query(database.url, "insert into note values ('dora', 'dora')");
    await expect.poll(() => hook.received.length, { timeout: 20_000 }).toBe(1);
    expect(sent(/^LISTEN /)).toEqual([]);
    const explained = await engine.post("/v1/graphql/explain", { query: { query: text }, user: user("ada") });
    expect(explained.json.sql).toContain('"owner" = ');
    expect(explained.json.sql).not.toContain("lateral");
    const exported = JSON.stringify(await engine.metadata("export_metadata", {}));
    expect(exported).toContain('"disabled_features":["notifications","multiplexing"]');
  }, 90_000);

  it("A source refuses unknown feature names", async () => {
    const args = { name: "shop", configuration: configuration(["notification"]) };
    const { status, json } = await engine.post("/v1/metadata", { type: "pg_update_source", args });
    expect([status, json.code]).toEqual([400, "parse-failed"]);
    expect(json.path).toBe("$.args.configuration.connection_info.disabled_features[0]");
    expect(json.error).toContain("notifications");
  });
});
