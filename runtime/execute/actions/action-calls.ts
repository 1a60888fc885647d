/** Resolves fields of actions: binds values, calls the handler, and reads related tables for its response. */

import type { HandlerOutcome } from "../../jobs/actions/action-delivery.ts";
import { type ActionLog, shownErrors } from "../../jobs/actions/action-log.ts";
import type { Wait } from "../../jobs/actions/end-watch.ts";
import type { ResultType } from "../../model/definitions/actions/result-type.ts";
import { type ActionPlan, type OutputRead, placeVariable } from "../../model/planner/action-plan.ts";
import { argumentValues } from "../../model/planner/request/action/arguments.ts";
import type { Log } from "../../observe/logs/log.ts";
import type { HttpCall, HttpReply } from "../../outbound/http-call.ts";
import type { HttpClient } from "../../outbound/http-client.ts";
import { multipartBody } from "../../outbound/multipart-body.ts";
import type { ResponseBuilder } from "../../ports/graphql.ts";
import { type Meters, noMeters } from "../../ports/metrics.ts";
import type { ErrorVisibility } from "../../values/error-body.ts";
import { EngineError } from "../../values/errors.ts";
import { parseDatabaseJson } from "../../values/json/parse.ts";
import type { Session } from "../../values/session.ts";
import { type FileAtPath, filesIn } from "../../values/uploaded-file.ts";
import { type HandlerInput, type HandlerRequest, handlerRequest, type RequestSettings } from "./handler-request.ts";
import { type HandlerCall, handlerResult, unreachable } from "./handler-result.ts";
import { objectsOfPlaces } from "./objects-of-places.ts";
import { outputText, type RelatedRows } from "./output-text.ts";
import { isUsualResponse } from "./usual-response.ts";

export interface ActionCallsSettings extends RequestSettings {
  readonly client: Pick<HttpClient, "callThen">;
  readonly log: Log;
  readonly meters?: Meters;
  /** If true, payloads and responses are not logged. */
  readonly redactLogs: boolean;
  /** Determines which roles see internal details of failed asynchronous calls. */
  readonly visibility: ErrorVisibility;
  /** Calls of asynchronous actions; `undefined` without a metadata database. */
  readonly calls: ActionLog | undefined;
}

type Variables = Readonly<Record<string, unknown>>;

export interface BoundAction {
  readonly plan: ActionPlan;
  readonly input: Variables;
  readonly variables: Variables;
  readonly session: Session;
  /** The document that the client sent. */
  readonly query: string;
  readonly files: readonly FileAtPath[];
}

export interface RunAction {
  /** Remaining time of the operation in milliseconds; the timeout of the handler also applies. */
  readonly milliseconds?: number | undefined;
  readonly response?: ResponseBuilder | undefined;
  /**
   * Reads related tables.
   * @returns one row with the text of each column
   */
  readonly read: (read: OutputRead, variables: Variables) => Promise<readonly (string | null)[]>;
}

export class ActionCalls {
  readonly #settings: ActionCallsSettings;
  readonly #meters: Meters;

  constructor(settings: ActionCallsSettings) {
    this.#settings = settings;
    this.#meters = settings.meters ?? noMeters;
  }

  /**
   * Binds values before any handler is called.
   * @param hasFiles true if the values contain files
   * @throws EngineError `validation-failed`
   */
  bind(
    plan: ActionPlan,
    variables: Variables,
    { session, query, hasFiles = false }: Pick<BoundAction, "session" | "query"> & { readonly hasFiles?: boolean },
  ): BoundAction {
    const input = argumentValues(plan.call.input, variables);
    const files = hasFiles ? filesIn(input, "input") : [];
    if (files.length > 0) checkTakesFiles(plan.call);
    return { plan, input, variables, session, query, files };
  }

  /**
   * Calls the handler and reads related tables. For asynchronous actions, starts the call or returns its state.
   * @returns the JSON text of the field's value
   * @throws EngineError
   */
  run(bound: BoundAction, options: RunAction): Promise<string> {
    switch (bound.plan.call.use) {
      case "start_action":
        return this.#start(bound);
      case "action_result":
        return this.#result(bound).then((value) => valueText(bound, value, options.read));
      default:
        return this.#callForClient(bound, options);
    }
  }

