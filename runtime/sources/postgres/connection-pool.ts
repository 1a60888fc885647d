/**
 * Connections of one source: the driver's pool, plus repeated attempts, the choice between TLS and plain that `sslmode`
 * leaves open, and a `close` that waits for those who still need a connection.
 */
import { setTimeout as delay } from "node:timers/promises";
import { DatabaseError, Pool } from "pg";
import { EngineError, invariant } from "../../support/errors.ts";
import { ConnectError, type ConnectionConfiguration, PostgresConnection } from "./connection.ts";
import { parseConnectionString, type ServerAddress } from "./connection-string.ts";
import { connectionText, type PostgresSettings, tlsSettings } from "./settings.ts";
import { transportsFor } from "./tls.ts";
import { driverText, translateConnectionError } from "./translate-database-error.ts";

export type TakeCallback = (failure: EngineError | undefined, connection: PostgresConnection | undefined) => void;

/** In milliseconds: how long a server may take for a cancel request. */
const cancelMilliseconds = 5000;
/** Wait before the first repeated attempt, in milliseconds; doubled for each further one. */
const firstRetryDelay = 100;

export class ConnectionPool {
  readonly #settings: PostgresSettings;
  readonly #pool: Pool;
  /** The kind of transport that the server wants, once it has refused the other; absent: the first of `sslmode`. */
  #encrypt: boolean | undefined;
  /** The server, or a pooler in front of it, refuses a connection that comes with the setting `jit`. */
  #refusesJit = false;
  /** Takers that wait for a connection or hold one. */
  #takers = 0;
  /** Connections that are handed out. */
  readonly #taken = new Set<PostgresConnection>();
  #answered = 0;
  #whenIdle: (() => void) | undefined;
  #closed: Promise<void> | undefined;

