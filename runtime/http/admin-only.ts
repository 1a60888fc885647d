/** Restricts a handler to the role admin; errors have the form of the administration endpoints. */

import type { AuthenticatedSession } from "../ports/authentication.ts";
import type { Handler, PlainRequest, PlainResponse } from "../ports/request.ts";
import type { RequestServices } from "../ports/services.ts";
import { type ErrorVisibility, renderError, showsInternal } from "../values/error-body.ts";
import { EngineError } from "../values/errors.ts";
import { requestSession } from "./request-session.ts";
import { jsonResponse } from "./responses.ts";

/** @param respond may throw an EngineError */
export function adminOnly(
  services: RequestServices,
  visibility: ErrorVisibility,
  respond: (request: PlainRequest, session: AuthenticatedSession) => Promise<PlainResponse> | PlainResponse,
): Handler {
  return async (request) => {
    let session: AuthenticatedSession | null = null;
    try {
      session = requestSession(
        await services.authenticator.authenticate(request.headers, { method: request.method }),
        request,
      );
      if (session.role !== "admin") {
        throw new EngineError("access-denied", "$", "You have to be an admin to access this endpoint");
      }
      return await respond(request, session);
    } catch (thrown) {
      const error = thrown instanceof EngineError ? thrown : services.reportBug(thrown, request.requestId);
      const text = renderError(error, showsInternal(visibility, session));
      return jsonResponse(error.status, text, { mode: "non-graphql", session, error });
    }
  };
}
