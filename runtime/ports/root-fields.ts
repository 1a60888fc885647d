/** Execution of single root fields, for external executors. */
import type { AdmittedSession } from "../values/admitted-session.ts";
import type { GraphqlRequest, PreparedOperation } from "./graphql.ts";

export interface RootFieldService {
  /**
   * Checks whether the session may run an operation as a whole: allow-list, limits, introspection.
   * @throws EngineError
   */
  check(request: GraphqlRequest, by: AdmittedSession): Promise<void>;
  /**
   * Plans one root field of a checked operation and binds its values.
   * @param request an operation that contains only the field
   * @throws EngineError
   */
  prepare(request: GraphqlRequest, by: AdmittedSession): Promise<PreparedOperation>;
}
