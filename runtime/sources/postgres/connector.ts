/** Makes connections of one source: repeated attempts, and the choice between TLS and plain that `sslmode` leaves open. */
import { setTimeout as delay } from "node:timers/promises";
import { DatabaseError } from "pg";
import { EngineError } from "../../support/errors.ts";
import { ConnectError, type ConnectionConfiguration, PostgresConnection } from "./connection.ts";
import { parseConnectionString, type ServerAddress } from "./connection-string.ts";
import type { ConnectionTimes } from "./connection-times.ts";
import { takesReservedSlot } from "./reserved-slots.ts";
import { connectionText, type PostgresSettings, tlsSettings } from "./settings.ts";
import { transportsFor } from "./tls.ts";
import { ConnectionLimitError } from "./translate-database-error.ts";

/** Wait before the first repeated attempt, in milliseconds; doubled for each further one. */
const firstRetryDelay = 100;

export class Connector {
  readonly #settings: PostgresSettings;
  readonly #times: ConnectionTimes;
  /** The kind of transport that the server wants, once it has refused the other; absent: the first of `sslmode`. */
  #encrypt: boolean | undefined;
  /** The server, or a pooler in front of it, refuses a connection that comes with the setting `jit`. */
  #refusesJit = false;

  constructor(settings: PostgresSettings, times: ConnectionTimes) {
    this.#settings = settings;
    this.#times = times;
  }

  /**
   * Connects, and tries again as often as the settings say.
   * @param mayRepeat whether a failure is worth another attempt
   * @throws Error of the driver, or an EngineError for settings that do not resolve
   */
  async connect(mayRepeat: (error: Error) => boolean): Promise<PostgresConnection> {
    for (let attempts = 0; ; attempts++) {
      try {
        return await this.#connectWithoutReservedSlot();
      } catch (thrown) {
        const error = thrown instanceof Error ? thrown : new Error(String(thrown));
        if (attempts >= this.#settings.retries || !isWorthRepeating(error) || !mayRepeat(error)) throw error;
        await delay(firstRetryDelay * 2 ** attempts);
      }
    }
  }

  /** Connects once, in whichever way the server takes. */
  async connectOnce(milliseconds?: number): Promise<PostgresConnection> {
    let switched = false;
    for (;;) {
      const withoutJit = this.#refusesJit;
      try {
        return await this.#attempt(milliseconds);
      } catch (error) {
        if (!(error instanceof ConnectError)) throw error;
        if (!withoutJit && refusesJit(error.cause)) this.#refusesJit = true;
        else if (switched || !this.#switchTransport(error)) throw error.cause;
        else switched = true;
      }
    }
  }

  async #connectWithoutReservedSlot(): Promise<PostgresConnection> {
    const connection = await this.connectOnce();
    if (!connection.isSuperuser || !(await takesReservedSlot(connection))) return connection;
    await connection.leave(this.#times.farewell);
    throw new ConnectionLimitError("remaining connection slots are reserved");
  }

  async #attempt(milliseconds: number | undefined): Promise<PostgresConnection> {
    const connection = new PostgresConnection(this.#configuration(milliseconds));
    await connection.connect();
    return connection;
  }

  #configuration(milliseconds: number | undefined): ConnectionConfiguration {
    const address = this.#address();
    const transports = transportsFor(this.#tls(address), address.host);
    const options = address.parameters.get("options");
    return {
      ...(address.host !== undefined && { host: address.host }),
      ...(address.port !== undefined && { port: address.port }),
      ...(address.user !== undefined && { user: address.user }),
      ...(address.password !== undefined && { password: address.password }),
      ...(address.database !== undefined && { database: address.database }),
      ...(options !== undefined && { options }),
      connectionTimeoutMillis: milliseconds ?? this.#connectMilliseconds(address),
      application_name: address.parameters.get("application_name") ?? "engine",
      ssl: transports.find((transport) => (transport !== false) === this.#encrypt) ?? transports[0] ?? false,
      // given explicitly, because the driver would look into the environment and may throw there
      sslnegotiation: "postgres",
      keepAlive: true,
      keepAliveInitialDelayMillis: this.#times.keepAlive,
      sessionSettings: this.#settings.jit || this.#refusesJit ? {} : { jit: "off" },
    };
  }

  #connectMilliseconds({ parameters }: ServerAddress): number {
    const seconds = Number(parameters.get("connect_timeout") ?? 0);
    return seconds > 0 ? seconds * 1000 : this.#times.connect;
  }

  #address(): ServerAddress {
    return parseConnectionString(connectionText(this.#settings.connection));
  }

  #tls(address: ServerAddress): PostgresSettings["tls"] {
    return { ...tlsSettings((key) => address.parameters.get(key)), ...this.#settings.tls };
  }

  /** Whether the server refused the kind of transport in use and there is another one to try. */
  #switchTransport(error: ConnectError): boolean {
    if (!refusesTransport(error.cause)) return false;
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
  if (!(error instanceof DatabaseError)) return false;
  const { code, message } = error;
  return (code === "42704" || code === "08P01" || code === "0A000") && /\bjit\b/.test(message);
}

/** Not settings that do not resolve, nor a server that was silent: the operating system has tried several times. */
function isWorthRepeating(error: Error): boolean {
  return !(error instanceof EngineError) && error.message !== "timeout expired";
}
