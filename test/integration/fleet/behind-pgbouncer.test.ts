/** All features over PgBouncer in transaction mode, for both databases, with default options. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createDatabase, query, type TestDatabase } from "../../support/database.ts";
import { type Pooler, startPooler } from "../../support/pooler.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../../support/webhook-receiver.ts";
import { WebsocketClient } from "../../support/websocket.ts";

let source: TestDatabase;
let metadata: TestDatabase;
let pooler: Pooler | undefined;
let webhook: WebhookReceiver;
let first: TestServer;
let second: TestServer;

const user = (id: number) => ({ "x-engine-role": "user", "x-engine-user-id": String(id) });

beforeAll(async () => {
  [source, metadata] = [await createDatabase("bouncer"), await createDatabase("bouncer_metadata")];
  // Few sessions for many transactions, so that transactions run in sessions that earlier ones have used.
  pooler = await startPooler(source.url, { default_pool_size: 3, max_client_conn: 400 });
  if (pooler === undefined) return;
  webhook = await startWebhookReceiver();
  const on = { databaseUrl: pooler.before(source.url), metadataUrl: pooler.before(metadata.url) };
  const environment = {
    HOOK: webhook.url,
    ENGINE_GRAPHQL_LIVE_QUERIES_NOTIFY: "default",
    ENGINE_GRAPHQL_LIVE_QUERIES_MULTIPLEXED_REFETCH_INTERVAL: "100",
    ENGINE_GRAPHQL_STREAMING_QUERIES_MULTIPLEXED_REFETCH_INTERVAL: "100",
  };
  first = await startTestServer({ sealed: false, on, environment });
  second = await startTestServer({ sealed: false, on, environment });
}, 120_000);

afterAll(async () => {
  await second?.stop();
  await first?.close();
  await webhook?.close();
  await pooler?.stop();
  await Promise.all([source?.drop(), metadata?.drop()]);
}, 60_000);

async function subscribe(server: TestServer, text: string, headers: object) {
  const client = await WebsocketClient.open(server.url, { protocol: "graphql-transport-ws" });
  client.send({ type: "connection_init", payload: { headers } });
  client.send({ type: "subscribe", id: "1", payload: { query: text } });
  return {
    close: () => client.ws.close(),
    async next(): Promise<unknown> {
      for (;;) {
        const message = (await client.next()) as { readonly type: string; readonly payload: unknown };
        if (message.type === "error") throw new Error(JSON.stringify(message.payload));
        if (message.type === "next") return message.payload;
      }
    },
  };
}

describe("PgBouncer in transaction mode", () => {
  beforeEach(({ skip }) => skip(pooler === undefined, "pgbouncer is not installed"));

  it("Behind PgBouncer, migrations run and every server follows the metadata", async () => {
    const sql = `create table note (id serial primary key, owner integer not null, text text not null);
      create table seen (who text);
      create function note_seen() returns trigger language plpgsql as $$
        begin
          insert into seen values (current_setting('engine.user', true)::json ->> 'x-engine-user-id');
          return null;
        end $$;
      create trigger note_seen after insert on note for each row execute function note_seen()`;
    const ran = await first.post("/v2/query", { type: "run_sql", args: { sql } });
    expect(ran.status).toBe(200);
    await first.metadata("pg_track_table", { table: "note" });
    const own = { owner: { _eq: "x-engine-user-id" } };
    const select = { table: "note", role: "user", permission: { columns: "*", filter: own, allow_aggregations: true } };
    await first.metadata("pg_create_select_permission", select);
    const set = { owner: "x-engine-user-id" };
    const insert = { table: "note", role: "user", permission: { columns: ["text"], check: own, set } };
    await first.metadata("pg_create_insert_permission", insert);
    const update = { table: "note", role: "user", permission: { columns: ["text"], filter: own, check: own } };
    await first.metadata("pg_create_update_permission", update);
    await expect.poll(() => second.graphql("{ note { id } }"), { timeout: 20_000 }).toEqual({ data: { note: [] } });
    const renamed = { sql: "alter table note rename column text to body; alter table note rename column body to text" };
    expect((await first.post("/v2/query", { type: "run_sql", args: renamed })).status).toBe(200);
  }, 60_000);

  it("Behind PgBouncer, concurrent mutations and queries of many users see their own session", async () => {
    const servers = [first, second];
    const write = 'mutation { insert_note_one(object: {text: "a"}) { id owner } }';
    const read =
      "query Own($text: String!) { note(where: {text: {_eq: $text}}) { owner } note_aggregate { aggregate { count } } }";
    const answers = await Promise.all(
      Array.from({ length: 240 }, async (_, i) => {
        const server = servers[i % 2] ?? first;
        const id = i % 40;
        const written = await server.graphql(write, user(id));
        expect(written).toMatchObject({ data: { insert_note_one: { owner: id } } });
        for (let n = 0; n < 3; n++) {
          const found = (await server.graphql(read, user(id), { text: "a" })) as {
            data: { note: { owner: number }[]; note_aggregate: { aggregate: { count: number } } };
          };
          expect(new Set(found.data.note.map(({ owner }) => owner))).toEqual(new Set([id]));
          expect(found.data.note_aggregate.aggregate.count).toBe(found.data.note.length);
        }
        return written;
      }),
    );
    expect(answers).toHaveLength(240);
    // The trigger read the session variables of its own transaction.
    expect(
      await query(source.url, "select count(*)::int as count, count(distinct who)::int as users from seen"),
    ).toEqual([{ count: 240, users: 40 }]);
    const failing = "mutation { insert_note_one(object: {text: null}) { id } }";
    expect(await first.graphql(failing, user(1))).toHaveProperty("errors");
    const updated = await first.graphql(
      'mutation { update_note(where: {}, _set: {text: "b"}) { affected_rows } }',
      user(1),
    );
    expect(updated).toEqual({ data: { update_note: { affected_rows: 6 } } });
  }, 60_000);

  it("Behind PgBouncer, live queries and streams deliver changes without notifications", async () => {
    const live = await subscribe(first, "subscription { note_aggregate { aggregate { count } } }", user(2));
    const stream = await subscribe(
      second,
      "subscription { note_stream(batch_size: 5, cursor: {initial_value: {id: 240}}) { text owner } }",
      user(2),
    );
    const counted = (count: number) => ({ data: { note_aggregate: { aggregate: { count } } } });
    expect(await live.next()).toEqual(counted(6));
    for (const [i, server] of [first, second].entries()) {
      await server.graphql(`mutation { insert_note_one(object: {text: "live ${i}"}) { id } }`, user(2));
      expect(await live.next()).toEqual(counted(7 + i));
    }
    const heard: unknown[] = [];
    while (heard.length < 2) {
      const { data } = (await stream.next()) as { data: { note_stream: unknown[] } };
      heard.push(...data.note_stream);
    }
    expect(heard).toEqual([
      { text: "live 0", owner: 2 },
      { text: "live 1", owner: 2 },
    ]);
    live.close();
    stream.close();
  }, 60_000);

  it("Behind PgBouncer, events are recorded and delivered once", async () => {
    const trigger = { name: "made", table: "note", webhook: "{{HOOK}}/made", insert: { columns: "*" } };
    await first.metadata("pg_create_event_trigger", trigger);
    await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        (i % 2 ? first : second).graphql('mutation { insert_note_one(object: {text: "event"}) { id } }', user(i)),
      ),
    );
    const delivered = "select count(*)::int as count from engine_catalog.event_log where delivered";
    await expect.poll(() => query(source.url, delivered), { timeout: 30_000 }).toEqual([{ count: 60 }]);
    expect(webhook.received).toHaveLength(60);
    expect(new Set(webhook.received.map(({ body }) => JSON.parse(body).id)).size).toBe(60);
  }, 60_000);
});
