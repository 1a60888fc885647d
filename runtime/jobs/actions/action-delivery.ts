/**
 * Delivers calls of asynchronous actions from their queue in the metadata database, with the delivery loop of events.
 */
import type { ActionDefinition } from "../../model/definitions/actions/action.ts";
import { type ResultType, resultTypeOf } from "../../model/definitions/actions/result-type.ts";
import type { Log } from "../../observe/logs/log.ts";
import type { Tracer } from "../../ports/telemetry.ts";
import { errorBody } from "../../values/error-body.ts";
import { EngineError } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";
import { stringifyJson } from "../../values/json-number.ts";
import type { Session } from "../../values/session.ts";
import { shortage } from "../../values/shortage.ts";
import type { AutomationDatabase } from "../delivery/database.ts";
import { type Lane, nextAttempt } from "../delivery/deliver.ts";
import { DeliveryLoop } from "../delivery/delivery-loop.ts";
import type { LeaseParts } from "../delivery/lease.ts";
import type { CallResult } from "../delivery/queue.ts";
import { serverInstances } from "../delivery/server-instances.ts";
import { Slots } from "../delivery/slots.ts";
import { withEngineErrors } from "./log-error.ts";
import { ActionQueue, type QueuedAction } from "./queue.ts";
import { parseStored } from "./stored-json.ts";

export interface ActionDeliverySettings {
  readonly database: AutomationDatabase;
  readonly actions: ActionHandlers;
  /** Maximum number of concurrent calls. */
  readonly maxConcurrentCalls: number;
  /** Maximum number of calls claimed in one batch. */
  readonly batchSize: number;
  readonly intervalMilliseconds: number;
  readonly log: Log;
  readonly tracer: Tracer;
  /** Called after results have been written. */
  readonly onEnded: () => void;
  /** For tests. */
  readonly lease?: Pick<LeaseParts, "clocks" | "times">;
}

interface ActionLane extends Lane {
  readonly action: ActionDefinition;
}

export class ActionDelivery {
  readonly #loop: DeliveryLoop<QueuedAction, ActionLane>;
  #hasStarted = false;

  constructor(settings: ActionDeliverySettings) {
    const {
      actions,
      maxConcurrentCalls: callsAtOnce,
      batchSize,
      intervalMilliseconds,
      log,
      tracer,
      onEnded,
      lease,
    } = settings;
    const database = withEngineErrors(settings.database);
    const reportBug = (error: unknown): void => log.error("unhandled-internal-error", { error });
    const refused = ({ message }: EngineError): string =>
      errorText(new EngineError("unexpected", "$", "the response cannot be stored", { internal: { error: message } }));
    this.#loop = new DeliveryLoop<QueuedAction, ActionLane>({
      queue: new ActionQueue({ database, instances: serverInstances(database), refused }),
      slots: new Slots(callsAtOnce),
      deliver: (call, { action }) => deliverAction(call, action, { actions, tracer, reportBug }),
      batchSize,
      intervalMilliseconds,
      log,
      onWritten: onEnded,
      ignoresBacklog: true,
      ...(lease && { lease }),
    });
  }

  /** Sets the actions to deliver. The queue is not read until there is at least one action. */
  setActions(actions: readonly ActionDefinition[]): void {
    this.#loop.setLanes(actions.map((action) => ({ name: action.name, isOrdered: false, action })));
    if (this.#hasStarted || actions.length === 0) return;
    this.#hasStarted = true;
    this.#loop.start();
  }

  /** Wakes the loop: new calls may have been queued. */
  wake(): void {
    this.#loop.wake();
  }

  /** Waits up to `milliseconds` for calls in flight, then releases the remaining calls. Never rejects. */
  async stop(milliseconds: number): Promise<void> {
    if (this.#hasStarted) await this.#loop.stop(milliseconds);
  }
}

// Delivers one queued call of an asynchronous action to its handler (`docs/how-to/actions.md`).

/** Maximum duration of a call in milliseconds: less than the 30 minutes after which a claimed call is released. */
const maxCallMilliseconds = 29 * 60 * 1000;

/** Calls handlers of actions. */
interface ActionHandlers {
  /**
   * Calls the handler of an action.
   * @param maxMilliseconds maximum timeout in milliseconds, if the timeout of the action is longer
   * @returns the response of the handler, validated against the output type, or the failure of the attempt
   * @throws EngineError if the request cannot be made
   */
  callHandler(call: ActionCall, result: ResultType, maxMilliseconds: number): Promise<HandlerOutcome>;
}

export type HandlerOutcome =
  | { readonly value: unknown }
  | {
      readonly error: EngineError;
      /** `undefined` if there was no response. */
      readonly status: number | undefined;
      /** The `Retry-After` header of the response, unparsed. */
      readonly retryAfter: string | undefined;
    };

interface ActionCall {
  readonly action: ActionDefinition;
  readonly input: Readonly<Record<string, unknown>>;
  readonly session: Pick<Session, "variables" | "clientHeaders" | "span">;
  /** An asynchronous call has no GraphQL query to forward. */
  readonly query: null;
  /** Call id, the same for every attempt. */
  readonly id: string;
}

interface ActionDeliveryParts {
  readonly actions: ActionHandlers;
  readonly tracer: Tracer;
  /** Reports unexpected exceptions. */
  readonly reportBug: (error: unknown) => void;
}

/** Calls the handler and returns the result: its response or an error. Never rejects. */
async function deliverAction(
  { id, lane, instance, tries, input, headers, variables }: QueuedAction,
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
    const actionCall = { action, input: stored.input, session, query: null, id };
    const outcome = await actions.callHandler(actionCall, resultTypeOf(action), maxCallMilliseconds);
    if ("value" in outcome) return { ...result, state: "delivered", answer: stringifyJson(outcome.value) };
    const { error } = outcome;
    span.fail(error);
    if (shortage.isCauseOf(error)) return { ...result, state: "free" };
    const answer = errorText(error);
    const waitSeconds = nextCall(outcome, tries, action);
    if (waitSeconds === undefined) return { ...result, state: "error", answer };
    return { ...result, state: "retry", waitSeconds, answer };
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

/**
 * Returns the seconds until the next attempt, or `undefined` if there is none. A 2xx response is final even if it is
 * invalid: the handler has done its work.
 */
function nextCall(
  failure: Exclude<HandlerOutcome, { readonly value: unknown }>,
  tries: number,
  { handler: { retries, timeoutSeconds } }: ActionDefinition,
): number | undefined {
  const { status, retryAfter } = failure;
  if (retries === undefined || (status !== undefined && status >= 200 && status < 300)) return undefined;
  return nextAttempt({ tries, status, retryAfter }, { ...retries, timeoutSeconds }, Math.random);
}

/** Serializes an error for the log, including details that only privileged callers see (`docs/how-to/actions.md`). */
function errorText(error: EngineError): string {
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
