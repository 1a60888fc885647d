/** Converts the response of an action handler to a value, or to the error for the client (`docs/how-to/actions.md`). */
import type { ActionDefinition } from "../../model/definitions/actions/action.ts";
import type { ResultType } from "../../model/definitions/actions/result-type.ts";
import { transformBudget } from "../../model/templates/budget.ts";
import type { JsonValue } from "../../model/templates/json-value.ts";
import type { Outcome } from "../../model/templates/template-error.ts";
import { type ResponseBody, transformResponse } from "../../model/templates/transform-response.ts";
import type { HttpReply } from "../../outbound/http-call.ts";
import { callFailure } from "../../outbound/http-client.ts";
import type { ErrorCode } from "../../values/error-codes.ts";
import { EngineError, foreignCode } from "../../values/errors.ts";
import { runUntilFirstYield } from "../../values/interruptible.ts";
import { isObject } from "../../values/is-object.ts";
import { parseJson, parseJsonInSlices } from "../../values/json/parse.ts";
import { type HandlerRequest, requestInfo } from "./handler-request.ts";
import { responseFault } from "./validate-response.ts";

/** A call, as described in `internal` of errors. */
export interface HandlerCall {
  readonly action: ActionDefinition;
  readonly request: HandlerRequest;
  /** Time at which the call times out, on the clock of `performance.now`. */
  readonly end: number;
}

/** Returns the error for a handler that did not respond. */
export function unreachable(call: HandlerCall, error: unknown): EngineError {
  const internal = { error: callFailure(error), request: infoOf(call), response: null };
  const details = { status: 500, internal, cause: error };
  return new EngineError("unexpected", "$", "http exception when calling webhook", details);
}

/**
 * Returns the validated value of the response; a promise for long responses.
 * @throws EngineError
 */
export function handlerResult(call: HandlerCall, reply: HttpReply, result: ResultType): unknown | Promise<unknown> {
  let body: unknown;
  try {
    body = parseJsonInSlices(reply.text);
  } catch (error) {
    return failInvalidJson(call, reply, error);
  }
  if (!(body instanceof Promise)) return checkedValue(call, reply, body, result);
  return body.then(
    (value) => checkedValue(call, reply, value, result),
    (error: unknown) => failInvalidJson(call, reply, error),
  );
}

function failInvalidJson(call: HandlerCall, reply: HttpReply, error: unknown): never {
  if (!(error instanceof EngineError)) throw error;
  throw failure(call, reply, "not a valid json response from webhook", { error: `invalid JSON: ${error.message}` });
}

function checkedValue(
  call: HandlerCall,
  reply: HttpReply,
  body: unknown,
  result: ResultType,
): unknown | Promise<unknown> {
  const value = call.request.transforms.response ? transformedValue(call, reply, body) : body;
  if (value instanceof Promise) return value.then((transformed) => accepted(call, reply, transformed, result));
  return accepted(call, reply, value, result);
}

function accepted(call: HandlerCall, reply: HttpReply, value: unknown, result: ResultType): unknown {
  const { status } = reply;
  if (status >= 400 && status < 500) throw clientError(call, reply, value);
  if (status < 200 || status >= 300) {
    const error = `expecting 2xx or 4xx status code, but found ${status}`;
    throw failure(call, reply, "internal error", { error });
  }
  const fault = responseFault(value, result);
  if (fault !== undefined) throw failure(call, reply, fault, { error: "unexpected response", status: 400 });
  return value;
}

interface FailureDetails {
  /** The error, which only `internal` contains. */
  readonly error: unknown;
  readonly status?: number;
  readonly code?: ErrorCode;
}

function failure(call: HandlerCall, reply: HttpReply, message: string, details: FailureDetails): EngineError {
  const { error, status = 500, code = "unexpected" } = details;
  const internal = { error, request: infoOf(call), response: responseInfo(reply) };
  return new EngineError(code, "$", message, { status, internal });
}

function infoOf({ action, request: { payload, call, original } }: HandlerCall) {
  return requestInfo(action, payload(), original && (call.body ?? null));
}

function responseInfo({ status, text, headers }: HttpReply) {
  const listed = Object.entries(headers).flatMap(([name, value = ""]) =>
    [value].flat().map((each) => ({ name, value: each })),
  );
  return { status, body: bodyOf(text), headers: listed };
}

/** Parses the text as JSON if possible. */
function bodyOf(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

function transformedValue(call: HandlerCall, reply: HttpReply, value: unknown): unknown | Promise<unknown> {
  const { transforms, original, payload } = call.request;
  if (!transforms.response) return value;
  const use = (outcome: Outcome<ResponseBody>): unknown => {
    if (!outcome.ok)
      throw failure(call, reply, "Response Transformation Failed", { error: { errors: outcome.errors } });
    switch (outcome.value.kind) {
      case "unchanged":
        return value;
      case "none":
        return null;
      case "json":
        return outcome.value.value;
    }
  };
  if (!transforms.response.ok) return use(transforms.response);
  const response = {
    status: reply.status,
    body: value as JsonValue,
    sessionVariables: payload().session_variables,
    request: original,
  };
  const budget = transformBudget(call.end - performance.now());
  const outcome = runUntilFirstYield(transformResponse(transforms.response.value, response, budget));
  return outcome instanceof Promise ? outcome.then(use) : use(outcome);
}

/** Converts an error response of the handler: `{message, code?, extensions?}`. */
function clientError(call: HandlerCall, reply: HttpReply, body: unknown): EngineError {
  const malformed = (reason: string) =>
    failure(call, reply, reason, { error: "unexpected response", status: 400, code: "parse-failed" });
  if (!isObject(body)) return malformed("parsing the error of the action webhook failed, expected an object");
  const { message, code = null, extensions = null } = body;
  if (message === undefined) return malformed('key "message" not found');
  if (typeof message !== "string") return malformed('the value of "message" is not a string');
  if (code !== null && typeof code !== "string") return malformed('the value of "code" is not a string');
  const details = { status: reply.status, ...(extensions !== null && { extensions }) };
  return new EngineError(code === null ? "unexpected" : foreignCode(code), "$", message, details);
}
