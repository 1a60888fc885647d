/**
 * HTTP statuses of responses with the media type `application/graphql-response+json`, as GraphQL over HTTP (section
 * "Status Codes") recommends them.
 */
import { GraphQLError } from "graphql";
import type { EngineError } from "../values/errors.ts";

/** The status of a response with both `data`, even if it is null, and `errors`. */
export const partialSuccess = 294;

/** Statuses of errors that other endpoints report with 400. */
const statuses: Readonly<Record<string, number>> = {
  "access-denied": 403,
  "batch-limit-exceeded": 422,
  "depth-limit-exceeded": 422,
  "invalid-jwt": 401,
  "jwt-invalid-claims": 403,
  "jwt-missing-role-claims": 403,
  "node-limit-exceeded": 422,
  "parse-failed": 422,
  "permission-denied": 403,
  "validation-failed": 422,
};

/** Returns the status of a response whose operation has failed as a whole. */
export function graphqlErrorStatus({ code, status, cause, graphqlErrors }: EngineError): number {
  // Errors of a remote server are forwarded with `data: null`.
  if (graphqlErrors !== undefined) return partialSuccess;
  if (status !== 400) return Math.max(status, 400);
  // A text that is not GraphQL.
  if (cause instanceof GraphQLError) return 400;
  return Object.hasOwn(statuses, code) ? (statuses[code] ?? 400) : 400;
}
