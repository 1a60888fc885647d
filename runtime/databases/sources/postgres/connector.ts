/** Makes connections of one source: repeated attempts, by the other transport or without a setting where the server wants it. */
import { setTimeout as delay } from "node:timers/promises";
import { DatabaseError } from "pg";
import { EngineError } from "../../../values/errors.ts";
import { ConnectError, type ConnectionConfiguration, PostgresConnection } from "./connection.ts";
import type { ConnectionTimes } from "./connection-times.ts";
import { takesReservedSlot } from "./reserved-slots.ts";
import { Route } from "./route.ts";
import { connectionText, type PostgresSettings } from "./settings.ts";
import { ConnectionLimitError } from "./translate-database-error.ts";

/** Wait before the first repeated attempt, in milliseconds; doubled for each further one. */
const firstRetryDelay = 100;

export class Connector {
  readonly #settings: PostgresSettings;
  readonly #times: ConnectionTimes;
  readonly #route: Route;
  /** The server, or a pooler in front of it, refuses a connection that comes with the setting `jit`. */
  #refusesJit = false;

  constructor(settings: PostgresSettings, times: ConnectionTimes) {
    this.#settings = settings;
    this.#times = times;
    this.#route = new Route(() => connectionText(settings.connection), settings.tls, times);
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
        else if (switched || !this.#route.switchAfter(error.cause, error.encrypted)) throw error.cause;
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
    return {
      ...this.#route.configuration(),
      ...(milliseconds !== undefined && { connectionTimeoutMillis: milliseconds }),
      answerMemory: this.#settings.answerMemory,
      sessionSettings: this.#settings.jit || this.#refusesJit ? {} : { jit: "off" },
    };
  }
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
