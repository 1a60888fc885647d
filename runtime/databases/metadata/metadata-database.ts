/**
 * Connections to the metadata database, which is reached as sources are (`sslmode`). One that is silent fails what asks
 * it: changes of the metadata stand in a queue, which would wait for ever behind one whose packets vanish.
 */
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { parseStored } from "../../values/parse-json.ts";
import { type ConnectionTimes, connectionTimes } from "../sources/postgres/connection-times.ts";
import { Route } from "../sources/postgres/route.ts";
import { unreachedOr } from "./unreached.ts";

/** In milliseconds; tests make it less. */
export interface MetadataDatabaseTimes extends Pick<ConnectionTimes, "connect" | "keepAlive" | "farewell"> {
  /** For the answer to a statement. */
  readonly statement: number;
  /** For the answer to a ping. */
  readonly ping: number;
  /** From one ping of the connection that listens to the next. */
  readonly check: number;
  /** Until a connection that listened is replaced. */
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

/** Numbers in what is stored as JSON stay as they are written. */
const types = new pg.TypeOverrides();
for (const type of [pg.types.builtins.JSON, pg.types.builtins.JSONB]) {
  types.setTypeParser(type, "text", (text) => parseStored(text));
}

export interface MetadataTransaction extends Pick<MetadataDatabase, "query"> {
  commit(): Promise<void>;
  /** Never rejects. */
  rollback(): Promise<void>;
}

export class MetadataDatabase {
  readonly #route: Route;
  readonly #times: MetadataDatabaseTimes;
  readonly #pool: pg.Pool;
  readonly #idle = new Set<pg.PoolClient>();

  /** Connects when it is first asked. */
  constructor(url: string, times: MetadataDatabaseTimes) {
    const route = new Route(() => url, {}, times);
    class Client extends pg.Client {
      constructor() {
        super({ ...route.configuration(), types, query_timeout: times.statement });
      }
    }
    this.#route = route;
    this.#times = times;
    this.#pool = new pg.Pool({ Client, max: maxConnections, connectionTimeoutMillis: times.connect });
    this.#pool.on("error", () => undefined); // an idle connection broke: the next use makes a new one
    this.#pool.on("acquire", (client) => this.#idle.delete(client));
    this.#pool.on("remove", (client) => this.#idle.delete(client));
    this.#pool.on("release", (_, client) => this.#idle.add(client));
  }

  query<Row extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<pg.QueryResult<Row>> {
    return this.#byEitherTransport(() => this.#pool.query<Row>(text, [...values]));
  }

  /** Rejects when there is no answer in time; then connections that nobody used meanwhile are not trusted any more. */
  async ping(): Promise<void> {
    const ping: TimedQuery = { text: "select 1", query_timeout: this.#times.ping };
    try {
      await this.#byEitherTransport(() => this.#pool.query(ping));
    } catch (error) {
      await this.#orFarewell(Promise.all(Array.from(this.#idle, destroy)));
      throw error;
    }
  }

  /** Opens a transaction; its statements are bounded in time as all others are. */
  async begin(): Promise<MetadataTransaction> {
    const client = await this.#byEitherTransport(() => this.#pool.connect());
    const end = async (text: "commit" | "rollback"): Promise<void> => {
      try {
        await client.query(text);
        client.release();
      } catch (error) {
        client.release(true);
        throw unreachedOr(error);
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
      throw unreachedOr(error);
    }
  }

  /** A connection of one's own, whose statements may take as long as they take. */
  connect(): Promise<pg.Client> {
    return this.#byEitherTransport(async () => {
      const client = new pg.Client({ ...this.#route.configuration(), types });
      client.on("error", () => undefined); // the statement under way gets the same error
      await client.connect();
      return client;
    });
  }

  /**
   * Calls `onMessage` after each NOTIFY on the channel, and without a payload when some may have been missed: when it
   * begins to listen, and again where a lost connection was replaced. Poolers in transaction mode deliver nothing.
   * @returns what ends it
   */
  listen(channel: string, onMessage: (payload?: string) => void): () => Promise<void> {
    const stopping = new AbortController();
    const listening = this.#keepListening(channel, onMessage, stopping.signal);
    return async () => {
      stopping.abort();
      await this.#orFarewell(listening);
    };
  }

  async close(): Promise<void> {
    await this.#orFarewell(this.#pool.end());
  }

  /** Does not wait for a server that does not answer. */
  async #orFarewell(end: Promise<unknown>): Promise<void> {
    await Promise.race([end, delay(this.#times.farewell, undefined, { ref: false })]);
  }

  async #keepListening(channel: string, onMessage: Listening["onMessage"], signal: AbortSignal): Promise<void> {
    const pause = (milliseconds: number) => delay(milliseconds, undefined, { signal }).catch(() => undefined); // stopping
    while (!signal.aborted) {
      const client = await this.connect().catch(() => undefined); // tried again
      if (client !== undefined) {
        await this.#listenOn(client, channel, { onMessage, pause, signal }).catch(() => undefined); // replaced
        await this.#leave(client);
      }
      if (!signal.aborted) await pause(this.#times.reconnect);
    }
  }

  /** Rejects when the connection is lost, resolves when it is not needed any more. */
  async #listenOn(client: pg.Client, channel: string, { onMessage, pause, signal }: Listening): Promise<void> {
    client.on("notification", ({ payload }) => onMessage(payload));
    const ask = (text: string): Promise<unknown> => {
      const query: TimedQuery = { text, query_timeout: this.#times.ping };
      return client.query(query);
    };
    const lost = new Promise<never>((_, reject) => client.once("end", () => reject(new Error("the connection ended"))));
    lost.catch(() => undefined); // also when nobody waits for it any more
    await ask(`listen ${channel}`);
    onMessage();
    while (!signal.aborted) {
      await Promise.race([pause(this.#times.check), lost]);
      if (!signal.aborted) await ask("select 1");
    }
  }

  async #leave(client: pg.Client): Promise<void> {
    const timer = setTimeout(() => void destroy(client), this.#times.farewell);
    await client.end().catch(() => undefined); // it may have broken before
    clearTimeout(timer);
  }

  /** @throws EngineError where the server cannot be reached; what it says of a statement as it says it */
  async #byEitherTransport<T>(work: () => Promise<T>): Promise<T> {
    const { encrypts } = this.#route;
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Error) || !this.#route.switchAfter(error, encrypts)) throw unreachedOr(error);
      return await work().catch((again: unknown) => {
        throw unreachedOr(again);
      });
    }
  }
}

interface Listening {
  readonly onMessage: (payload?: string) => void;
  readonly pause: (milliseconds: number) => Promise<unknown>;
  readonly signal: AbortSignal;
}

/** Resolves when the pool knows it, too. */
function destroy(client: pg.ClientBase & { readonly connection?: pg.Connection }): Promise<void> {
  return new Promise((resolve) => {
    client.once("end", () => resolve());
    client.connection?.stream.destroy();
  });
}
