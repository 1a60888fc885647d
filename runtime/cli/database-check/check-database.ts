/** The database that a check runs in. */
import type { SourceKind } from "../../../compiler/catalog/model.ts";
import type { Setup } from "./suites.ts";

/** Properties of the server and the database, without names of users, hosts and databases. */
export type ServerFacts = Readonly<Record<string, string | number | boolean | null>>;

export interface Target {
  readonly kind: SourceKind;
  /** URL of the database, for the engine. Contains a password: do not log. */
  readonly url: string;
  /** URL of the metadata database. */
  readonly metadataUrl: string;
  /** Starts another metadata database, if the engine cannot store its metadata in this one. */
  readonly otherMetadata?: () => Promise<string>;
  readonly facts: ServerFacts;
  /**
   * Removes everything in the database, then runs the SQL of a setup.
   * @returns statements that the server refused, with its errors
   */
  reset(setup: Pick<Setup, "schema" | "unprivileged">): Promise<readonly string[]>;
  /** Runs SQL on a separate connection. */
  sql(text: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /**
   * Runs SQL in a transaction on a separate connection.
   * @returns function that commits it
   */
  hold(text: string): Promise<() => Promise<void>>;
  /** Drops the database, or empties the one of the URL. */
  close(): Promise<void>;
}
