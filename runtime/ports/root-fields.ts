/** Running operations root field by root field, for executors that are not the engine's own. */
import type { AdmittedSession } from "../values/admitted-session.ts";
import type { GraphqlRequest, PreparedOperation } from "./graphql.ts";

export interface RootFieldService {
  /**
   * Whether the session may send an operation, as a whole: by the allow-list, the limits, introspection.
   * @throws EngineError
   */
  check(request: GraphqlRequest, by: AdmittedSession): Promise<void>;
  /**
   * Plans one root field of an operation that was checked, and binds its values.
   * @param request an operation with nothing but the field
   * @throws EngineError
   */
  prepare(request: GraphqlRequest, by: AdmittedSession): Promise<PreparedOperation>;
}