  /**
   * Waits until the asynchronous call that a field selects has ended.
   * @returns `undefined` if the call has ended, or does not belong to the session
   * @throws EngineError
   */
  async waitFor({ plan: { call }, input, session }: BoundAction): Promise<Wait | undefined> {
    if (call.use !== "action_result") return undefined;
    const found = await this.#calls().find(call.action, input.id, session);
    return found && !found.hasEnded ? this.#calls().ends.wait(found.id) : undefined;
  }

  /**
   * Calls the handler of a queued asynchronous call.
   * @param maxMilliseconds upper bound in addition to the timeout of the handler
   * @returns the validated response, or the failure of the attempt
   * @throws EngineError if the request cannot be made
   */
  callHandler(handlerInput: HandlerInput, result: ResultType, maxMilliseconds: number): Promise<HandlerOutcome> {
    let isUnreachable = false;
    const onUnreachable = () => {
      isUnreachable = true;
    };
    const outcome = this.#call<HandlerOutcome>(
      handlerInput,
      { maxMilliseconds, files: none, onUnreachable },
      async (call, reply) => {
        try {
          return { value: await handlerResult(call, reply, result) };
        } catch (error) {
          if (!(error instanceof EngineError)) throw error;
          const retryAfter = reply.headers["retry-after"];
          return { error, status: reply.status, retryAfter: typeof retryAfter === "string" ? retryAfter : undefined };
        }
      },
    );
    return outcome.catch((error: unknown): HandlerOutcome => {
      if (!isUnreachable || !(error instanceof EngineError)) throw error;
      return { error, status: undefined, retryAfter: undefined };
    });
  }

  #callForClient(
    bound: BoundAction,
    { milliseconds: maxMilliseconds = Infinity, response, read }: RunAction,
  ): Promise<string> {
    const { plan, input, session, query, files } = bound;
    const { action, result } = plan.call;
    const use = (value: unknown, reply: HttpReply) => {
      passCookies(reply, response);
      return valueText(bound, value, read);
    };
    return this.#call({ action, input, session, query }, { maxMilliseconds, files }, (call, reply) => {
      if (canPassThrough(call, reply, plan)) {
        passCookies(reply, response);
        return reply.text;
      }
      const value = handlerResult(call, reply, result);
      return value instanceof Promise ? value.then((long) => use(long, reply)) : use(value, reply);
    });
  }

  async #start({ plan: { call }, input, session }: BoundAction): Promise<string> {
    return JSON.stringify(await this.#calls().start(call.action, input, session));
  }

  /** Returns the state of an asynchronous call as an object of its result type. */
  async #result({ plan: { call }, input, session }: BoundAction): Promise<unknown> {
    const found = await this.#calls().find(call.action, input.id, session);
    if (found === undefined) return null;
    const { id, createdAt, output, errors } = found;
    const shown = shownErrors(errors, this.#settings.visibility, session);
    return { id, created_at: createdAt, output, errors: shown };
  }

  #calls(): ActionLog {
    const { calls } = this.#settings;
    if (calls) return calls;
    throw new EngineError("not-supported", "$", noMetadataDatabase);
  }

  /**
   * Calls the handler and reads its response.
   * @param read converts the response; throws an EngineError if it is invalid
   */
  #call<T>(handlerInput: HandlerInput, options: CallOptions, read: ReadReply<T>): Promise<T> {
    const { maxMilliseconds } = options;
    const { action } = handlerInput;
    const milliseconds = Math.min(Math.max(action.handler.timeoutSeconds, 0) * 1000, Math.max(1, maxMilliseconds));
    const end = performance.now() + milliseconds;
    try {
      const request = handlerRequest(handlerInput, this.#settings, milliseconds);
      if (!(request instanceof Promise))
        return this.#send({ action, request, end }, handlerInput, options, milliseconds, read);
      return request.then((transformed) => {
        const remaining = Math.max(1, end - performance.now());
        return this.#send({ action, request: transformed, end }, handlerInput, options, remaining, read);
      });
    } catch (error) {
      return Promise.reject(error);
    }
  }

  #send<T>(
    call: HandlerCall,
    { session }: HandlerInput,
    { files, onUnreachable }: CallOptions,
    milliseconds: number,
    read: ReadReply<T>,
  ): Promise<T> {
    const meters = this.#meters;
    if (meters.isOn) meters.actionRequestBytes.add(Buffer.byteLength(call.request.text));
    return this.#settings.client.callThen(
      httpCall(call.request.call, files, milliseconds, session.span),
      (reply) => {
        this.#log(call, reply);
        if (meters.isOn) meters.actionResponseBytes.add(Buffer.byteLength(reply.text));
        return read(call, reply);
      },
      (error) => {
        this.#log(call, null);
        onUnreachable?.();
        return unreachable(call, error);
      },
    );
  }

  #log({ action, request }: HandlerCall, reply: HttpReply | null): void {
    const { log, redactLogs } = this.#settings;
    if (!log.isEnabled("action-handler-log", "info")) return;
    const { payload, original, call, text } = request;
    const transformed = original === null ? {} : { transformed_request_size: Buffer.byteLength(call.body ?? "") };
    log.info("action-handler-log", {
      ...(!redactLogs && { request: payload(), ...(original && { request_trans: call.body ?? null }) }),
      request_size: Buffer.byteLength(text),
      ...transformed,
      response_size: reply === null ? null : Buffer.byteLength(reply.text),
      action_name: action.name,
      action_type: action.type,
    });
  }
}

