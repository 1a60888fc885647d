import type { Session } from "./session.ts";

/**
 * The session of a request that has passed admission. Functions that run operations require an admitted session, so
 * that an endpoint without admission does not compile.
 */
export class AdmittedSession<S extends Session = Session> {
  readonly session: S;
  /** Makes the type nominal: only instances of the class are assignable to it. */
  protected readonly isAdmitted = true;

  /** Called only by the admission guard. */
  constructor(session: S) {
    this.session = session;
  }
}
