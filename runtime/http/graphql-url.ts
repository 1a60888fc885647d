/** Query string of `GET /v1/graphql` → checked request (ruling 32 of the specification). */
import type { PlainRequest } from "../ports/request.ts";
import { EngineError, pathTo } from "../values/errors.ts";
import { isObject } from "../values/is-object.ts";
import { parseJson } from "../values/parse-json.ts";
import { type GraphqlBody, persistedQueryNotSupported, readGraphqlRequest } from "./graphql-body.ts";

export type UrlParameters = PlainRequest["query"];

/** @throws EngineError `parse-failed`, `invalid-json` at the parameter that is wrong */
export function readGraphqlUrl(parameters: UrlParameters): GraphqlBody {
  const query = parameter(parameters, "query");
  if (query === undefined && asksForPersisted(parameters)) {
    return { mode: "single", item: persistedQueryNotSupported() };
  }
  const operationName = parameter(parameters, "operationName") || undefined;
  const variables = jsonParameter(parameters, "variables") ?? undefined;
  const item = readGraphqlRequest({ query, operationName, variables }, "$");
  return { mode: "single", item };
}

function asksForPersisted(parameters: UrlParameters): boolean {
  const extensions = jsonParameter(parameters, "extensions");
  return isObject(extensions) && Object.hasOwn(extensions, "persistedQuery");
}

/** An empty one says as much as none. */
function jsonParameter(parameters: UrlParameters, name: string): unknown {
  const text = parameter(parameters, name);
  if (!text) return null;
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const message = `the parameter "${name}" is no JSON: ${error.message}`;
    throw new EngineError(error.code, pathTo("$", name), message, { cause: error });
  }
}

function parameter(parameters: UrlParameters, name: string): string | undefined {
  const value = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
  if (value === undefined || typeof value === "string") return value;
  throw new EngineError("parse-failed", pathTo("$", name), `the parameter "${name}" is given several times`);
}
