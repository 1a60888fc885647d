/** `/api/rest/*`: requests that stand for saved operations (`administration.md` 4.9, `automation.md` G). */

import { restMethods } from "../model/definitions/rest/endpoint.ts";
import { type RestInput, restVariables } from "../model/definitions/rest/variables.ts";
import type { AuthenticatedSession } from "../ports/authentication.ts";
import type { GraphqlRequest } from "../ports/graphql.ts";
import type { Handler, PlainRequest } from "../ports/request.ts";
import type { RestTarget } from "../ports/rest.ts";
import type { RequestServices } from "../ports/services.ts";
import { type ErrorVisibility, renderError, renderGraphqlErrorEntries, showsInternal } from "../values/error-body.ts";
import { EngineError } from "../values/errors.ts";
import { isObject } from "../values/is-object.ts";
import { parseJsonBetweenOthers } from "../values/parse-json.ts";
import type { Session } from "../values/session.ts";
import { isForm, readForm } from "./form-body.ts";
import { GivenHeaders, withGiven } from "./given-headers.ts";
import { isMultipart } from "./multipart.ts";
import { requestSession } from "./request-session.ts";
import { jsonResponse } from "./responses.ts";

export const restPrefix = "/api/rest/";

export interface RestSettings extends ErrorVisibility {
  /** Whether answers are those of `/v1/graphql` or the value of their `data` (ruling 9 of the specification). */
  readonly restResponse: "graphql" | "data";
}

export function restHandler(services: RequestServices, settings: RestSettings): Handler {
  return async (request) => {
    let session: AuthenticatedSession | null = null;
    let graphql: GraphqlRequest | undefined;
    try {
      session = requestSession(
        await services.authenticator.authenticate(request.headers, { method: request.method }),
        request,
      );
      const { variables: path, operation, path: route, run } = await findTarget(services, request);
      if (request.span.isRecording) request.span.set({ "http.route": restPrefix + route });
      const input = { query: queryOf(request), ...(await bodyOf(request, session)), path };
      graphql = { query: operation.text, operationName: null, variables: restVariables(input, operation.variables) };
      const given = new GivenHeaders();
      const data = await run(graphql, await services.admission.admit(session, 1, request), request.caller, given);
      const body = settings.restResponse === "data" ? data : `{"data":${data}}`;
      return withGiven(jsonResponse(200, body, { mode: "single", session, error: null, graphql }, given), given);
    } catch (thrown) {
      const error = thrown instanceof EngineError ? thrown : services.reportBug(thrown, request.requestId);
      const mode = graphql === undefined ? "error" : "single";
      const record = { mode, session, error, ...(graphql && { graphql }) } as const;
      if (error.graphqlErrors !== undefined) {
        return jsonResponse(200, `{"errors":[${renderGraphqlErrorEntries(error, false)}]}`, record);
      }
      return jsonResponse(error.status, renderError(error, showsInternal(settings, session)), record);
    }
  };
}

const known: ReadonlySet<string> = new Set(restMethods);
/** Methods of HTTP that no endpoint can have. */
const standard: ReadonlySet<string> = new Set(["HEAD", "OPTIONS", "TRACE", "CONNECT"]);

/** @throws EngineError unless exactly one endpoint answers */
async function findTarget({ rest }: RequestServices, { method, path }: PlainRequest): Promise<RestTarget> {
  if (!known.has(method)) {
    const isStandard = standard.has(method);
    const message = isStandard
      ? `Method ${method} not supported.`
      : "Nonstandard method not allowed for REST endpoints";
    throw new EngineError("bad-request", "$", message);
  }
  const match = await rest.find(method, path.slice(restPrefix.length).split("/").map(decodeSegment));
  switch (match.kind) {
    case "found":
      return match;
    case "not-found":
      throw new EngineError("not-found", "$", "Endpoint not found", { status: 404 });
    case "method-not-allowed": {
      const message = `Allowed methods: ${match.allowed.join(", ")}`;
      throw new EngineError("method-not-allowed", "$", message, { status: 405 });
    }
    case "ambiguous":
      throw new EngineError("unexpected", "$", "Multiple endpoints match request", { status: 500 });
  }
}

/** @throws EngineError `bad-request` where a `%` is not part of a character in UTF-8 */
function decodeSegment(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    const reason = 'write a "%" itself as "%25", and other characters as their bytes in UTF-8, percent-encoded';
    throw new EngineError("bad-request", "$", `malformed segment ${JSON.stringify(text)} in the path: ${reason}`);
  }
}

function* queryOf({ query }: PlainRequest): Iterable<readonly [string, string]> {
  for (const [name, value] of Object.entries(query)) {
    yield [name, typeof value === "string" ? value : (value[0] ?? "")];
  }
}

async function bodyOf(request: PlainRequest, session: Session): Promise<Pick<RestInput, "body" | "form">> {
  const type = request.headers["content-type"];
  if (isMultipart(type)) {
    const message = "REST endpoints take no multipart bodies: send JSON or application/x-www-form-urlencoded";
    throw new EngineError("not-supported", "$", message, { status: 415 });
  }
  const text = await request.readBody(session);
  if (isForm(type, text)) return { body: null, form: readForm(text) };
  const json = text === "" ? null : await parseJsonBetweenOthers(text);
  return { body: isObject(json) ? json : null };
}
