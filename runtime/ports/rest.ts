/** Saved operations behind paths, and the document that describes them. */

import type { RouteMatch } from "../model/definitions/rest/routes.ts";
import type { SavedOperation } from "../model/definitions/saved/operation.ts";
import type { AdmittedSession } from "../values/admitted-session.ts";
import type { Caller } from "../values/caller.ts";
import type { AnswerHeaders, GraphqlRequest } from "./graphql.ts";

/** A saved operation that a path and a method stand for. */
export interface RestTarget {
  readonly operation: SavedOperation;
  /** The path of the endpoint below `/api/rest/`, with the names of its variables: `user/:id`. */
  readonly path: string;
  /** What the path says, by the names of the endpoint's variables. */
  readonly variables: ReadonlyMap<string, string>;
  /**
   * Runs the operation and answers the JSON text of `data`'s value. A query ends when its caller is gone.
   * @throws EngineError
   */
  run(request: GraphqlRequest, by: AdmittedSession, caller?: Caller, headers?: AnswerHeaders): Promise<string>;
}

type RestMatch = Exclude<RouteMatch, { kind: "found" }> | ({ readonly kind: "found" } & RestTarget);

export interface RestService {
  /**
   * The OpenAPI document of the endpoints that a role may ask, of all for admin, as JSON text. `undefined`: nothing names
   * the role.
   */
  openApi(role: string): string | undefined;
  /** The roles that have such a document. */
  openApiRoles(): Iterable<string>;
  /** @param segments of the path below `/api/rest/`, decoded */
  find(method: string, segments: readonly string[]): Promise<RestMatch>;
}
