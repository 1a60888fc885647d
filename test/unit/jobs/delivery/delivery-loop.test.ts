/** The delivery loop on a queue in memory: its behaviour when the database no longer confirms its leases. */
import { afterEach, expect, it, vi } from "vitest";
import { DeliveryLoop } from "../../../../runtime/jobs/delivery/delivery-loop.ts";
import type {
  CallResult,
  Instances,
  Queue,
  QueuedCall,
  Share,
  Taken,
} from "../../../../runtime/jobs/delivery/queue.ts";
import { Slots } from "../../../../runtime/jobs/delivery/slots.ts";
import { createLog } from "../../../../runtime/observe/logs/log.ts";
import { EngineError } from "../../../../runtime/values/errors.ts";

const lines: string[] = [];
const log = createLog({ logLevel: "info", enabledLogTypes: new Set() }, { write: (line) => void lines.push(line) });

/** Calls by id, with the instance that has leased each. */
class MemoryQueue implements Queue<QueuedCall> {
  readonly name = "memory";
  readonly logType = "event-trigger-process";
  readonly calls = new Map<string, string | null>();
  /** Ids of the calls that each `release` excluded. */
  readonly known: (readonly string[])[] = [];
  losesNextAnswer = false;
  /** The error that the database returns for each claim. */
  refusal: EngineError | undefined;
  /** Number of calls of `release` that fail because a claim is still in progress. */
  earlyReleases = 0;

  readonly instances: Instances = {
    enter: async () => undefined,
    renew: async () => true,
    leave: async () => undefined,
    expel: async () => 0,
    release: async (instance, known) => {
      this.known.push(known);
      if (this.earlyReleases-- > 0) return false;
      for (const [id, holder] of this.calls) if (holder === instance && !known.includes(id)) this.calls.set(id, null);
      return true;
    },
    freeStale: async () => undefined,
  };

  add(...ids: readonly string[]): void {
    for (const id of ids) this.calls.set(id, null);
  }

  async take(instance: string, [share]: readonly Share[]): Promise<Taken<QueuedCall>> {
    if (this.refusal !== undefined) throw this.refusal;
    const free = [...this.calls].flatMap(([id, holder]) => (holder === null ? [id] : [])).slice(0, share?.count);
    for (const id of free) this.calls.set(id, instance);
    if (this.losesNextAnswer && free.length > 0) {
      this.losesNextAnswer = false;
      throw new EngineError("postgres-error", "$", "connection error");
    }
    const calls = free.map((id) => ({ id, lane: "t", instance, tries: 0 }));
    return { calls, held: new Set(), unfinished: new Set() };
  }

  async finish(results: readonly CallResult[]): Promise<void> {
    for (const { id, instance } of results) if (this.calls.get(id) === instance) this.calls.delete(id);
  }

  async wait(): Promise<undefined> {
    return undefined;
  }

  async stopWaiting(): Promise<void> {}
}

let loop: DeliveryLoop<QueuedCall, { readonly name: string; readonly isOrdered: boolean }> | undefined;
afterEach(() => loop?.stop(1000));

/**
 * Starts a delivery loop on the queue.
 * @param hold delays the end of a call
 * @returns the sent calls, in order
 */
function deliverFrom(queue: MemoryQueue, hold: (id: string) => Promise<void> = async () => undefined): string[] {
  const sent: string[] = [];
  loop = new DeliveryLoop({
    queue,
    slots: new Slots(100),
    async deliver({ id, lane, instance }) {
      sent.push(id);
      await hold(id);
      return { id, lane, instance, state: "delivered" };
    },
    batchSize: 100,
    intervalMilliseconds: 100,
    log,
  });
  loop.setLanes([{ name: "t", isOrdered: false }]);
  loop.start();
  return sent;
}

it("The delivery loop delivers an event whose fetch response was lost, and each event in progress only once", async () => {
  const queue = new MemoryQueue();
  let endFirst = (): void => undefined;
  const first = new Promise<void>((resolve) => {
    endFirst = resolve;
  });
  queue.add("first");
  const sent = deliverFrom(queue, (id) => (id === "first" ? first : Promise.resolve()));
  await vi.waitFor(() => expect(sent).toEqual(["first"]));
  queue.losesNextAnswer = true;
  queue.add("second", "third");
  await vi.waitFor(() => expect(sent).toEqual(["first", "second", "third"]), 5000);
  expect(queue.known).toEqual([["first"]]);
  endFirst();
  await vi.waitFor(() => expect(queue.calls.size).toBe(0));
  expect(sent).toHaveLength(3);
});

it("The delivery loop delivers other events while the database still holds the events of a lost response", async () => {
  const queue = new MemoryQueue();
  [queue.losesNextAnswer, queue.earlyReleases] = [true, 1];
  queue.add("lost");
  const sent = deliverFrom(queue);
  await vi.waitFor(() => expect(queue.known).toHaveLength(1), 5000);
  queue.add("other");
  await vi.waitFor(() => expect(sent).toContain("other"), 5000);
  expect(sent).toEqual(["other"]);
  await vi.waitFor(() => expect(sent).toEqual(["other", "lost"]), 5000);
});

it("The delivery loop logs a refusal of the database once, with the database's message, and the end of the failures", async () => {
  const queue = new MemoryQueue();
  const cause = new Error('permission denied for table "event_log"');
  queue.refusal = new EngineError("unexpected", "$", "database query error", { status: 500, cause });
  lines.length = 0;
  deliverFrom(queue);
  const calls = vi.spyOn(queue, "take");
  await vi.waitFor(() => expect(calls.mock.calls.length).toBeGreaterThan(2), 5000);
  queue.refusal = undefined;
  await vi.waitFor(() => expect(lines).toHaveLength(2), 5000);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    {
      level: "warn",
      detail: {
        message: "Failed to take calls from the queue; retrying",
        queue: "memory",
        reason: { code: "unexpected", message: "database query error", database: cause.message },
      },
    },
    { level: "info", detail: { message: "Taking calls from the queue again" } },
  ]);
});
