/** Streams deliver every committed row once, in order, whatever the order in which concurrent writers commit. */
import fc from "fast-check";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { query } from "../support/database.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { WebsocketClient } from "../support/websocket.ts";

/** Cursor columns: a sequence, the time at which transactions began, and a value that many rows share. */
const cursors = { id: "0", at: '"2020-01-01"', second: "0" } as const;
type Cursor = keyof typeof cursors;

let server: TestServer;
let writers: readonly pg.Client[];

beforeAll(async () => {
  server = await startTestServer({
    environment: {
      ENGINE_GRAPHQL_WEBSOCKET_KEEPALIVE: "60",
      ENGINE_GRAPHQL_STREAMING_QUERIES_MULTIPLEXED_REFETCH_INTERVAL: "10",
    },
  });
  await query(
    server.databaseUrl,
    `create table entry (
      id bigserial primary key, at timestamptz not null default now(),
      second integer not null default extract(epoch from now())::integer
    ); create index on entry (at); create index on entry (second)`,
  );
  await server.metadata("pg_track_table", { table: "entry" });
  writers = [1, 2, 3, 4].map(() => new pg.Client({ connectionString: server.databaseUrl }));
  await Promise.all(writers.map((writer) => writer.connect()));
});

afterAll(async () => {
  await Promise.all(writers.map((writer) => writer.end()));
  await server.close();
});

interface Transaction {
  /** Before each row, in milliseconds. */
  readonly pauses: readonly number[];
  readonly isRolledBack: boolean;
}

const transaction: fc.Arbitrary<Transaction> = fc.record({
  pauses: fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 2, maxLength: 4 }),
  isRolledBack: fc.boolean(),
});
const scripts = fc.array(fc.array(transaction, { minLength: 6, maxLength: 10 }), { minLength: 4, maxLength: 4 });

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Runs transactions one after the other, and adds the ids of their rows to `committed` when they commit. */
async function write(writer: pg.Client, script: readonly Transaction[], committed: number[]): Promise<void> {
  for (const { pauses, isRolledBack } of script) {
    await writer.query("begin");
    const ids: number[] = [];
    for (const milliseconds of pauses) {
      if (milliseconds > 0) await pause(milliseconds);
      const { rows } = await writer.query("insert into entry default values returning id");
      ids.push(Number(rows[0].id));
    }
    await writer.query(isRolledBack ? "rollback" : "commit");
    if (!isRolledBack) committed.push(...ids);
  }
}

class Reader {
  readonly delivered: Record<Cursor, number[]> = { id: [], at: [], second: [] };

  async read(client: WebsocketClient): Promise<never> {
    for (;;) {
      const message = await client.next();
      const { type, id, payload } = message as { type: string; id: Cursor; payload: { data: { s: { id: number }[] } } };
      expect(type).toBe("data");
      this.delivered[id].push(...payload.data.s.map((row) => Number(row.id)));
    }
  }
}

it("Streams deliver each committed row once and in order while writers commit late", async () => {
  let lateCommits = 0;
  const law = fc.asyncProperty(scripts, fc.integer({ min: 1, max: 3 }), async (given, batchSize) => {
    await query(server.databaseUrl, "truncate entry restart identity");
    const client = await WebsocketClient.open(server.url, { protocol: "graphql-ws" });
    client.send({ type: "connection_init" });
    await client.take(3);
    for (const [column, start] of Object.entries(cursors)) {
      const field = `entry_stream(batch_size: ${batchSize}, cursor: {initial_value: {${column}: ${start}}})`;
      client.send({ type: "start", id: column, payload: { query: `subscription { s: ${field} { id } }` } });
    }
    const reader = new Reader();
    const reading = reader.read(client).catch((error: unknown) => error);
    const committed: number[] = [];
    await Promise.all(given.map((script, i) => write(writers[i] as pg.Client, script, committed)));
    lateCommits += committed.filter((id, i) => committed.slice(0, i).some((earlier) => earlier > id)).length;
    for (const column of Object.keys(cursors) as Cursor[]) {
      const rows = await query(server.databaseUrl, `select id from entry order by ${column}, id`);
      const expected = rows.map(({ id }) => Number(id));
      await expect.poll(() => reader.delivered[column].length).toBeGreaterThanOrEqual(expected.length);
      expect(reader.delivered[column], column).toEqual(expected);
    }
    client.ws.terminate();
    await Promise.race([reading, pause(10)]);
  });
  await fc.assert(law, { numRuns: 2, endOnFailure: true });
  // Without late commits, the law would hold trivially.
  expect(lateCommits).toBeGreaterThan(5);
});
