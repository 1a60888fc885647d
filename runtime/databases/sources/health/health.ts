/** Health and readiness for probes, per database. */

import type { Log } from "../../../observe/logs/log.ts";
import type { DatabaseState, HealthService, Readiness } from "../../../ports/health.ts";
import type { Meters } from "../../../ports/metrics.ts";
import { shortage } from "../../../values/shortage.ts";
import type { DatabaseSource } from "../source.ts";
import { type CheckedDatabase, DatabaseCheck, unready } from "./database-check.ts";

export interface HealthParts {
  /** Returns the current sources. `database` throws an EngineError if the settings cannot be resolved. */
  readonly sources: () => readonly { readonly name: string; database(): DatabaseSource }[];
  /** Absent in a sealed server. */
  readonly metadata?: CheckedDatabase & { isConsistent(): boolean; isEmpty(): boolean };
  readonly log: Log;
  readonly meters: Meters;
}

export class Health implements HealthService {
  readonly #parts: HealthParts;
  readonly #metadata: DatabaseCheck | null;
  readonly #checks = new WeakMap<DatabaseSource, DatabaseCheck>();
  /** Sources that failed their last check. */
  readonly #unready = new Set<string>();
  /** Last results of the `health_check` of the metadata, by source. */
  readonly #noted = new Map<string, DatabaseState>();
  readonly #unwatch: () => void;
  #isStopping = false;

  constructor(parts: HealthParts) {
    this.#parts = parts;
    this.#metadata = parts.metadata ? new DatabaseCheck(parts.metadata) : null;
    parts.meters.shortage.set(0);
    this.#unwatch = shortage.watch({
      began: (code) => this.#reportShortage(code),
      ended: () => this.#reportShortage(undefined),
    });
    // Keeps the gauges up to date without probes. A read returns the results of the previous check.
    parts.meters.onRead(() => {
      if (!this.#isStopping) void this.readiness();
    });
  }

  /** Reports that the server is shutting down from now on. */
  stop(): void {
    this.#isStopping = true;
    this.#unwatch();
  }

  /** Records the result of a health check; `undefined` if the source no longer has one. */
  note(source: string, state: DatabaseState | undefined): void {
    if (state === undefined) {
      this.#noted.delete(source);
    } else {
      this.#noted.set(source, state);
      this.#report(source, state);
    }
  }

  async check(): ReturnType<HealthService["check"]> {
    if (this.#isStopping) return "stopping";
    const state = await this.#metadataState();
    if (state?.error) return "unreachable";
    return this.#parts.metadata?.isConsistent() === false ? "inconsistent" : "ok";
  }

  async readiness(): Promise<Readiness> {
    const sources = this.#parts.sources().map(async ({ name, database }) => {
      const noted = this.#noted.get(name);
      const state = noted?.error ? noted : await this.#state(database);
      this.#report(name, state);
      return [name, state] as const;
    });
    const metadata = this.#metadataState();
    const states = { metadata: await metadata, sources: new Map(await Promise.all(sources)) };
    const isShort = shortage.isOn;
    return { isStopping: this.#isStopping, isShort, isEmpty: this.#parts.metadata?.isEmpty() === true, ...states };
  }

  async #metadataState(): Promise<DatabaseState | null> {
    if (this.#metadata === null) return null;
    const state = await this.#metadata.state();
    this.#parts.meters.metadataHealth.set(healthOf(state.error));
    return state;
  }

  async #state(open: () => DatabaseSource): Promise<DatabaseState> {
    try {
      const database = open();
      const check = this.#checks.get(database) ?? new DatabaseCheck(checkedDatabase(database));
      this.#checks.set(database, check);
      return await check.state();
    } catch (error) {
      return unready(error);
    }
  }

  #reportShortage(code: string | undefined): void {
    const { meters, log } = this.#parts;
    meters.shortage.set(code === undefined ? 0 : 1);
    if (code === undefined) log.info("unstructured", { message: shortageEnd });
    else log.error("unstructured", { message: shortageStart, code });
  }

  /**
   * Logs the source once when it becomes unready, because anonymous probes do not learn its name, and once when it
   * recovers.
   */
  #report(source: string, { error }: DatabaseState): void {
    this.#parts.meters.sourceHealth.set(healthOf(error), { source_name: source });
    if ((error !== null) === this.#unready.has(source)) return;
    if (error === null) {
      this.#unready.delete(source);
      this.#parts.log.info("unstructured", { message: "the source is reachable again", source });
    } else {
      this.#unready.add(source);
      this.#parts.log.warn("unstructured", { message: "the source is unreachable", source, error });
    }
  }
}

const shortageStart =
  "the process is out of file descriptors or memory: until they are available, it is not ready and takes nothing from queues. Raise its limit of open files (ulimit -n), or serve fewer clients";

const shortageEnd = "file descriptors and memory are available again: the process is ready and takes from queues";

/** Returns the value of the health gauge (`docs/reference/metrics.md`). */
function healthOf(error: DatabaseState["error"]): number {
  if (error === null) return 0;
  if (error.code === "timeout" || /time/i.test(error.message)) return 1;
  return error.code === "unexpected" ? 3 : 2;
}

const nothing = { text: "select 1" };

function checkedDatabase(database: DatabaseSource): CheckedDatabase {
  return {
    sendStatement: () => database.ping?.() ?? database.query(nothing, []),
    completed: () => database.completed(),
  };
}
