/**
 * Tells which statements may have another answer now: statement-level triggers on the tables that they read send
 * NOTIFY, one connection of the pool listens (`docs/live-queries.md`). Input: statements as they are asked; output:
 * calls after changes. Where it cannot tell, it says so, and the statement is polled.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { EngineError, invariant } from "../../values/errors.ts";
import type { ChangeWatch, PreparedStatement, SourceTransaction, SqlValue, TextRow } from "../source.ts";
import type { PostgresConnection } from "./connection.ts";

const channel = "engine_live_queries";
const handler = "engine_catalog.notify_live_queries";
const trigger = "notify_engine_live_queries";

/** Makes what the triggers call; several servers may do so at once, so one waits for the other. */
const preparation = [
  "select pg_advisory_xact_lock(hashtext('engine_live_queries'))::text",
  "set local lock_timeout = '2s'",
  "create schema if not exists engine_catalog",
  `create or replace function ${handler}() returns trigger language plpgsql as ` +
    `$$ begin perform pg_notify('${channel}', tg_relid::text); return null; end $$`,
];

/** The tables of these names and those that they are partitions or children of: kind, identity, name, whether it has the trigger. */
const tablesStatement = `
  with recursive named as (
    select c.oid from unnest($1::text[], $2::text[]) as n(schema, name)
    join pg_catalog.pg_namespace s on s.nspname = n.schema
    join pg_catalog.pg_class c on c.relnamespace = s.oid and c.relname = n.name
  ), related as (
    select oid from named union select i.inhparent from related r join pg_catalog.pg_inherits i on i.inhrelid = r.oid
  )
  select c.relkind::text, c.oid::text, pg_catalog.format('%I.%I', c.relnamespace::pg_catalog.regnamespace::text, c.relname),
    exists (select 1 from pg_catalog.pg_trigger t where t.tgrelid = c.oid and t.tgname = '${trigger}')::text
  from related r join pg_catalog.pg_class c on c.oid = r.oid`;

/** Tables, partitioned or not: what triggers see all changes of. */
const watchable: ReadonlySet<string> = new Set(["r", "p"]);

/** In milliseconds. */
export interface ChangeFeedTimes {
  /** Until a lost connection is replaced. */
  readonly reconnect: number;
  /** A message of our own has to arrive within this time, else the connection carries none. */
  readonly heard: number;
  /** From one such message to the next. */
  readonly check: number;
  /** Until a connection that carried no message is tried again. */
  readonly unheard: number;
}

export const changeFeedTimes: ChangeFeedTimes = { reconnect: 1000, heard: 5000, check: 30_000, unheard: 60_000 };

export interface ChangeFeedParts {
  /** A connection to keep; given back with `give`. */
  readonly take: () => Promise<PostgresConnection>;
  readonly give: (connection: PostgresConnection) => void;
  query(statement: PreparedStatement, values: readonly SqlValue[]): Promise<readonly TextRow[]>;
  write(work: (transaction: SourceTransaction) => Promise<void>): Promise<void>;
  /** Told once when messages do not arrive, and once when they do again. */
  readonly onHearing: (isHeard: boolean) => void;
}

interface Watcher extends ChangeWatch {
  readonly onChange: () => void;
}

export class ChangeFeed {
  readonly #parts: ChangeFeedParts;
  readonly #times: ChangeFeedTimes;
  readonly #watchers = new Map<string, Set<Watcher>>();
  /** Messages of our own that are to arrive. */
  readonly #awaited = new Map<string, () => void>();
  #connection: PostgresConnection | undefined;
  #connecting: Promise<void> | undefined;
  /** One change of triggers at a time. */
  #preparing: Promise<unknown> = Promise.resolve();
  /** Whether messages arrived when that was last tried. */
  #isHeard = true;
  #isReconnecting = false;
  readonly #closing = new AbortController();

  constructor(parts: ChangeFeedParts, times: ChangeFeedTimes = changeFeedTimes) {
    this.#parts = parts;
    this.#times = times;
  }

