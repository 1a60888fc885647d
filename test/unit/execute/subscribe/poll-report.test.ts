import { beforeEach, describe, expect, it } from "vitest";
import { LiveQueries } from "../../../../runtime/execute/subscribe/live-queries.ts";
import type { PollDetail } from "../../../../runtime/execute/subscribe/poll-report.ts";
import { uninterrupted } from "../../../../runtime/ports/continuity.ts";
import { EngineError } from "../../../../runtime/values/errors.ts";
import { ManualClock, RecordingSink, ScriptedSource } from "./scripted.ts";

const settings = { refetchMilliseconds: 1000, batchSize: 2, skipEmpty: false, watchedSources: new Set<string>() };

let clock: ManualClock;
let live: LiveQueries;
let details: PollDetail[];

beforeEach(() => {
  clock = new ManualClock();
  details = [];
  const onPoll = (detail: PollDetail): void => void details.push(detail);
  live = new LiveQueries({ settings: { live: settings, stream: settings }, continuity: uninterrupted, clock, onPoll });
});

async function watch(database: ScriptedSource, value: string): Promise<RecordingSink> {
  const sink = new RecordingSink();
  const query = database.query([value]);
  await live.subscribe({ query, replan: () => query }, sink);
  return sink;
}

describe("Poll reports", () => {
  it("A poll report contains the batches, subscribers and settings", async () => {
    const database = new ScriptedSource(() => ["é"]);
    for (const value of ["a", "a", "b", "c"]) await watch(database, value);
    expect(details).toEqual([]);
    await clock.pass(1000);
    const batch = (number: number, size: number) => ({
      batch_id: number,
      pg_execution_time: 0,
      db_execution_time: 0,
      push_time: 0,
      batch_response_size_bytes: size,
    });
    expect(details).toEqual([
      {
        poller_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        kind: "live-query",
        snapshot_time: 0,
        batches: [batch(1, 4), batch(2, 2)],
        execution_batches: [batch(1, 4), batch(2, 2)],
        subscriber_count: 4,
        total_time: 0,
        source: "scripted",
        generated_sql: "many",
        role: "user",
        subscription_options: { batch_size: 2, refetch_delay: 1 },
      },
    ]);
    await clock.pass(1000);
    expect(details[1]?.poller_id).toBe(details[0]?.poller_id);
  });

  it("A poll report contains each error once", async () => {
    let isDown = false;
    const database = new ScriptedSource(() => {
      if (isDown) throw new EngineError("data-exception", "$", "invalid input", { internal: { statement: "…" } });
      return ["1"];
    });
    for (const value of ["a", "b"]) await watch(database, value);
    isDown = true;
    await clock.pass(1000);
    const error = { error: "invalid input", path: "$", code: "data-exception", internal: { statement: "…" } };
    expect(details.map(({ errors }) => errors)).toEqual([[error]]);
  });
});
