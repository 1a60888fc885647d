/**
 * Connections to the metadata database, with the same `sslmode` rules as sources. Statements time out: metadata changes
 * run in a queue, which a dead connection would otherwise block forever.
 */
import { setTimeout as delay } from "node:timers/promises";
import pg, { DatabaseError } from "pg";
import { EngineError } from "../../values/errors.ts";
import { parseStored } from "../../values/json/parse.ts";
import { type ConnectionTimes, connectionTimes } from "../sources/postgres/connection-times.ts";
import { Route } from "../sources/postgres/route.ts";
import { driverText } from "../sources/postgres/translate-database-error.ts";

/** Times in milliseconds, shortened in tests. */
export interface MetadataDatabaseTimes extends Pick<ConnectionTimes, "connect" | "keepAlive" | "close"> {
  /** Timeout of a statement. */
  readonly statement: number;
  /** Timeout of a ping. */
  readonly ping: number;
  /** Interval between pings of the listening connection. */
  readonly check: number;
  /** Delay before a lost listening connection is replaced. */
  readonly reconnect: number;
}

export const metadataDatabaseTimes: MetadataDatabaseTimes = {
  ...connectionTimes,
  statement: 20_000,
  ping: 2000,
  check: 10_000,
  reconnect: 1000,
};

type TimedQuery = pg.QueryConfig & { readonly query_timeout: number };

const maxConnections = 4;

/** Parses JSON columns without losing digits of numbers. */
const types = new pg.TypeOverrides();
for (const type of [pg.types.builtins.JSON, pg.types.builtins.JSONB]) {
  types.setTypeParser(type, "text", (text) => parseStored(text));
}

export interface MetadataTransaction extends Pick<MetadataDatabase, "query"> {
  commit(): Promise<void>;
  /** Rolls back. Never rejects. */
  rollback(): Promise<void>;
}

export class MetadataDatabase {
  readonly #route: Route;
  readonly #times: MetadataDatabaseTimes;
  readonly #pool: pg.Pool;
  readonly #idle = new Set<pg.PoolClient>();

  /**
   * Creates the pool. Connects on first use.
   * @param url returns the URL for a new connection
   */
  constructor(url: () => string, times: MetadataDatabaseTimes) {
    const route = new Route(url, {}, times);
    class Client extends pg.Client {
      constructor() {
        super({ ...route.configuration(), types, query_timeout: times.statement });
      }
    }
    this.#route = route;
    this.#times = times;
    this.#pool = new pg.Pool({ Client, max: maxConnections, connectionTimeoutMillis: times.connect });
    this.#pool.on("error", () => undefined); // a broken idle connection is replaced on the next use
    this.#pool.on("acquire", (client) => this.#idle.delete(client));
    this.#pool.on("remove", (client) => this.#idle.delete(client));
    this.#pool.on("release", (_, client) => this.#idle.add(client));
  }

  query<Row extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<pg.QueryResult<Row>> {
    return this.#byEitherTransport(() => this.#pool.query<Row>(text, [...values]));
  }

