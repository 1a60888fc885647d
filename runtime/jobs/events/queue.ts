/** The events of a source as a delivery queue. */
import type { DatabaseSource, PreparedStatement, SqlValue, TextRow } from "../../databases/sources/source.ts";
import { EngineError } from "../../values/errors.ts";
import type { CallResult, Instances, Queue, QueuedCall, Share, Taken } from "../delivery/queue.ts";
import { ClaimStarts } from "./claim-starts.ts";
import { type EventSource, eventSource } from "./event-source.ts";
import { countFailedEvents } from "./logs.ts";
import { mssqlQueue } from "./mssql/queue.ts";
import { postgresQueue } from "./postgres/queue.ts";
import type { QueueStatements } from "./queue-statements.ts";

/** An event as stored in the source. */
export interface QueuedEvent extends QueuedCall {
  readonly table: { readonly schema: string; readonly name: string };
  /** JSON text: `op`, `data`, `session_variables`, `trace_context`. */
  readonly payload: string;
  readonly createdAt: string;
  /** Age when the event was claimed, in seconds, by the clock of the database. */
  readonly ageSeconds: number;
  /** When the event was claimed, on the clock of `performance.now`. */
  readonly takenAt: number;
  /** JSON text of the trace that caused the event; `null` if unknown. */
  readonly traceContext: string | null;
}

/** The backlog of one trigger. */
export interface TriggerBacklog {
  readonly trigger: string;
  readonly waiting: number;
  /** Age of the oldest pending event in seconds; 0 if there is none. */
  readonly oldestSeconds: number;
}

/** The order in which events of a trigger are delivered. */
export interface EventOrder {
  readonly onError: "continue" | "hold";
}

const statementsByKind: Readonly<Record<string, QueueStatements>> = { postgres: postgresQueue, mssql: mssqlQueue };

/** Returns true if events of such sources can be delivered. */
export function hasEventQueue(kind: string): boolean {
  return Object.hasOwn(statementsByKind, kind);
}

export interface EventQueueParts {
  /** Kind of the source. */
  readonly kind: string;
  readonly database: DatabaseSource;
  /** Returns the current order of a trigger; `undefined` if its events are not ordered. */
  readonly orderOf: (trigger: string) => EventOrder | undefined;
  /** Called when packed events cannot be unpacked. */
  readonly onUnpackFailure: (error: EngineError) => void;
}

/** Pause in milliseconds after an attempt to unpack that unpacked nothing. */
const unpackPause = 2000;

/** Maximum number of keys that one claim of an ordered trigger examines. */
const keysPerTake = 500;

export class EventQueue implements Queue<QueuedEvent> {
  readonly name: string;
  readonly logType = "event-trigger-process";
  readonly instances: Instances;
  readonly listen: Queue<QueuedEvent>["listen"];
  readonly #database: DatabaseSource;
  readonly #source: EventSource;
  readonly #statements: QueueStatements;
  readonly #orderOf: EventQueueParts["orderOf"];
  readonly #starts = new ClaimStarts();
  readonly #keys = new OrderedKeys();
  readonly #onUnpackFailure: EventQueueParts["onUnpackFailure"];
  /** There may be packed events. They are unpacked before the next claim, so that a failure loses no claimed events. */
  #isPacked = false;
  /** Earliest time of the next unpacking, on the clock of `performance.now`. */
  #unpackAt = 0;

  /**
   * Creates the queue.
   * @throws Error for a kind without a queue
   */
  constructor({ kind, database, orderOf, onUnpackFailure }: EventQueueParts) {
    const statements = statementsByKind[kind];
    if (statements === undefined) throw new Error(`invariant: sources of kind ${kind} have no events`);
    this.name = database.name;
    this.#database = database;
    this.#source = eventSource(kind, database);
    this.#statements = statements;
    this.#orderOf = orderOf;
    this.#onUnpackFailure = onUnpackFailure;
    this.instances = instancesOf(database, statements);
    const { channel } = statements;
    this.listen =
      channel !== undefined && database.listen
        ? async (onMessage) => (await database.listen?.(channel, onMessage)) ?? null
        : undefined;
  }

