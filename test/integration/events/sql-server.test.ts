/** Event triggers of a SQL Server: the statements that the engine sends to a fake server that speaks TDS. */
import { afterEach, describe, expect, it } from "vitest";
import { openMssql } from "../../../runtime/databases/sources/mssql/open-mssql.ts";
import { resolveMssqlSettings } from "../../../runtime/databases/sources/mssql/settings.ts";
import type { DatabaseSource } from "../../../runtime/databases/sources/source.ts";
import { failedEvents, isDeadEvent, withReason } from "../../../runtime/jobs/dead-letters/event-letters.ts";
import { runDueCleanups } from "../../../runtime/jobs/events/cleanup-loop.ts";
import { EventDelivery } from "../../../runtime/jobs/events/event-delivery.ts";
import { eventSource } from "../../../runtime/jobs/events/event-source.ts";
import { install } from "../../../runtime/jobs/events/install.ts";
import { countFailedEvents } from "../../../runtime/jobs/events/logs.ts";
import { mssqlCatalog } from "../../../runtime/jobs/events/mssql/catalog.ts";
import { mssqlCleanup, mssqlLogs } from "../../../runtime/jobs/events/mssql/logs.ts";
import { mssqlQueue } from "../../../runtime/jobs/events/mssql/queue.ts";
import { createLog } from "../../../runtime/observe/logs/log.ts";
import { defaultOutboundRules } from "../../../runtime/values/outbound-rules.ts";
import { startTdsPeer, type TdsAnswer, type TdsPeer } from "../../support/tds-peer.ts";
import { startWebhookReceiver } from "../../support/webhook-receiver.ts";

const closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

type Answers = (text: string, values: readonly (string | null)[]) => readonly TdsAnswer[];

async function sourceThat(answers: Answers): Promise<{ peer: TdsPeer; database: DatabaseSource }> {
  const peer = await startTdsPeer((request) =>
    request.kind === "execute" ? answers(request.text, request.values) : [],
  );
  closers.push(() => peer.close());
  const connection_string = `mssql://sa:secret@127.0.0.1:${peer.port}/shop?encrypt=false`;
  const database = openMssql(resolveMssqlSettings("shop", { connection_string }, { variables: {} }));
  closers.push(() => database.close());
  return { peer, database };
}

function texts(...row: readonly (string | null)[]): TdsAnswer {
  return { columns: row.map(() => ({ name: "", type: "nvarchar" as const })), rows: [row] };
}

const none = { columns: [{ name: "", type: "nvarchar" }], rows: [] } as const;
const sent = ({ requests }: TdsPeer) => requests.map((each) => (each.kind === "execute" ? each.text : each.kind));
const deadline = { timeout: 15_000, interval: 20 };

describe("Dead letters of SQL Server", () => {
  it("Failed events are listed with their last response, and counted by trigger", async () => {
    const id = "0a0b0c0d-0000-4000-8000-000000000002";
    const row = { id, trigger_name: "t", payload: { op: "INSERT" }, error: true, archived: false, tries: 2 };
    const event = JSON.stringify({ ...row, created_at: "2024-01-01T00:00:00.1234567+00:00" });
    const response = { type: "client_error", version: "2", data: { message: "broken" } };
    const call = JSON.stringify({ http_status: 503, response, created_at: "2024-01-01T00:01:00.0000000+00:00" });
    const { database } = await sourceThat((text) => {
      if (text === mssqlLogs.events.error || text === mssqlLogs.event) return [texts(event)];
      if (text === mssqlLogs.invocationsOfEvent) return [texts(call)];
      return text === mssqlLogs.failedCounts ? [texts("t", "7")] : [none];
    });
    const source = eventSource("mssql", database);
    const [letter] = await failedEvents(source, { triggers: ["t"], count: 10 });
    if (letter === undefined) throw new Error("the event is missing");
    expect(await withReason(source, letter)).toEqual({
      kind: "event",
      source: "shop",
      name: "t",
      id,
      status: "error",
      at: new Date("2024-01-01T00:00:00.123Z"),
      failedAt: new Date("2024-01-01T00:01:00Z"),
      tries: 2,
      reason: { status: 503, message: "broken" },
      payload: { op: "INSERT" },
    });
    expect(await isDeadEvent(source, id)).toBe(true);
    expect(await countFailedEvents(source, ["t"], {}, 100)).toEqual(new Map([["t", 7]]));
  });
});

