/** Formats operations and metadata requests for the log. */
import type { Options } from "../../config/option-table.ts";
import type { GraphqlRequest } from "../../ports/graphql.ts";
import { errorBody } from "../../values/error-body.ts";
import type { EngineError } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";
import { redactor } from "../../values/redact-metadata.ts";
import { redactSecrets } from "./redact.ts";

export type ShownRequestSettings = Pick<
  Options,
  "logMaskedVariables" | "enableMetadataQueryLogging" | "httpLogQueryOnlyOnError"
>;

/** Placeholder of a hidden value. */
export const masked = "[MASKED]";

/**
 * Returns a request for the log.
 * @param names variables whose values are masked
 */
export function shownRequest({ sentNulls: _, ...request }: GraphqlRequest, names: ReadonlySet<string>): GraphqlRequest {
  const { variables } = request;
  if (variables === null || names.size === 0) return request;
  const shown = Object.entries(variables).map(([name, value]) => [name, names.has(name) ? masked : value]);
  return { ...request, variables: Object.fromEntries(shown) };
}

/** Returns a metadata request without passwords, secrets and literal headers. */
export function shownMetadataRequest(body: unknown): unknown {
  return redactSecrets(redactor()(body));
}

/** Returns an error as shown to administrators. Parameters of statements are masked if any variables are. */
export function shownError(error: EngineError, names: ReadonlySet<string>): unknown {
  const body = errorBody(error, true);
  const { internal } = body;
  const isLeftOut = names.size > 0 && isObject(internal) && internal.arguments !== undefined;
  return redactSecrets(isLeftOut ? { ...body, internal: { ...internal, arguments: masked } } : body);
}
