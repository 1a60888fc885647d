/** Creates, redelivers and reads the events of a source and their invocations (`docs/how-to/event-triggers.md`). */
import type { SourceTransaction, TransactionOptions } from "../../databases/sources/source.ts";
import { EngineError } from "../../values/errors.ts";
import { parseDatabaseJson } from "../../values/json/parse.ts";
import type { EventSource } from "./event-source.ts";
import type { EventLogStatements, EventSelection, FinishedStates } from "./log-statements.ts";

export interface NewEvent {
  readonly table: { readonly schema: string; readonly name: string };
  readonly trigger: string;
  /** JSON text. */
  readonly payload: string;
}

export interface PageOfLogs {
  readonly limit: number;
  readonly offset: number;
}

/** READ COMMITTED: a claim of rows must see the latest commits of other transactions. */
const writing: TransactionOptions = { isolation: "read-committed", errors: "dml" };

/** Returns true if the source has the product's tables, which are created for its first event trigger. */
export async function hasEventTables({ database, logs }: EventSource): Promise<boolean> {
  return (await database.query({ text: logs.installed, onlyReads: true }, [])).length > 0;
}

/** Inserts an event that is delivered like any other. Returns its id. */
export async function insertEvent({ database, logs }: EventSource, event: NewEvent): Promise<string> {
  const { table, trigger, payload } = event;
  const statement = { text: logs.insertEvent };
  const rows = await database.executeAlone(writing, statement, [table.schema, table.name, trigger, payload]);
  return String(rows[0]?.[0]);
}

/**
 * Resets an event so that it is delivered again.
 * @param isOrdered returns true if a trigger is ordered
 */
export function redeliverEvent(
  { database, logs }: EventSource,
  id: string,
  isOrdered: (trigger: string) => boolean,
): Promise<"done" | "busy" | "not found"> {
  return database.transaction(writing, async (transaction) => {
    const [found] = await transaction.query({ text: logs.lockEvent }, [id]);
    if (found === undefined) return "not found";
    const [busy, trigger] = found;
    if (busy === "1") return "busy";
    const ordered = isOrdered(trigger ?? "");
    if (ordered) await stopOrder(transaction, logs);
    await transaction.query({ text: logs.resetEvent }, [id, String(ordered)]);
    await wake(transaction, logs);
    return "done";
  });
}

async function stopOrder(transaction: SourceTransaction, { stopOrder: text }: EventLogStatements): Promise<void> {
  if (text !== undefined) await transaction.query({ text }, []);
}

async function wake(transaction: SourceTransaction, { wake: text }: EventLogStatements): Promise<void> {
  if (text !== undefined) await transaction.query({ text }, []);
}

export interface Redelivery {
  readonly trigger: string;
  /** True if the trigger is ordered. */
  readonly ordered: boolean;
  readonly states: FinishedStates;
  /** Range of creation times in ISO 8601; `from` is inclusive, `to` exclusive. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Number of events reset in one transaction. */
  readonly batchSize: number;
}

/**
 * Resets all finished events of a trigger, oldest first. Events that fail again during the operation are not reset twice.
 * @returns the number of events
 */
export async function redeliverEvents({ database, logs }: EventSource, redelivery: Redelivery): Promise<number> {
  const { trigger, ordered, states, from = null, to = null, batchSize } = redelivery;
  let total = 0;
  let last: readonly (string | null)[] = [null, null];
  for (;;) {
    const values = [trigger, from, to, ...last, String(batchSize), String(ordered)];
    const [batch = []] = await database.transaction(writing, async (transaction) => {
      if (ordered) await stopOrder(transaction, logs);
      const rows = await transaction.query({ text: logs.resetEvents[states] }, values);
      await wake(transaction, logs);
      return rows;
    });
    const [changed, createdAt = null, id = null, found = changed] = batch;
    total += Number(changed);
    if (Number(found) < batchSize) return total;
    last = [createdAt, id];
  }
}

export interface EventFilter {
  readonly trigger: string;
  readonly which: EventSelection;
  /** Range of creation times in ISO 8601; `from` is inclusive, `to` exclusive. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Reads events, newest first. */
export async function readEvents(source: EventSource, filter: EventFilter, page: PageOfLogs) {
  const { trigger, which, from = null, to = null } = filter;
  // Processed events are already unpacked.
  if (which === "all" || which === "pending") await unpackEvents(source);
  return readPage(source, source.logs.events[which], trigger, page, [from, to]);
}

/** Time limit in milliseconds for unpacking. A read of a very large backlog returns the events unpacked so far. */
const unpackPatience = 5000;

/**
 * Unpacks events before a read. Errors are ignored, such as those of a read-only source: only unpacked events are
 * returned.
 */
async function unpackEvents({ database, logs }: EventSource): Promise<void> {
  const { packed, unpack } = logs;
  if (packed === undefined || unpack === undefined) return;
  const end = performance.now() + unpackPatience;
  try {
    while (performance.now() < end) {
      const rows = await database.executeAlone({ errors: "dml" }, { text: packed, onlyReads: true }, []);
      if (rows.length === 0) return;
      const [[packs] = []] = await database.executeAlone(writing, { text: unpack }, []);
      if (packs === "0") return;
    }
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
  }
}

/** Counts the failed events of triggers, each up to `maxCount`. */
export async function countFailedEvents(
  { database, logs }: EventSource,
  triggers: readonly string[],
  { from = null, to = null }: { readonly from?: string | null; readonly to?: string | null },
  maxCount: number,
): Promise<ReadonlyMap<string, number>> {
  const values = [JSON.stringify(triggers), from, to, String(maxCount)];
  const rows = await database.query({ text: logs.failedCounts, onlyReads: true }, values);
  return new Map(rows.map(([trigger, count]) => [String(trigger), Number(count)]));
}

/** Reads the invocations of a trigger, newest first. */
export function readInvocations(source: EventSource, trigger: string, page: PageOfLogs) {
  return readPage(source, source.logs.invocationsOfTrigger, trigger, page);
}

/** Reads an event with its invocations, newest first. Returns `undefined` for an unknown id. */
export async function readEvent(source: EventSource, id: string, page: PageOfLogs) {
  const [event] = await readJson(source, source.logs.event, [id]);
  if (event === undefined) return undefined;
  return { event, invocations: await readPage(source, source.logs.invocationsOfEvent, id, page) };
}

function readPage(
  source: EventSource,
  text: string,
  of: string,
  { limit, offset }: PageOfLogs,
  range: readonly (string | null)[] = [],
) {
  // SQL Server rejects a limit of zero rows.
  return limit === 0 ? [] : readJson(source, text, [of, String(limit), String(offset), ...range]);
}

async function readJson(
  { database }: EventSource,
  text: string,
  values: readonly (string | null)[],
): Promise<readonly unknown[]> {
  const options: TransactionOptions = { readOnly: true, errors: "dml" };
  const rows = await database.executeAlone(options, { text, onlyReads: true }, values);
  return rows.map(([row]) => (typeof row === "string" ? parseDatabaseJson(row) : null));
}
