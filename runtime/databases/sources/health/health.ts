/** What probes are told: whether requests can be answered, and which database stands in the way. */

import type { Log } from "../../../observe/logs/log.ts";
import type { DatabaseState, HealthService, Readiness } from "../../../ports/health.ts";
import type { Meters } from "../../../ports/metrics.ts";
import { shortage } from "../../../values/shortage.ts";
import type { DatabaseSource } from "../source.ts";
import { type CheckedDatabase, DatabaseCheck, unready } from "./database-check.ts";

export interface HealthParts {
  /** The sources that are served now. `database` throws an EngineError where the settings cannot be resolved. */
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
  /** The sources that did not answer when they were last asked. */
  readonly #unready = new Set<string>();
  /** What the health checks of the metadata last found, by source. */
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
    // Also where nobody probes: what is found is told from the next look on.
    parts.meters.onRead(() => {
      if (!this.#isStopping) void this.readiness();
    });
  }

  /** From now on probes are told to send requests elsewhere. */
  stop(): void {
    this.#isStopping = true;
    this.#unwatch();
  }

  /** Takes what a health check of the metadata found; `undefined`: the source has none any more. */
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
      const check = this.#checks.get(database) ?? new DatabaseCheck(askedBy(database));
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

  /** The log says which source it was, once, when anonymous callers are told that one is not ready. */
  #report(source: string, { error }: DatabaseState): void {
    this.#parts.meters.sourceHealth.set(healthOf(error), { source_name: source });
    if ((error !== null) === this.#unready.has(source)) return;
    if (error === null) {
      this.#unready.delete(source);
      this.#parts.log.info("unstructured", { message: "the source answers again", source });
    } else {
      this.#unready.add(source);
      this.#parts.log.warn("unstructured", { message: "the source does not answer", source, error });
    }
  }
}

const shortageStart =
  "the process is short of descriptors or memory: it takes nothing from queues, and is not ready, until that ends. Raise its limit of open files (ulimit -n), or serve fewer clients";

const shortageEnd = "the process has descriptors and memory again: it is ready, and takes from queues";

/** As the metric says it (`operations.md` 10). */
function healthOf(error: DatabaseState["error"]): number {
  if (error === null) return 0;
  if (error.code === "timeout" || /time/i.test(error.message)) return 1;
  return error.code === "unexpected" ? 3 : 2;
}

const nothing = { text: "select 1" };

function askedBy(database: DatabaseSource): CheckedDatabase {
  return { ask: () => database.ping?.() ?? database.query(nothing, []), answered: () => database.answered() };
}
