import type { Session } from "./session.ts";

/**
 * The session of a request that was counted against the limits of its role. What runs something for a role takes one
 * in place of a session, so that an endpoint without admission does not compile.
 */
export class AdmittedSession<S extends Session = Session> {
  readonly session: S;
  /** No other object has it: only the constructor makes one. */
  protected readonly isAdmitted = true;

  /** For the guard, which has counted the request. */
  constructor(session: S) {
    this.session = session;
  }
}