  /** @param onIdleLoss told when the server drops a connection that nobody uses; the pool replaces it by itself */
  constructor(settings: PostgresSettings, onIdleLoss: (driverText: string) => void) {
    this.#settings = settings;
    const configuration = (): ConnectionConfiguration | Error => this.#configuration();
    class SourceConnection extends PostgresConnection {
      constructor() {
        super(configuration());
      }
    }
    this.#pool = new Pool({
      Client: SourceConnection,
      max: settings.maxConnections,
      idleTimeoutMillis: settings.idleTimeoutSeconds * 1000,
      maxLifetimeSeconds: settings.connectionLifetimeSeconds,
      ...(settings.poolTimeoutSeconds !== undefined && { connectionTimeoutMillis: settings.poolTimeoutSeconds * 1000 }),
    });
    this.#pool.on("error", (error) => onIdleLoss(driverText(error)));
  }

  /** Hands out a connection, new or used before; to be given back with `give`. */
  take(done: TakeCallback): void {
    this.#takers++;
    this.#pool.connect((error, client) => {
      if (client instanceof PostgresConnection) this.#hand(client, done);
      else this.#takeAgain(error ?? new Error("the pool answered without a connection"), done);
    });
  }

  /** @throws EngineError */
  takeOne(): Promise<PostgresConnection> {
    return new Promise((resolve, reject) => {
      this.take((failure, connection) => (connection === undefined ? reject(failure) : resolve(connection)));
    });
  }

  #hand(connection: PostgresConnection, done: TakeCallback): void {
    this.#taken.add(connection);
    done(undefined, connection);
  }

  /** A cancel request that is under way ends first: it must not hit the next taker's statement. */
  give(connection: PostgresConnection, end = false): void {
    const { cancelled } = connection;
    if (cancelled !== undefined) {
      void cancelled.then(() => this.give(connection, end || connection.isLost));
      return;
    }
    this.#taken.delete(connection);
    if (!end) this.#answered++;
    connection.release(end);
    this.#settle();
  }

  /** How many connections came back alive. */
  get answered(): number {
    return this.#answered;
  }

  /** Cancels what runs now. @returns how many statements, when the server knows of all of them */
  async cancelAll(): Promise<number> {
    const running = [...this.#taken].filter(({ isRunning }) => isRunning);
    await Promise.all(running.map((connection) => connection.cancel(cancelMilliseconds)));
    return running.length;
  }

  /** Resolves when every connection is ended; those in use are waited for. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    // the driver's pool would leave those who wait for a connection waiting for ever
    if (this.#takers > 0) {
      await new Promise<void>((resolve) => {
        this.#whenIdle = resolve;
      });
    }
    await this.#pool.end();
  }

  #settle(): void {
    this.#takers--;
    if (this.#takers === 0) this.#whenIdle?.();
  }

  /** Off the fast path: the first attempt failed. */
  #takeAgain(firstError: Error, done: TakeCallback): void {
    this.#retry(firstError).then(
      (connection) => this.#hand(connection, done),
      (error: Error) => {
        this.#settle();
        done(translateConnectionError(error), undefined);
      },
    );
  }

  async #retry(firstError: Error): Promise<PostgresConnection> {
    let error = firstError;
    let switched = false;
    let withoutJit = false;
    let attempts = 0;
    for (;;) {
      if (!switched && this.#switchTransport(error)) {
        switched = true;
      } else if (!withoutJit && refusesJit(error)) {
        withoutJit = true;
        this.#refusesJit = true;
      } else {
        if (attempts >= this.#settings.retries || !isWorthRepeating(error) || this.#pool.ending) break;
        await delay(firstRetryDelay * 2 ** attempts);
        attempts++;
      }
      try {
        const client = await this.#pool.connect();
        invariant(client instanceof PostgresConnection, "the pool makes connections of the given class");
        return client;
      } catch (thrown) {
        error = thrown instanceof Error ? thrown : new Error(String(thrown));
      }
    }
    throw error instanceof ConnectError ? error.cause : error;
  }

  /** Settings of the next connection; an error instead of throwing one, which the driver's pool would not survive. */
  #configuration(): ConnectionConfiguration | Error {
    try {
      return this.#clientConfig();
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  #clientConfig(): ConnectionConfiguration {
    const address = this.#address();
    const transports = transportsFor(this.#tls(address), address.host);
    const timeout = Number(address.parameters.get("connect_timeout") ?? 0);
    const options = address.parameters.get("options");
    return {
      ...(address.host !== undefined && { host: address.host }),
      ...(address.port !== undefined && { port: address.port }),
      ...(address.user !== undefined && { user: address.user }),
      ...(address.password !== undefined && { password: address.password }),
      ...(address.database !== undefined && { database: address.database }),
      ...(options !== undefined && { options }),
      ...(timeout > 0 && { connectionTimeoutMillis: timeout * 1000 }),
      application_name: address.parameters.get("application_name") ?? "engine",
      ssl: transports.find((transport) => (transport !== false) === this.#encrypt) ?? transports[0] ?? false,
      // given explicitly, because the driver's own look at the environment can throw where nobody catches
      sslnegotiation: "postgres",
      // finds out about servers that vanished without a word
      keepAlive: true,
      sessionSettings: this.#settings.jit || this.#refusesJit ? {} : { jit: "off" },
    };
  }

  #address(): ServerAddress {
    return parseConnectionString(connectionText(this.#settings.connection));
  }

  #tls(address: ServerAddress): PostgresSettings["tls"] {
    return { ...tlsSettings((key) => address.parameters.get(key)), ...this.#settings.tls };
  }

  /** Whether the server refused the kind of transport in use and there is another one to try. */
  #switchTransport(error: Error): boolean {
    if (!(error instanceof ConnectError) || !refusesTransport(error.cause)) return false;
    const address = this.#address();
    if (transportsFor(this.#tls(address), address.host).length < 2) return false;
    this.#encrypt = !error.encrypted;
    return true;
  }
}

/** No TLS at all, or an access rule of the server that wants the other kind (`hostssl`, `hostnossl`). */
function refusesTransport(error: Error): boolean {
  if (error instanceof DatabaseError) return error.code === "28000";
  return error.message === "The server does not support SSL connections";
}

/** A server older than PostgreSQL 11 does not know the setting, and PgBouncer refuses any that it does not know. */
function refusesJit(error: Error): boolean {
  if (!(error instanceof ConnectError) || !(error.cause instanceof DatabaseError)) return false;
  const { code, message } = error.cause;
  return (code === "42704" || code === "08P01" || code === "0A000") && /\bjit\b/.test(message);
}

/** Not settings that do not resolve, nor having waited as long as `pool_timeout` allows. */
function isWorthRepeating(error: Error): boolean {
  return !(error instanceof EngineError) && error.message !== "timeout exceeded when trying to connect";
}