/**
 * Refuses files for calls that cannot send them. A transform replaces the body, a signature covers a single text, and
 * asynchronous calls are stored as JSON.
 * @throws EngineError `validation-failed`
 */
function checkTakesFiles({ action: { name, handler }, use }: ActionPlan["call"]): void {
  const reason = handler.requestTransform
    ? "its calls are transformed"
    : handler.signingSecrets?.length
      ? "its calls are signed"
      : use === "start_action"
        ? "it is asynchronous"
        : undefined;
  if (reason === undefined) return;
  throw new EngineError(
    "validation-failed",
    "$.variables",
    `action "${name}" does not accept files, because ${reason}`,
  );
}

interface CallOptions {
  /** Upper bound in milliseconds, in addition to the timeout of the handler. */
  readonly maxMilliseconds: number;
  readonly files: BoundAction["files"];
  /** Called if there is no complete response. */
  readonly onUnreachable?: () => void;
}

type ReadReply<T> = (call: HandlerCall, reply: HttpReply) => T | Promise<T>;

/** Returns true if the text of the response can be used as the field's value without parsing. */
function canPassThrough({ request }: HandlerCall, { status, text }: HttpReply, plan: ActionPlan): boolean {
  return status >= 200 && status < 300 && !request.transforms.response && isUsualResponse(text, plan);
}

function httpCall(
  { method, url, headers, body }: HandlerRequest["call"],
  files: readonly FileAtPath[],
  milliseconds: number,
  span: HttpCall["span"],
): HttpCall {
  // Avoids spread, because this is a hot path.
  if (files.length === 0) {
    if (body === undefined) return { method, url, headers, milliseconds, span };
    return { method, url, headers, body, milliseconds, span };
  }
  const multipart = multipartBody(body ?? "", files);
  return { method, url, headers: { ...headers, ...multipart.headers }, bytes: multipart.bytes, milliseconds, span };
}

function passCookies({ headers }: HttpReply, response: ResponseBuilder | undefined): void {
  const cookies = headers["set-cookie"];
  if (cookies === undefined || response === undefined) return;
  for (const cookie of typeof cookies === "string" ? [cookies] : cookies) response.addCookie?.(cookie);
}

function valueText(
  { plan, variables }: BoundAction,
  value: unknown,
  read: RunAction["read"],
): string | Promise<string> {
  if (plan.reads.length === 0) return outputText(value, plan.output, noRelatedRows);
  return readRelatedRows(plan, value, variables, read).then((related) => outputText(value, plan.output, related));
}

const none: readonly never[] = [];
const noRelatedRows: RelatedRows = new Map();

/** Reads the related rows for the objects of each location. */
async function readRelatedRows(
  { output, reads }: ActionPlan,
  value: unknown,
  variables: Variables,
  read: RunAction["read"],
): Promise<RelatedRows> {
  if (output === null) return noRelatedRows;
  const objects = objectsOfPlaces(value, output);
  if (objects.size === 0) return noRelatedRows;
  const found = await Promise.all(
    reads.map(async (each) => {
      const objectVariables = each.places.map((place) => [placeVariable(place), objects.get(place) ?? []] as const);
      const row = await read(each, { ...variables, ...Object.fromEntries(objectVariables) });
      return each.places.map((place, i) => [place, listOf(row[i] ?? null)] as const);
    }),
  );
  return new Map(found.flat());
}

const noMetadataDatabase = "asynchronous actions need a metadata database: set --metadata-database-url";

function listOf(text: string | null): readonly unknown[] {
  const value = text === null ? null : parseDatabaseJson(text);
  return Array.isArray(value) ? value : [];
}
