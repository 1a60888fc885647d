/** What decides whether a session may ask at all. */
import type { AdmittedSession } from "../values/admitted-session.ts";
import type { Session } from "../values/session.ts";
import type { Client } from "./request.ts";

export interface AdmissionService {
  /**
   * Counts a request against the limits of its role, before anything is run for it.
   * @param operations how many it asks for
   * @param client where the request came from
   * @returns a promise only where other processes count along
   * @throws EngineError where it exceeds one
   */
  admit<S extends Session>(
    session: S,
    operations: number,
    client: Client,
  ): AdmittedSession<S> | Promise<AdmittedSession<S>>;
}