  /**
   * Calls after each change of a table that the statement reads, and when changes may have been missed.
   * @returns `null` when the statement reads what cannot be watched
   * @throws EngineError when the database does not let itself be prepared
   */
  async watch(
    { text }: PreparedStatement,
    values: readonly SqlValue[],
    onChange: () => void,
  ): Promise<ChangeWatch | null> {
    const tables = await this.#tablesOf(text, values);
    if (tables === null) return null;
    await this.#listen();
    const keys = tables.map(({ oid }) => oid);
    const isListening = (): boolean => this.#connection !== undefined;
    const watcher: Watcher = {
      onChange,
      get isLive() {
        return isListening();
      },
      stop: () => {
        for (const key of keys) this.#forget(key, watcher);
      },
    };
    for (const key of keys) this.#watchersOf(key).add(watcher);
    return watcher;
  }

  close(): void {
    this.#closing.abort();
    this.#watchers.clear();
    this.#drop();
  }

  #watchersOf(key: string): Set<Watcher> {
    const watchers = this.#watchers.get(key) ?? new Set();
    this.#watchers.set(key, watchers);
    return watchers;
  }

  #forget(key: string, watcher: Watcher): void {
    const watchers = this.#watchers.get(key);
    watchers?.delete(watcher);
    if (watchers?.size === 0) this.#watchers.delete(key);
  }

  /** The tables that the database would read, with their triggers; `null`: something else, too. */
  async #tablesOf(text: string, values: readonly SqlValue[]): Promise<readonly { readonly oid: string }[] | null> {
    const [row] = await this.#parts.query({ text: `explain (verbose, format json) ${text}` }, values);
    const names = relationsOf(JSON.parse(row?.[0] ?? "[]"));
    if (names === null) return null;
    const lists = [names.map(([schema]) => schema), names.map(([, name]) => name)].map(textArray);
    const rows = await this.#parts.query({ text: tablesStatement }, lists);
    if (rows.length < names.length || rows.some(([kind]) => !watchable.has(kind ?? ""))) return null;
    const bare = rows.filter(([, , , has]) => has !== "true").map(([, , name]) => name ?? "");
    if (bare.length > 0) await this.#addTriggers(bare);
    return rows.map(([, oid]) => ({ oid: oid ?? "" }));
  }

  #addTriggers(tables: readonly string[]): Promise<void> {
    const work = this.#preparing.then(() =>
      this.#parts.write(async (transaction) => {
        for (const text of preparation) await transaction.query({ text }, []);
        for (const table of tables) {
          await transaction.query({ text: `drop trigger if exists ${trigger} on ${table}` }, []);
          const text =
            `create trigger ${trigger} after insert or update or delete or truncate on ${table} ` +
            `for each statement execute function ${handler}()`;
          await transaction.query({ text }, []);
        }
      }),
    );
    this.#preparing = work.catch(() => undefined); // the caller gets the error; the next one tries for itself
    return work;
  }

  /** Resolves when changes are heard of, or it is known that they are not: then everything is polled. */
  #listen(): Promise<void> {
    if (this.#connection || this.#isReconnecting) return Promise.resolve();
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  async #connect(): Promise<void> {
    const connection = await this.#parts.take();
    connection.on("notification", ({ payload = "" }) => {
      this.#awaited.get(payload)?.();
      for (const { onChange } of [...(this.#watchers.get(payload) ?? [])]) onChange();
    });
    let isHeard: boolean;
    try {
      await connection.runText(`LISTEN ${channel}`);
      isHeard = await this.#isHeardNow();
    } catch (error) {
      connection.isLostBy(error instanceof Error ? error : new Error(String(error)));
      this.#release(connection);
      throw new EngineError("postgres-error", "$", "connection error", { status: 500, cause: error });
    }
    this.#noteHearing(isHeard);
    if (!isHeard || connection.isLost || this.#closing.signal.aborted) {
      this.#release(connection);
      void this.#reconnect(isHeard ? this.#times.reconnect : this.#times.unheard);
      return;
    }
    invariant(this.#connection === undefined, "one connection listens");
    this.#connection = connection;
    connection.once("end", () => this.#lose(connection));
    void this.#keepChecking(connection);
  }

  /**
   * Sends a message on another connection and waits for it. A pooler that hands every transaction another server
   * connection accepts LISTEN and delivers nothing; so does a network that lost the connection without a word.
   * @throws EngineError when it cannot be sent
   */
  async #isHeardNow(): Promise<boolean> {
    const token = randomUUID();
    const arrival = new Promise<boolean>((resolve) => this.#awaited.set(token, () => resolve(true)));
    const waiting = new AbortController();
    try {
      await this.#parts.query({ text: "select pg_notify($1::text, $2::text)::text" }, [channel, token]);
      const timeOut = delay(this.#times.heard, false, { ref: false, signal: waiting.signal });
      return await Promise.race([arrival, timeOut.catch(() => false)]);
    } finally {
      waiting.abort();
      this.#awaited.delete(token);
    }
  }

  async #keepChecking(connection: PostgresConnection): Promise<void> {
    const { signal } = this.#closing;
    while (this.#connection === connection) {
      await delay(this.#times.check, undefined, { ref: false, signal }).catch(() => undefined); // closing
      if (this.#connection !== connection) return;
      // A failure to send says nothing about what is heard.
      const isHeard = await this.#isHeardNow().catch(() => true);
      if (isHeard || this.#connection !== connection) continue;
      this.#noteHearing(false);
      this.#lose(connection);
    }
  }

  #noteHearing(isHeard: boolean): void {
    if (isHeard !== this.#isHeard) this.#parts.onHearing(isHeard);
    this.#isHeard = isHeard;
  }

  #lose(connection: PostgresConnection): void {
    if (this.#connection !== connection) return;
    this.#drop();
    void this.#reconnect(this.#times.reconnect);
  }

  /** Until it listens again, everything is polled; what happened meanwhile may have changed anything. */
  async #reconnect(milliseconds: number): Promise<void> {
    this.#isReconnecting = true;
    this.#notifyAll();
    await delay(milliseconds, undefined, { ref: false, signal: this.#closing.signal }).catch(() => undefined); // closing
    this.#isReconnecting = false;
    if (this.#closing.signal.aborted) return;
    try {
      await this.#listen();
    } catch {
      void this.#reconnect(this.#times.reconnect);
      return;
    }
    this.#notifyAll();
  }

  #notifyAll(): void {
    const all = new Set([...this.#watchers.values()].flatMap((watchers) => [...watchers]));
    for (const { onChange } of all) onChange();
  }

  #drop(): void {
    const connection = this.#connection;
    this.#connection = undefined;
    if (connection) this.#release(connection);
  }

  #release(connection: PostgresConnection): void {
    connection.removeAllListeners("notification");
    this.#parts.give(connection);
  }
}

interface PlanNode {
  readonly "Node Type"?: string;
  readonly Schema?: string;
  readonly "Relation Name"?: string;
  readonly "Function Name"?: string;
}

/** Schema and name of the relations in a plan; `null` where functions give rows, of whose tables a plan says nothing. */
function relationsOf(plan: unknown): readonly (readonly [string, string])[] | null {
  const found = new Map<string, readonly [string, string]>();
  let isOpaque = false;
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) {
      for (const item of value) visit(item);
    } else if (value !== null && typeof value === "object") {
      const node = value as PlanNode;
      const { Schema: schema, "Relation Name": name, "Function Name": call } = node;
      if (schema !== undefined && name !== undefined) found.set(JSON.stringify([schema, name]), [schema, name]);
      // The sets of values of the statement itself are rows of `unnest`.
      if (call !== undefined && call !== "unnest") isOpaque = true;
      if (node["Node Type"] === "Foreign Scan") isOpaque = true;
      for (const member of Object.values(value)) visit(member);
    }
  };
  visit(plan);
  return isOpaque ? null : [...found.values()];
}

function textArray(texts: readonly string[]): string {
  return `{${texts.map((text) => `"${text.replace(/[\\"]/g, "\\$&")}"`).join(",")}}`;
}
