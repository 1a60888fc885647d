/** What the log shows of operations and of requests for metadata, where it is told to show them at all. */
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

/** Stands in place of a value that is not shown. */
export const masked = "[MASKED]";

/** @param names variables whose values are left out */
export function shownRequest({ sentNulls: _, ...request }: GraphqlRequest, names: ReadonlySet<string>): GraphqlRequest {
  const { variables } = request;
  if (variables === null || names.size === 0) return request;
  const shown = Object.entries(variables).map(([name, value]) => [name, names.has(name) ? masked : value]);
  return { ...request, variables: Object.fromEntries(shown) };
}

/** A request for metadata without passwords, secrets and literal headers. */
export function shownMetadataRequest(body: unknown): unknown {
  return redactSecrets(redactor()(body));
}

/** An error as administrators see it; values of a statement are left out where variables are. */
export function shownError(error: EngineError, names: ReadonlySet<string>): unknown {
  const body = errorBody(error, true);
  const { internal } = body;
  const isLeftOut = names.size > 0 && isObject(internal) && internal.arguments !== undefined;
  return redactSecrets(isLeftOut ? { ...body, internal: { ...internal, arguments: masked } } : body);
}
