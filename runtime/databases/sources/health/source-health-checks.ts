/** Asks sources at the intervals that their `health_check` says, whether or not a probe comes. */
import type { DatabaseState } from "../../../ports/health.ts";
import { isObject } from "../../../values/is-object.ts";
import type { DatabaseSource } from "../source.ts";
import { unready } from "./database-check.ts";

export interface CheckedSource {
  readonly name: string;
  /** As in the metadata. */
  readonly definition: Readonly<Record<string, unknown>>;
  /** @throws EngineError where its settings cannot be resolved */
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
  /** Told what each check found; `undefined`: the source is not checked any more. */
  readonly note: (source: string, state: DatabaseState | undefined) => void;
}

export class SourceHealthChecks {
  readonly #settings: SourceHealthCheckSettings;
  /** What ends each of them, by what it is. */
  #running = new Map<string, { readonly source: string; readonly stop: () => void }>();

  constructor(settings: SourceHealthCheckSettings) {
    this.#settings = settings;
  }

  /** Checks what the metadata says now; a check that stays the same goes on. */
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
      // The database is looked up each time: it is another one when the connection changes.
      const database = () =>
        sources()
          .find((source) => source.name === name)
          ?.database();
      const check = healthCheckOf(definition);
      const stop = repeat(
        check,
        async () => {
          const asked = database();
          return asked === undefined ? undefined : ask(asked, check);
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

async function ask(database: DatabaseSource, { sql, timeoutSeconds }: HealthCheck): Promise<DatabaseState> {
  const options = { readOnly: true, ...(timeoutSeconds > 0 && { timeoutMilliseconds: timeoutSeconds * 1000 }) };
  await database.executeAlone(options, { text: sql }, []);
  return { error: null };
}

/** More often, a check would be a load of its own. */
const shortestWait = 1000;
const longestWait = 2 ** 31 - 1;

/** Runs a check, again after a failure, and anew after the interval. @returns what ends it */
function repeat(
  { intervalSeconds, retries, retrySeconds }: HealthCheck,
  check: () => Promise<DatabaseState | undefined>,
  note: (state: DatabaseState | undefined) => void,
): () => void {
  let isStopped = false;
  let timer: NodeJS.Timeout;
  const after = (seconds: number, failures: number): void => {
    const wait = Math.min(Math.max(seconds * 1000, shortestWait), longestWait);
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
