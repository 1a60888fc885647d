/** One-off events and the events of cron triggers, in a real metadata database. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { query } from "../support/database.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

let engine: TestServer;

beforeAll(async () => {
  engine = await startTestServer();
});

afterAll(() => engine?.close());

async function refusal(type: string, args: unknown): Promise<unknown> {
  const { status, json } = await engine.post("/v1/metadata", { type, args });
  return { status, ...json };
}

const create = async (schedule_at: string, more: object = {}): Promise<string> => {
  const args = { webhook: "https://{{HOST}}/hook", schedule_at, ...more };
  const { event_id } = (await engine.metadata("create_scheduled_event", args)) as { event_id: string };
  return event_id;
};

describe("One-off scheduled events", () => {
  let late: string;
  let early: string;

  it("A one-off event is stored with all data for its delivery", async () => {
    late = await create("2031-01-01T01:00:00+01:00", {
      payload: { a: 1 },
      comment: "later",
      headers: [{ name: "h", value: "v" }],
    });
    early = await create("2030-01-01T00:00:00Z");
    const { events } = (await engine.metadata("get_scheduled_events", { type: "one_off" })) as { events: object[] };
    expect(events).toMatchObject([{ id: early }, { id: late }]);
    expect(events[1]).toEqual({
      id: late,
      webhook_conf: "https://{{HOST}}/hook",
      scheduled_time: "2031-01-01T00:00:00.000Z",
      retry_conf: { num_retries: 0, retry_interval_seconds: 10, timeout_seconds: 60, tolerance_seconds: 21600 },
      payload: { a: 1 },
      header_conf: [{ name: "h", value: "v" }],
      status: "scheduled",
      tries: 0,
      created_at: expect.stringMatching(/Z$/),
      next_retry_at: null,
      comment: "later",
      request_transform: null,
      response_transform: null,
    });
  });

  it("One-off events are listed in the requested order and part", async () => {
    const order_by = [{ column: "scheduled_time", type: "desc" }];
    const args = { type: "one_off", order_by, limit: 1, get_rows_count: true };
    expect(await engine.metadata("get_scheduled_events", args)).toMatchObject({ events: [{ id: late }], count: 2 });
    expect(await engine.metadata("get_scheduled_events", { ...args, offset: 1 })).toMatchObject({
      events: [{ id: early }],
    });
    const none = { type: "one_off", status: ["dead"], get_rows_count: true };
    expect(await engine.metadata("get_scheduled_events", none)).toEqual({ events: [], count: 0 });
  });

  it("The invocations of a one-off event are listed", async () => {
    const log =
      "insert into engine_catalog.engine_scheduled_event_invocation_logs (event_id, status, request, response)";
    await query(engine.metadataUrl, `${log} values ($1, 200, '{"a": 1}', '{}')`, [early]);
    const args = { type: "one_off", event_id: early, get_rows_count: true };
    expect(await engine.metadata("get_scheduled_event_invocations", args)).toMatchObject({
      invocations: [{ event_id: early, status: 200, request: { a: 1 }, response: {} }],
      count: 1,
    });
  });

  it("Deleting a one-off event deletes its invocations", async () => {
    await engine.metadata("delete_scheduled_event", { type: "one_off", event_id: early });
    const args = { type: "one_off", event_id: early };
    expect(await engine.metadata("get_scheduled_event_invocations", args)).toEqual({ invocations: [] });
    expect(await refusal("delete_scheduled_event", args)).toMatchObject({
      status: 400,
      code: "not-exists",
      path: "$.args",
    });
  });

  it("A one-off event with a malformed template is refused", async () => {
    const request_transform = { version: 2, body: { action: "transform", template: "{{" } };
    const args = { webhook: "https://x", schedule_at: "2030-01-01T00:00:00Z", request_transform };
    expect(await refusal("create_scheduled_event", args)).toMatchObject({
      code: "validation-failed",
      error: "request transform validation failed",
    });
  });
});

describe("Lists of scheduled events", () => {
  it("Scheduled events are listed as a naive evaluation lists them, for any states, time, order and part", async () => {
    const statuses = ["scheduled", "locked", "delivered", "error", "dead"];
    const times = ["2050-01-01T00:00:00.000Z", "2050-01-02T00:00:00.000Z", "2050-01-03T00:00:00.000Z"];
    await query(
      engine.metadataUrl,
      `insert into engine_catalog.engine_scheduled_events (webhook_conf, status, scheduled_time, tries, locked_at)
       select '"http://x"', ($1::text[])[1 + n % 5], ($2::timestamptz[])[1 + n / 5 % 3], n % 2, now() from generate_series(0, 59) n`,
      [statuses, times],
    );
    const rows = (
      await query(
        engine.metadataUrl,
        `select id, status, scheduled_time, tries from engine_catalog.engine_scheduled_events where scheduled_time >= $1`,
        [times[0]],
      )
    ).map((row) => ({ ...row, time: (row.scheduled_time as Date).toISOString() })) as {
      id: string;
      status: string;
      time: string;
      tries: number;
    }[];
    const draw = fc.record(
      {
        status: fc.uniqueArray(fc.constantFrom(...statuses)),
        from: fc.constantFrom(...times),
        to: fc.constantFrom(...times),
        limit: fc.nat(30),
        offset: fc.nat(30),
        order_by: fc.constantFrom(
          [],
          [{ column: "scheduled_time", type: "desc" }],
          [{ column: "tries", type: "desc" }, { column: "scheduled_time" }],
        ),
      },
      { requiredKeys: ["order_by"] },
    );
    await fc.assert(
      fc.asyncProperty(draw, async ({ from = "2050", ...args }) => {
        const { status = [], to = "9", limit = 100, offset = 0, order_by } = args;
        const wanted = rows.filter(
          (row) => (status.length === 0 || status.includes(row.status)) && row.time >= from && row.time < to,
        );
        const list = {
          type: "one_off",
          get_rows_count: true,
          from: times[0],
          ...args,
          ...(from !== "2050" && { from }),
        };
        const { events, count } = (await engine.metadata("get_scheduled_events", list)) as {
          events: { id: string; scheduled_time: string; tries: number }[];
          count: number;
        };
        const sign = order_by[0]?.type === "desc" ? -1 : 1;
        const keyOf = ({ tries, time }: { readonly tries: number; readonly time: string }) =>
          order_by.length === 2 ? `${9 - tries} ${time}` : time;
        const keys = wanted.map(keyOf).sort((a, b) => (order_by.length === 2 ? 1 : sign) * (a < b ? -1 : 1));
        expect(events.map(({ tries, scheduled_time: time }) => keyOf({ tries, time }))).toEqual(
          keys.slice(offset, offset + limit),
        );
        expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
        expect(events.every(({ id }) => wanted.some((row) => row.id === id))).toBe(true);
        expect(count).toBe(wanted.length);
      }),
      { numRuns: 40 },
    );
  });
});

describe("Events of cron triggers", () => {
  it("The events of one cron trigger are listed, and an unknown trigger is refused", async () => {
    for (const name of ["nightly", "hourly"]) {
      const trigger = { name, webhook: "https://x", schedule: "0 0 * * *", include_in_metadata: true };
      await engine.metadata("create_cron_trigger", trigger);
    }
    await query(engine.metadataUrl, "delete from engine_catalog.engine_cron_events where trigger_name = 'hourly'");
    const events = (trigger_name: string) =>
      engine.metadata("get_scheduled_events", { type: "cron", trigger_name, limit: 1 });
    expect(await events("nightly")).toMatchObject({ events: [{ trigger_name: "nightly", status: "scheduled" }] });
    expect(await events("hourly")).toEqual({ events: [] });
    expect(await refusal("get_scheduled_events", { type: "cron", trigger_name: "yearly" })).toMatchObject({
      code: "not-exists",
      error: "cron trigger with name: yearly does not exist",
    });
  });
});