  async take(instance: string, shares: readonly Share[], limit: number): Promise<Taken<QueuedEvent>> {
    const { take, list, takesFrom = false } = this.#statements;
    if (this.#isPacked) await this.#unpack();
    const isUnpacking = performance.now() >= this.#unpackAt;
    const lists = [list(shares.map(({ lane }) => lane)), list(shares.map(({ count }) => String(count)))];
    const starts = takesFrom ? shares.map(({ lane }) => this.#starts.of(lane)) : [];
    const values = [instance, ...lists, String(limit), ...(takesFrom ? [list(starts)] : [])];
    const [rows, ordered] = await settledBoth(
      run(this.#database, { text: take, name: "engine_events_take" }, values),
      this.#takeOrdered(instance, shares),
    );
    const events = rows.filter(([, id]) => id !== null).map((row) => eventOf(row, instance));
    this.#isPacked = isUnpacking && events.length < rows.length;
    const started = takesFrom ? this.#starts.record(shares, starts, events, limit) : [];
    const unfinished = this.#isPacked
      ? new Set(shares.map(({ lane }) => lane))
      : new Set([...ordered.unfinished, ...started]);
    return { ...ordered, calls: [...events, ...ordered.calls], unfinished };
  }

  async #unpack(): Promise<void> {
    const { unpack } = this.#statements;
    this.#isPacked = false;
    if (unpack === undefined || performance.now() < this.#unpackAt) return;
    const packs = await run(this.#database, { text: unpack }, []).catch((error: unknown) => {
      if (!(error instanceof EngineError)) throw error;
      this.#onUnpackFailure(error);
      return [["0"]];
    });
    // Either another instance is unpacking or unpacking fails. Events in the log are delivered anyway.
    if (Number(packs[0]?.[0]) === 0) this.#unpackAt = performance.now() + unpackPause;
  }

  async #takeOrdered(instance: string, shares: readonly Share[]): Promise<Taken<QueuedEvent>> {
    const { takeOrdered, list } = this.#statements;
    const ordered = shares.flatMap((share) => {
      const order = this.#orderOf(share.lane);
      return order ? [{ ...share, hold: order.onError === "hold" }] : [];
    });
    if (takeOrdered === undefined || ordered.length === 0) return { calls: [], held: new Set(), unfinished: new Set() };
    const rows = await run(this.#database, { text: takeOrdered, name: "engine_events_take_ordered" }, [
      instance,
      list(ordered.map(({ lane }) => lane)),
      list(ordered.map(({ count }) => String(count))),
      list(ordered.map(({ lane }) => this.#keys.after(lane))),
      list(ordered.map(({ hold }) => String(hold))),
      String(keysPerTake),
    ]);
    const calls = rows.filter(([, id]) => id !== null).map((row) => eventOf(row, instance));
    const positions = rows.filter(([, id]) => id === null);
    const unfinished = positions.filter(([lane, , , , next]) =>
      this.#keys.recordTake(lane ?? "", next ?? "", calls.filter((call) => call.lane === lane).length),
    );
    const held = positions.filter(([, , , isHeld]) => isHeld === "true");
    return { calls, held: lanesOf(held), unfinished: lanesOf(unfinished) };
  }

  async finish(results: readonly CallResult[]): Promise<void> {
    const text = `[${results.map(resultText).join(",")}]`;
    await run(this.#database, { text: this.#statements.finish, name: "engine_events_finish" }, [text]);
  }

  async wait(instance: string, lanes: readonly string[]): Promise<number | undefined> {
    const { wait, list } = this.#statements;
    const [row] = await run(this.#database, { text: wait, name: "engine_events_wait" }, [instance, list(lanes)]);
    const seconds = row?.[0] ?? null;
    return seconds === null ? undefined : Number(seconds);
  }

  async stopWaiting(instance: string): Promise<void> {
    await run(this.#database, { text: this.#statements.stopWaiting }, [instance]);
  }

  /**
   * Returns the backlog of triggers.
   * @param maxCount maximum count per trigger
   */
  async backlog(triggers: readonly string[], maxCount: number): Promise<readonly TriggerBacklog[]> {
    const { backlog, list } = this.#statements;
    const rows = await this.#database.query({ text: backlog, onlyReads: true }, [list(triggers), String(maxCount)]);
    return rows.map(([trigger, waiting, oldest]) => {
      return { trigger: trigger ?? "", waiting: Number(waiting), oldestSeconds: Number(oldest ?? 0) };
    });
  }

  /**
   * Counts the failed events of triggers.
   * @param maxCount maximum count per trigger
   */
  failed(triggers: readonly string[], maxCount: number): Promise<ReadonlyMap<string, number>> {
    return countFailedEvents(this.#source, triggers, {}, maxCount);
  }

  /** Clears the order of pending events, so that they are delivered like unordered events. */
  async clearOrder(triggers: readonly string[]): Promise<void> {
    const { clearOrder, list } = this.#statements;
    if (clearOrder === undefined || triggers.length === 0) return;
    await run(this.#database, { text: clearOrder }, [list(triggers)]);
  }
}

/** Internal statements run at READ COMMITTED, whatever the isolation level of requests. */
const settings = { isolation: "read-committed" };

function run(
  database: DatabaseSource,
  statement: PreparedStatement,
  values: readonly SqlValue[],
): Promise<readonly TextRow[]> {
  return database.executeAlone(settings, statement, values);
}

/**
 * Waits for both promises to settle, even if one rejects: a claim must not end while a statement may still lock events.
 */
async function settledBoth<A, B>(first: Promise<A>, second: Promise<B>): Promise<readonly [A, B]> {
  await Promise.allSettled([first, second]);
  return await Promise.all([first, second]);
}

function instancesOf(database: DatabaseSource, statements: QueueStatements): Instances {
  const { list } = statements;
  return {
    enter: async (instance) => void (await run(database, { text: statements.enter }, [instance])),
    renew: async (instance) => {
      const rows = await run(database, { text: statements.renew, name: "engine_instance_renew" }, [instance]);
      return rows.length > 0;
    },
    leave: (instances) =>
      database.transaction(settings, async (transaction) => {
        await transaction.query({ text: statements.leave }, [list(instances)]);
        await transaction.query({ text: statements.free }, [list(instances)]);
      }),
    // A claim locks the row of its instance until it commits. The second statement therefore sees all events claimed by
    // the instances that the first one removed.
    expel: (instance, seconds) =>
      database.transaction(settings, async (transaction) => {
        const gone = await transaction.query({ text: statements.expel }, [instance, String(seconds)]);
        const names = gone.flatMap(([name]) => name ?? []);
        if (names.length > 0) await transaction.query({ text: statements.free }, [list(names)]);
        return names.length;
      }),
    release: async (instance, known) => {
      if ((await run(database, { text: statements.settle }, [instance])).length === 0) return false;
      await run(database, { text: statements.release }, [instance, list(known)]);
      return true;
    },
    freeStale: async () => void (await run(database, { text: statements.freeStale }, [])),
  };
}

function eventOf(
  [lane, id, schema, table, payload, tries, createdAt, trace, age]: TextRow,
  instance: string,
): QueuedEvent {
  return {
    id: id ?? "",
    lane: lane ?? "",
    instance,
    tries: Number(tries),
    table: { schema: schema ?? "", name: table ?? "" },
    payload: payload ?? "null",
    createdAt: createdAt ?? "",
    ageSeconds: Number(age ?? 0),
    takenAt: performance.now(),
    traceContext: trace ?? null,
  };
}

function lanesOf(rows: readonly TextRow[]): ReadonlySet<string> {
  return new Set(rows.flatMap(([lane]) => lane ?? []));
}

/** Serializes a result. The texts of its log are JSON already. */
function resultText({ id, instance, state, waitSeconds = 0, log }: CallResult): string {
  const attempts = log === undefined ? 0 : 1;
  const plain = JSON.stringify({ id, instance, state, wait: waitSeconds, attempts, status: log?.status ?? null });
  if (log === undefined) return plain;
  return `${plain.slice(0, -1)},"request":${log.request},"response":${log.response}}`;
}

/** Tracks the position of the next claim among the keys of ordered triggers. Claims go round-robin over all keys. */

interface Round {
  readonly after: string;
  /** Number of events claimed in this round. */
  readonly taken: number;
}

const start: Round = { after: "", taken: 0 };

class OrderedKeys {
  readonly #rounds = new Map<string, Round>();

  /** Returns the key after which the next claim starts; empty for the first key. */
  after(lane: string): string {
    return (this.#rounds.get(lane) ?? start).after;
  }

  /**
   * Records a claim.
   * @param next key at which the claim ended; empty after the last key
   * @returns true if another claim may find events; false after a complete round without any
   */
  recordTake(lane: string, next: string, taken: number): boolean {
    const round = this.#rounds.get(lane) ?? start;
    const sum = round.taken + taken;
    this.#rounds.set(lane, next === "" ? start : { after: next, taken: sum });
    return next !== "" || sum > 0;
  }
}
