/** A call of an asynchronous action that was taken from the log: asks the handler, once (`docs/actions.md`). */

import type { ActionDefinition } from "../../model/definitions/actions/action.ts";
import { type ResultType, resultTypeOf } from "../../model/definitions/actions/result-type.ts";
import type { Tracer } from "../../ports/telemetry.ts";
import { errorBody } from "../../values/error-body.ts";
import { EngineError } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";
import { stringifyJson } from "../../values/json-number.ts";
import type { Session } from "../../values/session.ts";
import { shortage } from "../../values/shortage.ts";
import type { CallResult } from "../delivery/queue.ts";
import type { QueuedAction } from "./queue.ts";
import { parseStored } from "./stored-json.ts";

/** In milliseconds: longer than that a call is not held by one instance. */
const longestCall = 29 * 60 * 1000;

/** Calls handlers of actions. */
export interface ActionHandlers {
  /**
   * @param most milliseconds that the handler may take, where the action allows more
   * @returns the answer of the handler, checked against the type
   * @throws EngineError
   */
  ask(call: ActionCall, result: ResultType, most: number): Promise<unknown>;
}

interface ActionCall {
  readonly action: ActionDefinition;
  readonly input: Readonly<Record<string, unknown>>;
  readonly session: Pick<Session, "variables" | "clientHeaders" | "span">;
  /** No client waits for the answer. */
  readonly query: null;
  /** The same for every attempt. */
  readonly id: string;
}

export interface ActionDeliveryParts {
  readonly actions: ActionHandlers;
  readonly tracer: Tracer;
  /** Told of mistakes of ours. */
  readonly reportBug: (error: unknown) => void;
}

/** Never rejects: a call ends with what the handler answered, or with the reason why it did not. */
export async function deliverAction(
  { id, lane, instance, input, headers, variables }: QueuedAction,
  action: ActionDefinition,
  { actions, tracer, reportBug }: ActionDeliveryParts,
): Promise<CallResult> {
  const result = { id, lane, instance };
  const stored = readStored(input, headers, variables);
  if (stored === undefined) return { ...result, state: "error", answer: errorText(unreadable()) };
  const { clientHeaders } = stored;
  const span = tracer.begin("async actions processor", "consumer", clientHeaders, { action_id: id, action_name: lane });
  try {
    const session = { variables: stored.variables, clientHeaders, span };
    const asked = { action, input: stored.input, session, query: null, id };
    const value = await actions.ask(asked, resultTypeOf(action), longestCall);
    return { ...result, state: "delivered", answer: stringifyJson(value) };
  } catch (error) {
    span.fail(error);
    if (shortage.isCauseOf(error)) return { ...result, state: "free" };
    if (error instanceof EngineError) return { ...result, state: "error", answer: errorText(error) };
    reportBug(error);
    return { ...result, state: "error", answer: errorText(new EngineError("unexpected", "$", "internal error")) };
  } finally {
    span.end();
  }
}

/** What is stored of an error, with what only some are shown (`docs/actions.md`). */
export function errorText(error: EngineError): string {
  const { extensions } = error;
  return stringifyJson({ ...errorBody(error, true), ...(extensions !== undefined && { extensions }) });
}

/** Returns `undefined` for a row that this engine did not write. */
function readStored(input: string, headers: string, variables: string) {
  try {
    return {
      input: objectOf(input),
      clientHeaders: textsOf(headers),
      variables: new Map(Object.entries(textsOf(variables))),
    };
  } catch {
    return undefined;
  }
}

const unreadable = (): EngineError => new EngineError("unexpected", "$", "the stored call cannot be read");

function objectOf(text: string): Readonly<Record<string, unknown>> {
  const value = parseStored(text);
  return isObject(value) ? value : {};
}

function textsOf(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(objectOf(text)).map(([name, value]) => [name, String(value)]));
}
