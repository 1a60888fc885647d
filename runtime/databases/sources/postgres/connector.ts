/** Opens connections of one source, with retries, and without TLS or a setting if the server requires it. */
import { setTimeout as delay } from "node:timers/promises";
import { DatabaseError } from "pg";
import { EngineError } from "../../../values/errors.ts";
import { ConnectError, type ConnectionConfiguration, PostgresConnection } from "./connection.ts";
import type { ConnectionTimes } from "./connection-times.ts";
import { Route } from "./route.ts";
import { connectionText, type PostgresSettings } from "./settings.ts";
import { ConnectionLimitError } from "./translate-database-error.ts";

/** Delay before the first retry in milliseconds, doubled for each further retry. */
const firstRetryDelay = 100;

export class Connector {
  readonly #settings: PostgresSettings;
  readonly #times: ConnectionTimes;
  readonly #route: Route;
  /** The server, or a pooler in front of it, rejects the setting `jit`. */
  #refusesJit = false;

  constructor(settings: PostgresSettings, times: ConnectionTimes) {
    this.#settings = settings;
    this.#times = times;
    this.#route = new Route(() => connectionText(settings.connection), settings.tls, times);
  }

  /**
   * Connects, with the configured number of retries.
   * @param mayRepeat returns true if a failure may be retried
   * @throws Error of the driver, or an EngineError for unresolved settings
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

  /** Connects once, switching the transport or omitting `jit` if the server requires it. */
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
    await connection.leave(this.#times.close);
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
      responseMemory: this.#settings.responseMemory,
      minByteRow: this.#settings.minByteRow,
      sessionSettings: this.#settings.jit || this.#refusesJit ? {} : { jit: "off" },
    };
  }
}

/**
 * Returns true if the setting `jit` was rejected: PostgreSQL before version 11 and PgBouncer reject unknown settings.
 */
function refusesJit(error: Error): boolean {
  if (!(error instanceof DatabaseError)) return false;
  const { code, message } = error;
  return (code === "42704" || code === "08P01" || code === "0A000") && /\bjit\b/.test(message);
}

/** Returns false for unresolved settings and for timeouts, during which the operating system has already retried. */
function isWorthRepeating(error: Error): boolean {
  return !(error instanceof EngineError) && error.message !== "timeout expired";
}

/**
 * Returns true if other roles can no longer connect. Returns false for poolers and servers without this information.
 */
async function takesReservedSlot(connection: PostgresConnection): Promise<boolean> {
  const [row] = await connection.runSteps([{ text: freeSlotsStatement, values: [] }]).catch(() => []);
  return Number(row?.[0] ?? 0) < 0;
}

const freeSlotsStatement = `
  select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
    - coalesce(current_setting('reserved_connections', true)::int, 0)
    - (select count(*) from pg_catalog.pg_stat_activity where backend_type = 'client backend')`;
