/** The events of a source as a queue: statements of its kind, rows as calls. */

import type { DatabaseSource, PreparedStatement, SqlValue, TextRow } from "../../databases/sources/source.ts";
import { EngineError } from "../../values/errors.ts";
import type { CallResult, Instances, Queue, QueuedCall, Share, Taken } from "../delivery/queue.ts";
import { mssqlQueue } from "./mssql/queue.ts";
import { OrderedKeys } from "./ordered-keys.ts";
import { postgresQueue } from "./postgres/queue.ts";
import type { QueueStatements } from "./queue-statements.ts";

/** An event as it stands in the source. */
export interface QueuedEvent extends QueuedCall {
  readonly table: { readonly schema: string; readonly name: string };
  /** JSON text: `op`, `data`, `session_variables`, `trace_context`. */
  readonly payload: string;
  readonly createdAt: string;
  /** When it was fetched, by `performance.now`. */
  readonly takenAt: number;
  /** JSON text of the trace that caused it; `null`: unknown. */
  readonly traceContext: string | null;
}

/** What waits to be delivered for one trigger. */
export interface TriggerBacklog {
  readonly trigger: string;
  readonly waiting: number;
  /** Age of the oldest; 0: there is none. */
  readonly oldestSeconds: number;
}

/** How the events of triggers are taken. */
export interface EventOrder {
  readonly onError: "continue" | "hold";
}

const statementsByKind: Readonly<Record<string, QueueStatements>> = { postgres: postgresQueue, mssql: mssqlQueue };

/** Whether events of such a source can be delivered. */
export function hasEventQueue(kind: string): boolean {
  return Object.hasOwn(statementsByKind, kind);
}

export interface EventQueueParts {
  /** Of the source. */
  readonly kind: string;
  readonly database: DatabaseSource;
  /** How the events of a trigger are ordered, as of now; `undefined`: they are not. */
  readonly orderOf: (trigger: string) => EventOrder | undefined;
  /** Told why events that were written together cannot be unpacked. */
  readonly onUnpackFailure: (error: EngineError) => void;
}

/** In milliseconds: from one attempt to unpack events to the next where nothing could be. */
const unpackPause = 2000;

/** In keys: what one look for events of an ordered trigger costs at most. */
const keysPerLook = 500;

export class EventQueue implements Queue<QueuedEvent> {
  readonly name: string;
  readonly logType = "event-trigger-process";
  readonly instances: Instances;
  readonly listen: Queue<QueuedEvent>["listen"];
  readonly #database: DatabaseSource;
  readonly #statements: QueueStatements;
  readonly #orderOf: EventQueueParts["orderOf"];
  readonly #keys = new OrderedKeys();
  readonly #onUnpackFailure: EventQueueParts["onUnpackFailure"];
  /** Events that were written together may have to be unpacked: before the next look, so that a failure loses nothing. */
  #isPacked = false;
  /** Not before, by `performance.now`. */
  #unpackAt = 0;

  /** @throws Error for a kind without a queue */
  constructor({ kind, database, orderOf, onUnpackFailure }: EventQueueParts) {
    const statements = statementsByKind[kind];
    if (statements === undefined) throw new Error(`invariant: sources of kind ${kind} have no events`);
    this.name = database.name;
    this.#database = database;
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

  async take(instance: string, shares: readonly Share[], most: number): Promise<Taken<QueuedEvent>> {
    const { take, list } = this.#statements;
    if (this.#isPacked) await this.#unpack();
    const isUnpacking = performance.now() >= this.#unpackAt;
    const lists = [list(shares.map(({ lane }) => lane)), list(shares.map(({ count }) => String(count)))];
    const [rows, ordered] = await both(
      run(this.#database, { text: take, name: "engine_events_take" }, [instance, ...lists, String(most)]),
      this.#takeOrdered(instance, shares),
    );
    const events = rows.filter(([, id]) => id !== null);
    this.#isPacked = isUnpacking && events.length < rows.length;
    const unfinished = this.#isPacked ? new Set(shares.map(({ lane }) => lane)) : ordered.unfinished;
    return { ...ordered, calls: [...events.map((row) => eventOf(row, instance)), ...ordered.calls], unfinished };
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
    // Others have them, or they cannot be unpacked: what stands in the table of events is delivered all the same.
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
      String(keysPerLook),
    ]);
    const calls = rows.filter(([, id]) => id !== null).map((row) => eventOf(row, instance));
    const looks = rows.filter(([, id]) => id === null);
    const unfinished = looks.filter(([lane, , , , next]) =>
      this.#keys.looked(lane ?? "", next ?? "", calls.filter((call) => call.lane === lane).length),
    );
    const held = looks.filter(([, , , isHeld]) => isHeld === "true");
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

  /** What waits to be delivered. @param most of each trigger that is counted */
  async backlog(triggers: readonly string[], most: number): Promise<readonly TriggerBacklog[]> {
    const { backlog, list } = this.#statements;
    const rows = await this.#database.query({ text: backlog, onlyReads: true }, [list(triggers), String(most)]);
    return rows.map(([trigger, waiting, oldest]) => {
      return { trigger: trigger ?? "", waiting: Number(waiting), oldestSeconds: Number(oldest ?? 0) };
    });
  }

  /** Events that were written while these triggers had an order are delivered like all others. */
  async forgetOrder(triggers: readonly string[]): Promise<void> {
    const { forgetOrder, list } = this.#statements;
    if (forgetOrder === undefined || triggers.length === 0) return;
    await run(this.#database, { text: forgetOrder }, [list(triggers)]);
  }
}

/** What the database does for itself, whatever the isolation level of requests is. */
const settings = { isolation: "read-committed" };

function run(
  database: DatabaseSource,
  statement: PreparedStatement,
  values: readonly SqlValue[],
): Promise<readonly TextRow[]> {
  return database.executeAlone(settings, statement, values);
}

/** Waits for both, also where one fails: a look is over when nothing more is taken. */
async function both<A, B>(first: Promise<A>, second: Promise<B>): Promise<readonly [A, B]> {
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
    // Whoever takes something keeps its row from being removed until that is committed. The second statement sees all
    // that was taken under the names that the first has removed.
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
    freeForgotten: async () => void (await run(database, { text: statements.freeForgotten }, [])),
  };
}

function eventOf([lane, id, schema, table, payload, tries, createdAt, trace]: TextRow, instance: string): QueuedEvent {
  return {
    id: id ?? "",
    lane: lane ?? "",
    instance,
    tries: Number(tries),
    table: { schema: schema ?? "", name: table ?? "" },
    payload: payload ?? "null",
    createdAt: createdAt ?? "",
    takenAt: performance.now(),
    traceContext: trace ?? null,
  };
}

function lanesOf(rows: readonly TextRow[]): ReadonlySet<string> {
  return new Set(rows.flatMap(([lane]) => lane ?? []));
}

/** The texts of the log are JSON already. */
function resultText({ id, instance, state, waitSeconds = 0, log }: CallResult): string {
  const attempts = log === undefined ? 0 : 1;
  const plain = JSON.stringify({ id, instance, state, wait: waitSeconds, attempts, status: log?.status ?? null });
  if (log === undefined) return plain;
  return `${plain.slice(0, -1)},"request":${log.request},"response":${log.response}}`;
}
