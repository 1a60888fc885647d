/** Runs a saved operation at a due time instead of calling a webhook. */

import type { CronTriggerDefinition, ScheduledOperation } from "../../model/definitions/schedules/cron-trigger.ts";
import type { AdmissionService } from "../../ports/admission.ts";
import type { GraphqlService } from "../../ports/graphql.ts";
import { renderError } from "../../values/error-body.ts";
import { EngineError } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";
import { parseJson } from "../../values/json/parse.ts";
import { decoded } from "../../values/response-text.ts";
import type { Session } from "../../values/session.ts";
import { underBothNames } from "../../values/session-alias.ts";
import { shortage } from "../../values/shortage.ts";
import type { CallOutcome } from "../delivery/call-webhook.ts";
import { errorResponse, requestText, webhookResponse } from "../delivery/invocation-log.ts";

export interface OperationServices {
  readonly admission: AdmissionService;
  readonly graphql: Pick<GraphqlService, "execute">;
  /** Reports unexpected exceptions. */
  readonly reportBug: (error: unknown, requestId: string) => EngineError;
  /** Second prefix of session variables that is accepted as an alias. */
  readonly alias: string | null;
}

/** Per-client rate limits count all schedules as one client. */
const client = { peer: "schedules" };

/** Runs the operation with its role, subject to the same admission as requests of the role. Never rejects. */
export async function runScheduledOperation(
  { payload }: CronTriggerDefinition,
  scheduled: ScheduledOperation,
  { admission, graphql, reportBug, alias }: OperationServices,
): Promise<CallOutcome> {
  const { operation, role, sessionVariables } = scheduled;
  const { collection, name, text } = operation;
  const about = JSON.stringify({ collection, query: name, role });
  const request = requestText({ headers: [], payload: `${about.slice(0, -1)},"variables":${payload}}` }, "1");
  try {
    const by = await admission.admit(sessionOf(role, sessionVariables, alias), 1, client);
    const data = await graphql.execute({ query: text, operationName: null, variables: variablesOf(payload) }, by);
    const response = webhookResponse({ status: 200, headers: {} }, await decoded(data), { isCut: false, version: "1" });
    return { kind: "delivered", log: { status: 200, request, response } };
  } catch (thrown) {
    if (shortage.isCauseOf(thrown)) return { kind: "unmade" };
    const error = thrown instanceof EngineError ? thrown : reportBug(thrown, "");
    const log = { status: error.status, request, response: errorResponse(renderError(error, true), "1") };
    return { kind: "failed", log, status: undefined, retryAfter: undefined };
  }
}

function sessionOf(role: string, given: Readonly<Record<string, string>>, alias: string | null): Session {
  const variables = new Map([...Object.entries(given), ["x-engine-role", role]]);
  return { role, variables: underBothNames(variables, alias), backendOnly: false };
}

/**
 * Parses the variables.
 * @throws EngineError unless the payload is an object or null
 */
function variablesOf(payload: string): Readonly<Record<string, unknown>> | null {
  const variables = parseJson(payload);
  if (variables === null) return null;
  if (isObject(variables)) return variables;
  throw new EngineError(
    "bad-request",
    "$.payload",
    "the payload of a trigger with an operation must be an object of variables",
  );
}
