/** Runs the `health_check` of sources at their intervals, independent of probes. */
import type { DatabaseState } from "../../../ports/health.ts";
import { isObject } from "../../../values/is-object.ts";
import type { DatabaseSource } from "../source.ts";
import { unready } from "./database-check.ts";

export interface CheckedSource {
  readonly name: string;
  /** Definition of the health check in the metadata. */
  readonly definition: Readonly<Record<string, unknown>>;
  /**
   * Opens the database.
   * @throws EngineError if its settings cannot be resolved
   */
  database(): DatabaseSource;
}

interface HealthCheck {
  readonly sql: string;
  readonly intervalSeconds: number;
  readonly retries: number;
  readonly retrySeconds: number;
  readonly timeoutSeconds: number;
}

export interface SourceHealthCheckSettings {
  readonly sources: () => readonly CheckedSource[];
  /** Receives the result of each check; `undefined` when the source is no longer checked. */
  readonly note: (source: string, state: DatabaseState | undefined) => void;
}

export class SourceHealthChecks {
  readonly #settings: SourceHealthCheckSettings;
  /** Running checks, by source name and definition. */
  #running = new Map<string, { readonly source: string; readonly stop: () => void }>();

  constructor(settings: SourceHealthCheckSettings) {
    this.#settings = settings;
  }

  /** Applies the current metadata. Unchanged checks continue. */
  refresh(): void {
    const { sources, note } = this.#settings;
    const wanted = new Map(sources().map((source) => [JSON.stringify([source.name, source.definition]), source]));
    for (const [key, { source, stop }] of this.#running) {
      if (wanted.has(key)) continue;
      stop();
      note(source, undefined);
      this.#running.delete(key);
    }
    for (const [key, { name, definition }] of wanted) {
      if (this.#running.has(key)) continue;
      // Looked up on each run, because a change of the connection creates another database object.
      const database = () =>
        sources()
          .find((source) => source.name === name)
          ?.database();
      const check = healthCheckOf(definition);
      const stop = repeat(
        check,
        async () => {
          const current = database();
          return current === undefined ? undefined : runCheck(current, check);
        },
        (state) => note(name, state),
      );
      this.#running.set(key, { source: name, stop });
    }
  }

  stop(): void {
    for (const { stop } of this.#running.values()) stop();
    this.#running.clear();
  }
}

function healthCheckOf(definition: CheckedSource["definition"]): HealthCheck {
  const { test, interval, retries, retry_interval, timeout } = definition;
  const sql = isObject(test) && typeof test.sql === "string" ? test.sql : "SELECT 1";
  return {
    sql,
    intervalSeconds: numberOr(interval, 60),
    retries: numberOr(retries, 3),
    retrySeconds: numberOr(retry_interval, 10),
    timeoutSeconds: numberOr(timeout, 10),
  };
}

function numberOr(value: unknown, usual: number): number {
  return typeof value === "number" ? Math.max(value, 0) : usual;
}

async function runCheck(database: DatabaseSource, { sql, timeoutSeconds }: HealthCheck): Promise<DatabaseState> {
  const options = { readOnly: true, ...(timeoutSeconds > 0 && { timeoutMilliseconds: timeoutSeconds * 1000 }) };
  await database.executeAlone(options, { text: sql }, []);
  return { error: null };
}

/** Limits of a timer in milliseconds: more frequent checks would load the database; longer timeouts overflow. */
const minWait = 1000;
const maxWait = 2 ** 31 - 1;

/**
 * Runs a check repeatedly: after the retry interval on failure, else after the interval. Returns a function that stops
 * it.
 */
function repeat(
  { intervalSeconds, retries, retrySeconds }: HealthCheck,
  check: () => Promise<DatabaseState | undefined>,
  note: (state: DatabaseState | undefined) => void,
): () => void {
  let isStopped = false;
  let timer: NodeJS.Timeout;
  const after = (seconds: number, failures: number): void => {
    const wait = Math.min(Math.max(seconds * 1000, minWait), maxWait);
    timer = setTimeout(() => void run(failures), wait);
  };
  const run = async (failures: number): Promise<void> => {
    const state = await check().catch(unready);
    if (isStopped) return;
    const isFailing = state?.error != null;
    if (isFailing && failures < retries) return after(retrySeconds, failures + 1);
    note(state);
    after(intervalSeconds, 0);
  };
  void run(0);
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}
