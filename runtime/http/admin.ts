/** `POST /v1/metadata`, `/v1/query`, `/v2/query`: JSON in, JSON out; what may be asked by whom is the service's to say. */

import type { AdminEndpoint } from "../ports/administration.ts";
import type { AuthenticatedSession } from "../ports/authentication.ts";
import type { Handler, RequestRecord } from "../ports/request.ts";
import type { Services } from "../ports/services.ts";
import { unexpectedKind } from "../values/describe-json.ts";
import { type ErrorVisibility, renderError, showsInternal } from "../values/error-body.ts";
import { EngineError } from "../values/errors.ts";
import { isObject } from "../values/is-object.ts";
import { stringifyJson } from "../values/json-number.ts";
import { parseAsWritten } from "../values/parse-json.ts";
import { prefersGraphqlResponse } from "./media-type.ts";
import { ReadBases } from "./read-bases.ts";
import { requestSession } from "./request-session.ts";
import { jsonResponse } from "./responses.ts";
import { withWarnings } from "./warning-header.ts";

export function adminHandler(services: Services, visibility: ErrorVisibility, endpoint: AdminEndpoint): Handler {
  return async (request) => {
    let session: AuthenticatedSession | null = null;
    let operation: Pick<RequestRecord, "operationType" | "metadata"> = {};
    try {
      session = requestSession(
        await services.authenticator.authenticate(request.headers, { method: request.method }),
        request,
      );
      const body = parseAsWritten(await request.readBody(session));
      if (!isObject(body)) throw unexpectedKind("Object", "Object", body, "$");
      operation = { ...(typeof body.type === "string" && { operationType: body.type }), metadata: body };
      const basis = new ReadBases();
      const text = stringifyJson(await services.metadata.handle(endpoint, body, session, request, basis));
      const record = { mode: "non-graphql", session, error: null, ...operation } as const;
      const response = jsonResponse(200, text, record, basis);
      return endpoint === "/v1/metadata" ? withWarnings(response, services.metadata.notices(body)) : response;
    } catch (thrown) {
      const error = thrown instanceof EngineError ? thrown : services.reportBug(thrown, request.requestId);
      const text = renderError(error, showsInternal(visibility, session), {
        hint: session?.role === "admin" && (visibility.devMode || prefersGraphqlResponse(request.headers)),
      });
      return jsonResponse(error.status, text, { mode: "non-graphql", session, error, ...operation });
    }
  };
}
