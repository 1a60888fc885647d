/** Clients that disconnect before their response: their requests delay no other request. */
import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { query } from "../support/database.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { WebsocketClient } from "../support/websocket.ts";

let server: TestServer;

const schema = `
  create table note (id serial primary key, text text);
  insert into note (text) values ('a');
  create view slow as select 1 as id, pg_sleep(5)::text as text;
  create function slow_notes() returns setof note language sql stable as
    $$ select note.* from note, pg_sleep(5) $$;
  create function slow_insert() returns trigger language plpgsql as
    $$ begin perform pg_sleep(0.5); return new; end $$;
  create trigger slow before insert on note for each row execute function slow_insert();`;

beforeAll(async () => {
  server = await startTestServer({ environment: { ENGINE_GRAPHQL_PG_CONNECTIONS: "20" } });
  await server.post("/v2/query", { type: "run_sql", args: { sql: schema } });
  for (const name of ["note", "slow"]) await server.metadata("pg_track_table", { table: { schema: "public", name } });
  await server.metadata("pg_track_function", { function: { schema: "public", name: "slow_notes" } });
});

afterAll(() => server.close());

async function running(): Promise<number> {
  const text =
    "select count(*)::int as n from pg_stat_activity where datname = current_database() and state = 'active' and pid <> pg_backend_pid()";
  return Number((await query(server.databaseUrl, text))[0]?.n);
}

/** Sends `count` requests, and disconnects once `begun` has resolved. */
async function abandon(text: string, count: number, begun: () => Promise<unknown>): Promise<void> {
  const sent = Array.from({ length: count }, () => {
    const headers = { "content-type": "application/json" };
    const sending = request(`${server.url}/v1/graphql`, { method: "POST", agent: false, headers });
    sending.on("error", () => undefined);
    sending.end(JSON.stringify({ query: text }));
    return sending;
  });
  await begun();
  for (const each of sent) each.destroy();
}

describe("Requests of disconnected clients", () => {
  it.each([
    ["a query", "{ slow { text } }"],
    ["a query that calls a function", "{ slow_notes { id } }"],
  ])("A read of a disconnected client is cancelled in the database: %s", async (_, text) => {
    await abandon(text, 60, () => expect.poll(running).toBeGreaterThan(10));
    const start = performance.now();
    expect(await server.graphql("{ note { id } }")).toEqual({ data: { note: expect.any(Array) } });
    await expect.poll(running, { timeout: 1000 }).toBe(0);
    expect(performance.now() - start).toBeLessThan(2000);
  });

  it("A mutation of a disconnected client completes", async () => {
    const text = 'mutation { insert_note(objects: [{text: "kept"}]) { affected_rows } }';
    await abandon(text, 1, () => expect.poll(running).toBe(1));
    const kept = () => query(server.databaseUrl, "select from note where text = 'kept'");
    await expect.poll(kept).toHaveLength(1);
  });

  it("A query over a WebSocket is cancelled when the connection ends", async () => {
    const client = await WebsocketClient.open(server.url.replace("http", "ws"), { protocol: "graphql-transport-ws" });
    client.send({ type: "connection_init" });
    client.send({ type: "subscribe", id: "1", payload: { query: "{ slow { text } }" } });
    await expect.poll(running).toBe(1);
    client.ws.terminate();
    await expect.poll(running, { timeout: 1000 }).toBe(0);
  });

  it.each([
    ["graphql-transport-ws", "subscribe", "complete", "next"],
    ["graphql-ws", "start", "stop", "data"],
  ])(
    "A query over a WebSocket is cancelled when the client stops it, and the connection stays usable: %s",
    async (protocol, start, stop, next) => {
      const client = await WebsocketClient.open(server.url, { protocol });
      client.send({ type: "connection_init" });
      client.send({ type: start, id: "slow", payload: { query: "{ slow { text } }" } });
      await expect.poll(running).toBe(1);
      // Two requests wait behind it: one is aborted before it starts, the other one runs.
      client.send({ type: start, id: "never", payload: { query: "{ slow_notes { id } }" } });
      client.send({ type: start, id: "quick", payload: { query: "{ note { id } }" } });
      client.send({ type: "complete", id: "never" });
      client.send({ type: stop, id: "slow" });
      const stopped = performance.now();
      await expect.poll(running, { timeout: 1000 }).toBe(0);
      type Answer = { readonly type: string; readonly id?: string };
      const answers: Answer[] = [];
      const untilComplete = async (): Promise<void> => {
        do answers.push((await client.next()) as Answer);
        while (answers.at(-1)?.type !== "complete");
      };
      await untilComplete();
      expect(performance.now() - stopped).toBeLessThan(2000);
      // The id can be reused.
      client.send({ type: start, id: "slow", payload: { query: "{ note { id } }" } });
      await untilComplete();
      expect(answers.filter(({ id }) => id !== undefined).map(({ type, id }) => `${type} ${id}`)).toEqual([
        `${next} quick`,
        "complete quick",
        `${next} slow`,
        "complete slow",
      ]);
      client.ws.terminate();
    },
  );

  it("The statement of a live query is cancelled when its last subscription ends", async () => {
    const client = await WebsocketClient.open(server.url.replace("http", "ws"), { protocol: "graphql-transport-ws" });
    client.send({ type: "connection_init" });
    client.send({ type: "subscribe", id: "1", payload: { query: "subscription { slow { text } }" } });
    await expect.poll(running).toBe(1);
    client.ws.terminate();
    await expect.poll(running, { timeout: 1000 }).toBe(0);
  });
});
