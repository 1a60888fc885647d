/** REST endpoints for saved operations, and their OpenAPI document. */

import type { RouteMatch } from "../model/definitions/rest/routes.ts";
import type { SavedOperation } from "../model/definitions/saved/operation.ts";
import type { OpenApiForm } from "../model/openapi/document.ts";
import type { AdmittedSession } from "../values/admitted-session.ts";
import type { Caller } from "../values/caller.ts";
import type { ResponseText } from "../values/response-text.ts";
import type { GraphqlRequest, ResponseBuilder } from "./graphql.ts";

/** The endpoint for a path and method, with its saved operation. */
export interface RestTarget {
  readonly operation: SavedOperation;
  /** Path template of the endpoint below `/api/rest/`: `user/:id`. */
  readonly path: string;
  /** Values of the path variables, by name. */
  readonly variables: ReadonlyMap<string, string>;
  /**
   * Runs the operation and returns the JSON text of `data`. A query is cancelled when its caller disconnects.
   * @throws EngineError
   */
  run(request: GraphqlRequest, by: AdmittedSession, caller?: Caller, headers?: ResponseBuilder): Promise<ResponseText>;
}

type RestMatch = Exclude<RouteMatch, { kind: "found" }> | ({ readonly kind: "found" } & RestTarget);

export interface RestService {
  /**
   * Returns the OpenAPI document of the endpoints that a role may use, or of all endpoints for admin, as JSON text.
   * Returns `undefined` for an unknown role.
   */
  openApi(role: string, form: OpenApiForm): string | undefined;
  /** Returns the roles with an OpenAPI document. */
  openApiRoles(): Iterable<string>;
  /**
   * Finds the endpoint of a request.
   * @param segments decoded segments of the path below `/api/rest/`
   */
  find(method: string, segments: readonly string[]): Promise<RestMatch>;
}
