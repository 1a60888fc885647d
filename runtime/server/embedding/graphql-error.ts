/** Errors in the form that executors answer with; they add where in the answer it happened. */
import { GraphQLError } from "graphql";
import type { RequestServices } from "../../ports/services.ts";
import { type ErrorVisibility, errorBody, showsInternal } from "../../values/error-body.ts";
import { EngineError } from "../../values/errors.ts";
import type { Session } from "../../values/session.ts";

export interface ErrorParts extends Pick<RequestServices, "reportBug"> {
  readonly visibility: ErrorVisibility;
}

/** What a root field fails with. @param session `null`: nobody that is known */
export function fieldError(thrown: unknown, session: Session | null, parts: ErrorParts): GraphQLError {
  return asGraphqlError(known(thrown, parts), session, parts);
}

/** What a request fails with that nobody can be told from, with the status for its answer: servers understand `http`. */
export function authenticationError(thrown: unknown, parts: ErrorParts): GraphQLError {
  const error = known(thrown, parts);
  return asGraphqlError(error, null, parts, { http: { status: error.status } });
}

const known = (thrown: unknown, { reportBug }: ErrorParts): EngineError =>
  thrown instanceof EngineError ? thrown : reportBug(thrown, "");

function asGraphqlError(
  error: EngineError,
  session: Session | null,
  { visibility }: ErrorParts,
  more: Readonly<Record<string, unknown>> = {},
): GraphQLError {
  const { error: message, ...extensions } = errorBody(error, showsInternal(visibility, session));
  return new GraphQLError(message, { extensions: { ...extensions, ...more } });
}
