/** Admission of sessions: rate limits of roles. */
import type { AdmittedSession } from "../values/admitted-session.ts";
import type { Session } from "../values/session.ts";
import type { Client } from "./request.ts";

export interface AdmissionService {
  /**
   * Counts a request against the limits of its role before any work is done for it.
   * @param operations number of operations in the request
   * @param client origin of the request
   * @returns a promise only if the count is shared with other processes
   * @throws EngineError if a limit is exceeded
   */
  admit<S extends Session>(
    session: S,
    operations: number,
    client: Client,
  ): AdmittedSession<S> | Promise<AdmittedSession<S>>;
}
