/**
 * Runs saved operations as REST endpoints (`/api/rest/*`), and refuses paths that match no endpoint, such as paths
 * without a required parameter.
 */
import { restMethods } from "../model/definitions/rest/endpoint.ts";
import { type RestInput, restVariables } from "../model/definitions/rest/variables.ts";
import type { AuthenticatedSession } from "../ports/authentication.ts";
import type { GraphqlRequest } from "../ports/graphql.ts";
import type { Handler, PlainRequest } from "../ports/request.ts";
import type { RestTarget } from "../ports/rest.ts";
import type { RequestServices } from "../ports/services.ts";
import {
  type ErrorVisibility,
  renderError,
  renderGraphqlErrorEntries,
  renderResponse,
  showsInternal,
} from "../values/error-body.ts";
import { EngineError } from "../values/errors.ts";
import { isObject } from "../values/is-object.ts";
import { parseJsonInSlices } from "../values/json/parse.ts";
import type { Session } from "../values/session.ts";
import { CollectedHeaders, withCollected } from "./collected-headers.ts";
import { isMultipart } from "./multipart.ts";
import { requestSession } from "./request-session.ts";
import { jsonResponse } from "./responses.ts";

export const restPrefix = "/api/rest/";

export interface RestSettings extends ErrorVisibility {
  /** `graphql`: responses as from `/v1/graphql`; `data`: only the value of `data`. */
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
      const collected = new CollectedHeaders();
      const data = await run(graphql, await services.admission.admit(session, 1, request), request.caller, collected);
      const [error = null] = collected.errors;
      const isData = settings.restResponse === "data";
      // The response consists only of the data and cannot contain errors.
      if (isData && error !== null) throw error;
      const body = isData ? data : renderResponse(data, collected.errors, showsInternal(settings, session));
      return withCollected(jsonResponse(200, body, { mode: "single", session, error, graphql }, collected), collected);
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
/** HTTP methods that no endpoint can have. */
const standard: ReadonlySet<string> = new Set(["HEAD", "OPTIONS", "TRACE", "CONNECT"]);

/** @throws EngineError unless exactly one endpoint matches */
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

/** @throws EngineError `bad-request` for an invalid percent encoding */
function decodeSegment(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    const reason = 'encode "%" as "%25" and other characters as percent-encoded UTF-8';
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
    const message = "REST endpoints do not accept multipart bodies; send JSON or application/x-www-form-urlencoded";
    throw new EngineError("not-supported", "$", message, { status: 415 });
  }
  const text = await request.readBody(session);
  if (isForm(type, text)) return { body: null, form: readForm(text) };
  const json = text === "" ? null : await parseJsonInSlices(text);
  return { body: isObject(json) ? json : null };
}

// Bodies of type `application/x-www-form-urlencoded`.

/** Limit in characters, which limits decoding to a few milliseconds. */
const maxFormLength = 1024 * 1024;
const maxFields = 1000;

const formType = /^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i;

/**
 * Returns true if the body is a form. Excludes JSON, because `curl -d` labels every body as a form; an encoded form
 * contains no braces.
 */
function isForm(contentType: string | undefined, body: string): boolean {
  return contentType !== undefined && formType.test(contentType) && !/^\s*\{/.test(body);
}

/**
 * Returns the fields in order; a name may occur several times.
 * @throws EngineError with status 413 if the form exceeds the limits
 */
function readForm(body: string): Iterable<readonly [name: string, text: string]> {
  if (body.length > maxFormLength) throw tooMuch(`${maxFormLength} characters`);
  if (body.split("&", maxFields + 1).length > maxFields) throw tooMuch(`${maxFields} fields`);
  return new URLSearchParams(body);
}

function tooMuch(bound: string): EngineError {
  return new EngineError("bad-request", "$", `a form is limited to ${bound}; send the values as JSON`, { status: 413 });
}
