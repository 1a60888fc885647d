/** Health and readiness of the server. */

export interface HealthService {
  /**
   * `unreachable`: the metadata database does not respond. `inconsistent`: some metadata objects are inconsistent.
   * `stopping`: the server is shutting down.
   */
  check(): Promise<"ok" | "inconsistent" | "unreachable" | "stopping">;
  /** Checks the databases, with a timeout of two seconds. */
  readiness(): Promise<Readiness>;
}

export interface Readiness {
  /** True if the server is shutting down. */
  readonly isStopping: boolean;
  /** True if the process is out of file descriptors or memory. Requests that need another connection fail. */
  readonly isShort: boolean;
  /** True if the metadata is empty, so that every request fails. */
  readonly isEmpty: boolean;
  /** `null` if the server needs no metadata database. */
  readonly metadata: DatabaseState | null;
  readonly sources: ReadonlyMap<string, DatabaseState>;
}

/** State of a database. The error contains no host and no secret. */
export interface DatabaseState {
  readonly error: { readonly code: string; readonly message: string } | null;
}
