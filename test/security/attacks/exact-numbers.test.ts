/**
 * Numbers in metadata that a JavaScript number cannot hold: a permission for one row must not reveal the adjacent row
 * after a restart, on another instance, or after an export and replacement of the metadata.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { query } from "../../support/database.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../../support/webhook-receiver.ts";

/** Both are 9007199254740992 as a double. */
const [below, wanted] = ["9007199254740992", "9007199254740993"];
const spellings = '[1e400, 1E5, 1.10, 0.1000, -0, 1e-7, 100000000000000000000000000000000000000001, "1e400"]';

const tables = `
  create table item (id bigint primary key, price numeric, tags jsonb);
  insert into item values (${below}, 1, '{"n": ${below}}'), (${wanted}, 2, '{"n": ${wanted}}');
  create table entry (id serial primary key, owner bigint, rate numeric, info jsonb);`;

/** Returns metadata as text, because JavaScript objects cannot hold these numbers. */
const metadataOf = (webhook: string): string => `{
  "version": 3,
  "sources": [{
    "name": "default",
    "kind": "postgres",
    "tables": [{
      "table": {"schema": "public", "name": "entry"},
      "insert_permissions": [{
        "role": "reader",
        "permission": {
          "check": {"owner": {"_lte": ${wanted}}},
          "set": {"owner": ${wanted}, "rate": 1.10, "info": {"numbers": ${spellings}}},
          "columns": ["owner"]
        }
      }],
      "select_permissions": [{
        "role": "reader",
        "permission": {"columns": ["owner", "rate", "info"], "filter": {"owner": {"_in": [${wanted}, 1E5]}}}
      }]
    }, {
      "table": {"schema": "public", "name": "item"},
      "select_permissions": [
        {"role": "contained", "permission": {"columns": ["id"], "filter": {"tags": {"_contains": {"n": ${wanted}}}}}},
        {"role": "reader", "permission": {"columns": ["id"], "filter": {"id": {"_eq": ${wanted}}}}}
      ]
    }],
    "configuration": {"connection_info": {"database_url": {"from_env": "ENGINE_GRAPHQL_DATABASE_URL"}}}
  }],
  "cron_triggers": [{
    "name": "never",
    "webhook": "${webhook}",
    "schedule": "0 0 1 1 *",
    "payload": {"numbers": ${spellings}},
    "include_in_metadata": true
  }]
}`;

let webhook: WebhookReceiver;
let first: TestServer;
let follower: TestServer;
const started: TestServer[] = [];
const start = async (on?: TestServer): Promise<TestServer> => {
  const server = await startTestServer(on && { on });
  started.push(server);
  return server;
};

/** Returns the raw response, because `JSON.parse` would make both rows equal. */
const textOf = async (server: TestServer, query: string, role?: string): Promise<string> =>
  (await server.post("/v1/graphql", { query }, role === undefined ? {} : { "x-engine-role": role })).text;

const exportOf = async (server: TestServer): Promise<string> =>
  (await server.post("/v1/metadata", { type: "export_metadata", args: {} })).text;

async function expectRightRows(server: TestServer): Promise<void> {
  expect(await textOf(server, "{ item { id } }", "reader")).toBe(`{"data":{"item":[{"id":${wanted}}]}}`);
  expect(await textOf(server, "{ item { id } }", "contained")).toBe(`{"data":{"item":[{"id":${wanted}}]}}`);
}

/** Checks the payload of a one-off event, which is stored in the metadata database. */
async function expectRightPayload(server: TestServer): Promise<void> {
  const payload = `{"numbers":${spellings.replaceAll(", ", ",")}}`;
  const before = webhook.received.length;
  const args = `{"webhook": "${webhook.url}", "schedule_at": "${new Date().toISOString()}", "payload": ${payload}}`;
  const made = await server.post("/v1/metadata", `{"type": "create_scheduled_event", "args": ${args}}`);
  expect(made.status).toBe(200);
  const listed = await server.post("/v1/metadata", { type: "get_scheduled_events", args: { type: "one_off" } });
  expect(listed.text).toContain(payload);
  await expect.poll(() => webhook.received.length, { timeout: 20_000 }).toBeGreaterThan(before);
  expect(webhook.received.at(-1)?.body).toContain(`"payload":${payload}`);
}

async function expectRightWrites(server: TestServer): Promise<void> {
  const insert = "mutation { insert_entry_one(object: {}) { owner rate } }";
  const entry = `{"owner" : ${wanted}, "rate" : 1.10}`;
  expect(await textOf(server, insert, "reader")).toBe(`{"data":{"insert_entry_one":${entry}}}`);
  const stored = await query(
    server.databaseUrl,
    "select (info -> 'numbers')::text as info from entry order by id desc limit 1",
  );
  const [numbers] = stored.map(({ info }) => String(info));
  expect(numbers).toMatch(/^\[10{400}, 100000, 1\.10, 0\.1000, 0, 0\.0000001, 10+1, "1e400"\]$/);
}

beforeAll(async () => {
  webhook = await startWebhookReceiver();
  first = await start();
  await query(first.databaseUrl, tables);
  follower = await start(first);
});

afterAll(async () => {
  for (const server of started.slice(1)) await server.stop();
  await first?.close();
  await webhook?.close();
});

describe("Exact numbers in metadata", () => {
  it("Numbers beyond doubles stay exact from the change to the export, on every instance and after a restart", async () => {
    const args = metadataOf(webhook.url);
    const replaced = await first.post("/v1/metadata", `{"type": "replace_metadata", "args": ${args}}`);
    expect(replaced.json).toEqual({ message: "success" });
    const exported = await exportOf(first);
    for (const number of [wanted, "1.10", "1E5"]) expect(exported).toContain(number);
    expect(exported).toContain(spellings.replaceAll(", ", ","));
    await expectRightRows(first);
    await expectRightWrites(first);
    await expectRightPayload(first);

    await expect.poll(() => exportOf(follower), { timeout: 20_000 }).toBe(exported);
    await expectRightRows(follower);

    const restarted = await start(first);
    expect(await exportOf(restarted)).toBe(exported);
    await expectRightRows(restarted);
    await expectRightWrites(restarted);
    const restored = await restarted.post("/v1/metadata", `{"type": "replace_metadata", "args": ${exported}}`);
    expect(restored.json).toEqual({ message: "success" });
    expect(await exportOf(restarted)).toBe(exported);
    await expectRightRows(restarted);
  }, 180_000);
});