describe("Events of SQL Server", () => {
  it("A SQL Server event is delivered once, and its result is stored even after a rolled-back attempt", async () => {
    const id = "0a0b0c0d-0000-4000-8000-000000000001";
    const payload = JSON.stringify({ op: "INSERT", data: { old: null, new: { n: 1 } } });
    const finished: unknown[] = [];
    let isTaken = false;
    const { database } = await sourceThat((text, values) => {
      if (text === mssqlQueue.renew) return [texts("lives")];
      if (text === mssqlQueue.take && !isTaken) {
        isTaken = true;
        return [texts("t", id, "dbo", "item", payload, "0", "2024-01-01T00:00:00.0000000Z", null)];
      }
      if (text === mssqlQueue.finish) {
        finished.push(JSON.parse(values[0] ?? "null"));
        if (finished.length === 1) return [{ error: 1205, message: "deadlock victim", severity: 13 }, "rolled back"];
      }
      return [none];
    });
    const hook = await startWebhookReceiver();
    closers.push(() => hook.close());
    const delivery = new EventDelivery({
      options: {
        outboundAllow: defaultOutboundRules,
        eventsHttpPoolSize: 20,
        eventsFetchIntervalMilliseconds: 1000,
        eventsFetchBatchSize: 100,
        eventsStoredResponseBytes: 1000,
        redactEventTriggerLogs: false,
        enableTriggersErrorLogLevel: false,
        gracefulShutdownTimeoutSeconds: 10,
      },
      environment: {},
      version: "1",
      log: createLog({ logLevel: "error", enabledLogTypes: new Set() }, { write: () => undefined }),
      uncheckedHosts: () => [],
    });
    closers.push(() => delivery.stop(0));
    const webhook = {
      url: { template: hook.url },
      headers: [],
      retry: { retries: 0, intervalSeconds: 1, timeoutSeconds: 10 },
    };
    const table = { schema: "dbo", name: "item" };
    const trigger = { source: "shop", name: "t", table, manual: false, webhook, recorders: [] };
    delivery.setSources([{ kind: "mssql", database, triggers: [trigger] }]);
    await expect.poll(() => finished.length, deadline).toBe(2);
    expect(hook.received).toHaveLength(1);
    expect(JSON.parse(hook.received[0]?.body ?? "")).toMatchObject({
      id,
      table: { schema: "dbo", name: "item" },
      event: { op: "INSERT", data: { old: null, new: { n: 1 } } },
    });
    expect(finished[1]).toEqual(finished[0]);
    expect(finished[0]).toMatchObject([{ id, state: "delivered", attempts: 1, status: 200 }]);
  });
});

describe("Recorders of SQL Server", () => {
  it("SQL Server recorders are created in one transaction after their tables", async () => {
    const made = "create trigger [dbo].[notify_engine_t_INSERT] on [dbo].[item] after insert as select 1";
    const recorder = {
      operation: "INSERT" as const,
      name: "notify_engine_t_INSERT",
      hash: "0123456789abcdef",
      statements: [made],
    };
    const wanted = [{ table: { schema: "dbo", name: "item" }, recorder }];
    const { peer, database } = await sourceThat((text) => {
      if (text === mssqlCatalog.presence) return [texts("f", "f")];
      return text === mssqlCatalog.readVersion ? [texts("0", null, null, null, "f", "c")] : [none];
    });
    const installation = { wanted, isGone: () => false, needsTables: true };
    const installed = await install({ name: "shop", kind: "mssql", database }, installation);
    expect(installed).toEqual({
      kind: "installed",
      made: ["notify_engine_t_INSERT"],
      added: ["notify_engine_t_INSERT"],
      dropped: [],
      tables: { from: 0, to: mssqlCatalog.migrations.length },
    });
    const statements = sent(peer);
    expect(statements.slice(statements.indexOf("begin"))).toEqual([
      "begin",
      ...mssqlCatalog.opening,
      mssqlCatalog.presence,
      mssqlCatalog.bounded(mssqlCatalog.createSchema),
      mssqlCatalog.createVersion,
      mssqlCatalog.readVersion,
      ...mssqlCatalog.migrations.flat(),
      mssqlCatalog.writeStep,
      mssqlCatalog.installed,
      mssqlCatalog.bounded(made),
      "commit",
    ]);
  });
});

describe("Clean-ups of SQL Server", () => {
  it("A SQL Server clean-up deletes batch by batch in separate transactions", async () => {
    const run = "0a0b0c0d-0000-4000-8000-000000000002";
    const cleanup = mssqlCleanup;
    const deleted = ["2", "1"];
    const last = "2026-11-30T12:00:00.1234567Z";
    const { peer, database } = await sourceThat((text) => {
      if (text === cleanup.due) return [texts("t", run)];
      if (text === cleanup.claim) return [texts("1")];
      return text === cleanup.deleteWithInvocations ? [texts(deleted.shift() ?? "0", "3", last)] : [none];
    });
    const due = {
      trigger: "t",
      olderThanHours: 48,
      batchSize: 2,
      timeoutSeconds: 60,
      withInvocations: true,
      paused: false,
    };
    const report = { failed: (_: string, error: unknown) => expect.unreachable(String(error)), isStopped: () => false };
    await runDueCleanups(eventSource("mssql", database), [due], report);
    const batch = ["begin", cleanup.claim, cleanup.deleteWithInvocations, cleanup.record, "commit"];
    expect(sent(peer)).toEqual([
      "begin",
      cleanup.due,
      "commit",
      "begin",
      cleanup.skipOlder,
      "commit",
      ...batch,
      ...batch,
    ]);
    const valuesOf = (text: string) =>
      peer.requests.flatMap((each) => (each.kind === "execute" && each.text === text ? [each.values] : []));
    expect(valuesOf(cleanup.deleteWithInvocations)).toEqual([
      ["t", "48", "2", null],
      ["t", "48", "2", last],
    ]);
    const records = valuesOf(cleanup.record);
    expect(records).toEqual([
      [run, "2", "3", "scheduled"],
      [run, "1", "3", "completed"],
    ]);
  });
});
