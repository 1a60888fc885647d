/** The SQL that differs by kind of database for the tables of event triggers and for finding recorders. */
import type { InstalledRecorder } from "./installed-recorder.ts";

/** The reason why a database rejected a change, if it can be identified. */
export type Refusal = "busy" | "forbidden" | "read-only";

/** Statements of one kind of database. */
export interface SourceCatalog {
  /** Migration steps, each a list of batches. */
  readonly migrations: readonly (readonly string[])[];
  /** Reversals of the steps, in the same order. `undefined` if a step has none. */
  readonly reversals: readonly (string | undefined)[];
  /** Counts instances that were alive in the last seconds. Parameter: the seconds. */
  readonly liveInstances: string;
  /** Opens a transaction: waits for other transactions that change recorders, and sets a short lock timeout. */
  readonly opening: readonly string[];
  /**
   * The same as `opening` for a transaction that continues afterwards and may hold locks. Its lock timeout is longer,
   * so that other transactions fail first.
   */
  readonly joining: readonly string[];
  /** Returns one row with two flags, `t` or `f`: the schema exists, the table of versions exists. */
  readonly presence: string;
  readonly createSchema: string;
  readonly createVersion: string;
  /**
   * Returns one row: the step; the metadata version of the last installation, the installation, its instance, and
   * whether it is less than a minute old (`t` or `f`); the catalog id.
   */
  readonly readVersion: string;
  /** Parameter: the step. */
  readonly writeStep: string;
  /** Parameters: metadata version, installation, instance. */
  readonly writeClaim: string;
  /** Returns name, schema, table, fault of the trigger or null, and text with the hash. Works without the tables. */
  readonly installed: string;
  readonly drop: (recorder: InstalledRecorder) => readonly string[];
  /** Removes the tables, and the schema if it is empty. */
  readonly removeTables: readonly string[];
  /** Unpacks all packed events before they are archived. Absent if the database has none. */
  readonly unpackAll?: string;
  /** Archives the events of some triggers. Parameter: a JSON list of triggers. */
  readonly archive: string;
  /** Archives the pending events of all other triggers. Parameter: a JSON list of triggers. */
  readonly archiveOthers: string;
  /** Returns the statement with a limit on its lock wait. */
  readonly bounded: (statement: string) => string;
  readonly refusal: (cause: unknown) => Refusal | undefined;
  /** Returns true if SQL failed only because recorders exist. */
  readonly isBlocked: (cause: unknown) => boolean;
}