  /** Rejects if the server does not respond in time, after destroying all idle connections. */
  async ping(): Promise<void> {
    const ping: TimedQuery = { text: "select 1", query_timeout: this.#times.ping };
    try {
      await this.#byEitherTransport(() => this.#pool.query(ping));
    } catch (error) {
      await this.#withCloseTimeout(Promise.all(Array.from(this.#idle, destroy)));
      throw error;
    }
  }

  /** Opens a transaction. Its statements have the usual timeout. */
  async begin(): Promise<MetadataTransaction> {
    const client = await this.#byEitherTransport(() => this.#pool.connect());
    const end = async (text: "commit" | "rollback"): Promise<void> => {
      try {
        await client.query(text);
        client.release();
      } catch (error) {
        client.release(true);
        throw asUnreachable(error);
      }
    };
    const transaction: MetadataTransaction = {
      query: (text, values = []) => client.query(text, [...values]),
      commit: () => end("commit"),
      rollback: () => end("rollback").catch(() => undefined), // the database rolls back when the connection closes
    };
    try {
      await transaction.query("begin");
      return transaction;
    } catch (error) {
      client.release(true);
      throw asUnreachable(error);
    }
  }

  /** Opens a dedicated connection without a statement timeout. */
  connect(): Promise<pg.Client> {
    return this.#byEitherTransport(async () => {
      const client = new pg.Client({ ...this.#route.configuration(), types });
      client.on("error", () => undefined); // the running statement rejects with the same error
      await client.connect();
      return client;
    });
  }

  /**
   * Calls `onMessage` after each NOTIFY on the channel, and without a payload whenever notifications may have been
   * missed: after the first LISTEN, and after the replacement of a lost connection. Poolers in transaction mode deliver
   * no notifications.
   * @returns a function that stops listening
   */
  listen(channel: string, onMessage: (payload?: string) => void): () => Promise<void> {
    const stopping = new AbortController();
    const listening = this.#keepListening(channel, onMessage, stopping.signal);
    return async () => {
      stopping.abort();
      await this.#withCloseTimeout(listening);
    };
  }

  async close(): Promise<void> {
    await this.#withCloseTimeout(this.#pool.end());
  }

  /** Waits for a connection to close, with a timeout for unresponsive servers. */
  async #withCloseTimeout(end: Promise<unknown>): Promise<void> {
    await Promise.race([end, delay(this.#times.close, undefined, { ref: false })]);
  }

  async #keepListening(channel: string, onMessage: Listening["onMessage"], signal: AbortSignal): Promise<void> {
    const pause = (milliseconds: number) => delay(milliseconds, undefined, { signal }).catch(() => undefined); // stopped
    while (!signal.aborted) {
      const client = await this.connect().catch(() => undefined); // the loop retries
      if (client !== undefined) {
        await this.#listenOn(client, channel, { onMessage, pause, signal }).catch(() => undefined); // the loop retries
        await this.#leave(client);
      }
      if (!signal.aborted) await pause(this.#times.reconnect);
    }
  }

  /** Rejects when the connection is lost. Resolves when listening is stopped. */
  async #listenOn(client: pg.Client, channel: string, { onMessage, pause, signal }: Listening): Promise<void> {
    client.on("notification", ({ payload }) => onMessage(payload));
    const send = (text: string): Promise<unknown> => {
      const query: TimedQuery = { text, query_timeout: this.#times.ping };
      return client.query(query);
    };
    const lost = new Promise<never>((_, reject) => client.once("end", () => reject(new Error("the connection ended"))));
    lost.catch(() => undefined); // prevents an unhandled rejection after the loop
    await send(`listen ${channel}`);
    onMessage();
    while (!signal.aborted) {
      await Promise.race([pause(this.#times.check), lost]);
      if (!signal.aborted) await send("select 1");
    }
  }

  async #leave(client: pg.Client): Promise<void> {
    const timer = setTimeout(() => void destroy(client), this.#times.close);
    await client.end().catch(() => undefined); // the connection may be broken already
    clearTimeout(timer);
  }

  /**
   * Runs `work`, and reruns it with the other transport if the server requires it.
   * @throws EngineError if the server is unreachable; errors of statements are passed through
   */
  async #byEitherTransport<T>(work: () => Promise<T>): Promise<T> {
    const { encrypts } = this.#route;
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Error) || !this.#route.switchAfter(error, encrypts)) throw asUnreachable(error);
      return await work().catch((retryError: unknown) => {
        throw asUnreachable(retryError);
      });
    }
  }
}

interface Listening {
  readonly onMessage: (payload?: string) => void;
  readonly pause: (milliseconds: number) => Promise<unknown>;
  readonly signal: AbortSignal;
}

/** Closes a connection without waiting for the server. Resolves after the pool has removed it. */
function destroy(client: pg.ClientBase & { readonly connection?: pg.Connection }): Promise<void> {
  return new Promise((resolve) => {
    client.once("end", () => resolve());
    client.connection?.stream.destroy();
  });
}

/** SQLSTATEs of a server that is starting, shutting down or out of connections. */
const refusals = new Set(["57P01", "57P02", "57P03", "57P05", "53300"]);

/**
 * Returns an EngineError with the driver's message as `internal` if the database is unreachable. Other errors are
 * returned unchanged.
 */
export function asUnreachable(error: unknown): unknown {
  if (!isUnreachable(error)) return error;
  const details = { status: 500, internal: driverText(error), cause: error };
  return new EngineError("postgres-error", "$", "the metadata database cannot be reached", details);
}

/**
 * Returns true for connection errors. The driver has no class for them: they are all errors that are neither from the
 * server nor from a bug.
 */
function isUnreachable(error: unknown): error is Error {
  if (!(error instanceof Error) || error instanceof EngineError) return false;
  if (error instanceof DatabaseError) return refusals.has(error.code ?? "");
  return !(error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError);
}
