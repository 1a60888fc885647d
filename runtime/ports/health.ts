/** Whether the server can do its work. */

export interface HealthService {
  /**
   * `unreachable`: the metadata database does not answer; `inconsistent`: some metadata objects are left out;
   * `stopping`: the server is shutting down.
   */
  check(): Promise<"ok" | "inconsistent" | "unreachable" | "stopping">;
  /** Asks the databases; takes two seconds at most, whatever they do. */
  readiness(): Promise<Readiness>;
}

export interface Readiness {
  /** The server is shutting down. */
  readonly isStopping: boolean;
  /** No descriptor or memory is left to the process: requests that need another connection fail. */
  readonly isShort: boolean;
  /** Nothing is tracked, added or defined yet: every request would fail. */
  readonly isEmpty: boolean;
  /** `null`: the server needs no metadata database. */
  readonly metadata: DatabaseState | null;
  readonly sources: ReadonlyMap<string, DatabaseState>;
}

/** Whether a database answers; the error names no host and no secret. */
export interface DatabaseState {
  readonly error: { readonly code: string; readonly message: string } | null;
}
