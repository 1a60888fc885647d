/** What the kinds of database spell differently about the tables of event triggers, and about finding recorders. */
import type { InstalledRecorder } from "./installed-recorder.ts";

/** Why a database refused to be changed, where that can be told. */
export type Refusal = "busy" | "forbidden" | "read-only";

/** Statements; what each answers is said where it is asked. */
export interface SourceCatalog {
  /** Steps, each a list of batches. */
  readonly migrations: readonly (readonly string[])[];
  /** Opens a transaction: others that change recorders wait for its end, and it never waits long for a lock. */
  readonly opening: readonly string[];
  /** The same inside a transaction that goes on afterwards, and may hold locks already: others give up first. */
  readonly joining: readonly string[];
  /** One row: whether the schema is there (`t` or `f`), and whether the table of versions is. */
  readonly presence: string;
  readonly createSchema: string;
  readonly createVersion: string;
  /**
   * One row: the step; the version of the metadata that was last installed, its installation, who installed it, and
   * whether that was less than a minute ago (`t` or `f`); the id of the catalogue.
   */
  readonly readVersion: string;
  /** Parameters: the step. */
  readonly writeStep: string;
  /** Parameters: version of the metadata, installation, who installs. */
  readonly writeClaim: string;
  /** Rows of name, schema, table, what is wrong with the trigger or null, text with the hash. The tables need not be there. */
  readonly installed: string;
  readonly drop: (recorder: InstalledRecorder) => readonly string[];
  /** Removes the tables, and the schema where nothing else is in it. */
  readonly removeTables: readonly string[];
  /** Makes events of all that were written together, before they are archived. Absent: none are. */
  readonly unpackAll?: string;
  /** Archives events. Parameter: a JSON list of the triggers that they are of. */
  readonly archive: string;
  /** Archives events that are to be delivered. Parameter: a JSON list of the triggers that they are not of. */
  readonly archiveOthers: string;
  /** As it is sent. */
  readonly bounded: (statement: string) => string;
  readonly refusal: (cause: unknown) => Refusal | undefined;
  /** Whether SQL failed only because recorders are there. */
  readonly isBlocked: (cause: unknown) => boolean;
}
