/** Fields that handlers of actions answer: values are bound, the handler is called, tables are read beside its answer. */

import type { ActionLog } from "../../jobs/actions/action-log.ts";
import type { Wait } from "../../jobs/actions/end-watch.ts";
import type { ResultType } from "../../model/definitions/actions/result-type.ts";
import { type ActionPlan, type OutputRead, placeVariable } from "../../model/planner/action-plan.ts";
import { argumentValues } from "../../model/planner/request/action/arguments.ts";
import type { Log } from "../../observe/logs/log.ts";
import type { HttpCall, HttpReply } from "../../outbound/http-call.ts";
import type { HttpClient } from "../../outbound/http-client.ts";
import { multipartBody } from "../../outbound/multipart-body.ts";
import type { AnswerHeaders } from "../../ports/graphql.ts";
import { type Meters, noMeters } from "../../ports/metrics.ts";
import { type ErrorVisibility, showsInternal } from "../../values/error-body.ts";
import { EngineError } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";
import { parseAnswer } from "../../values/parse-json.ts";
import type { Session } from "../../values/session.ts";
import { filesIn, type PlacedFile } from "../../values/uploaded-file.ts";
import { answerText, type BesideAnswer } from "./answer-text.ts";
import { answerValue, type HandlerCall, unreachable } from "./handler-answer.ts";
import { type AskedHandler, type HandlerRequest, handlerRequest, type RequestSettings } from "./handler-request.ts";
import { objectsOfPlaces } from "./objects-of-places.ts";
import { isUsualAnswer } from "./usual-answer.ts";

export interface ActionCallsSettings extends RequestSettings {
  readonly client: Pick<HttpClient, "callThen">;
  readonly log: Log;
  /** Absent: nobody reads them. */
  readonly meters?: Meters;
  /** Payloads and answers stay out of the log. */
  readonly redactLogs: boolean;
  /** Who sees why a call of an asynchronous action has failed. */
  readonly visibility: ErrorVisibility;
  /** The calls of asynchronous actions; `undefined`: there is no metadata database to keep them in. */
  readonly calls: ActionLog | undefined;
}

type Variables = Readonly<Record<string, unknown>>;

/** A call with the values of one operation. */
export interface BoundAction {
  readonly plan: ActionPlan;
  readonly input: Variables;
  readonly variables: Variables;
  readonly session: Session;
  /** The client's document. */
  readonly query: string;
  /** In the input. */
  readonly files: readonly PlacedFile[];
}

export interface RunAction {
  /** How long the operation may take besides. */
  readonly milliseconds?: number | undefined;
  readonly headers?: AnswerHeaders | undefined;
  /** Reads what stands beside the answer: one row, with the text of each column. */
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
   * Binds values, so that a bad one calls nothing.
   * @param hasFiles whether there are files among the values
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
   * Calls the handler, and reads tables for what it answered; of an asynchronous action, asks for the call or tells what
   * has become of it.
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
        return this.#answer(bound, options);
    }
  }

  /**
   * Waits for the call that a field tells of.
   * @returns `undefined`: it has ended, or is none of the session's
   * @throws EngineError
   */
  async waitFor({ plan: { call }, input, session }: BoundAction): Promise<Wait | undefined> {
    if (call.use !== "action_result") return undefined;
    const found = await this.#calls().find(call.action, input.id, session);
    return found && !found.hasEnded ? this.#calls().ends.wait(found.id) : undefined;
  }

  /**
   * Calls a handler that nobody waits for.
   * @param most milliseconds that an answer may take, besides what the action says
   * @returns what it answered, checked
   * @throws EngineError
   */
  ask(asked: AskedHandler, result: ResultType, most: number): Promise<unknown> {
    return this.#call(asked, { most, files: none }, (call, reply) => answerValue(call, reply, result));
  }

  /** Of a call that somebody waits for. */
  #answer(bound: BoundAction, { milliseconds: most = Infinity, headers, read }: RunAction): Promise<string> {
    const { plan, input, session, query, files } = bound;
    const { action, result } = plan.call;
    const use = (value: unknown, reply: HttpReply) => {
      passCookies(reply, headers);
      return valueText(bound, value, read);
    };
    return this.#call({ action, input, session, query }, { most, files }, (call, reply) => {
      if (isPassedOn(call, reply, plan)) {
        passCookies(reply, headers);
        return reply.text;
      }
      const value = answerValue(call, reply, result);
      return value instanceof Promise ? value.then((long) => use(long, reply)) : use(value, reply);
    });
  }

  async #start({ plan: { call }, input, session }: BoundAction): Promise<string> {
    return JSON.stringify(await this.#calls().start(call.action, input, session));
  }

  /** As an object of the type that tells it. */
  async #result({ plan: { call }, input, session }: BoundAction): Promise<unknown> {
    const found = await this.#calls().find(call.action, input.id, session);
    if (found === undefined) return null;
    const { id, createdAt, output, errors } = found;
    return { id, created_at: createdAt, output, errors: this.#shown(errors, session) };
  }

  #shown(errors: unknown, session: Session): unknown {
    if (!isObject(errors) || showsInternal(this.#settings.visibility, session)) return errors;
    const { internal: _, ...others } = errors;
    return others;
  }

  #calls(): ActionLog {
    const { calls } = this.#settings;
    if (calls) return calls;
    throw new EngineError("not-supported", "$", noMetadataDatabase);
  }

  /** @param read is given what the handler answered; throws an EngineError where it should not have */
  #call<T>(asked: AskedHandler, { most, files }: CallOptions, read: ReadReply<T>): Promise<T> {
    const { action } = asked;
    const milliseconds = Math.min(Math.max(action.handler.timeoutSeconds, 0) * 1000, Math.max(1, most));
    const end = performance.now() + milliseconds;
    try {
      const request = handlerRequest(asked, this.#settings, milliseconds);
      if (!(request instanceof Promise)) return this.#send({ action, request, end }, asked, files, milliseconds, read);
      return request.then((transformed) => {
        const left = Math.max(1, end - performance.now());
        return this.#send({ action, request: transformed, end }, asked, files, left, read);
      });
    } catch (error) {
      return Promise.reject(error);
    }
  }

  #send<T>(
    call: HandlerCall,
    { session }: AskedHandler,
    files: CallOptions["files"],
    milliseconds: number,
    read: ReadReply<T>,
  ): Promise<T> {
    const meters = this.#meters;
    if (meters.isOn) meters.actionRequestBytes.add(Buffer.byteLength(call.request.text));
    return this.#settings.client.callThen(
      sent(call.request.call, files, milliseconds, session.span),
      (reply) => {
        this.#log(call, reply);
        if (meters.isOn) meters.actionResponseBytes.add(Buffer.byteLength(reply.text));
        return read(call, reply);
      },
      (error) => {
        this.#log(call, null);
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
 * A transform makes another body, a signature is of one text, and the log of asynchronous calls keeps JSON.
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
  throw new EngineError("validation-failed", "$.variables", `action "${name}" takes no files, because ${reason}`);
}

interface CallOptions {
  /** Milliseconds that an answer may take, besides what the action says. */
  readonly most: number;
  readonly files: BoundAction["files"];
}

type ReadReply<T> = (call: HandlerCall, reply: HttpReply) => T | Promise<T>;

/** Whether the text of the reply is that of the field's value, without a look at each value. */
function isPassedOn({ request }: HandlerCall, { status, text }: HttpReply, plan: ActionPlan): boolean {
  return status >= 200 && status < 300 && !request.transforms.response && isUsualAnswer(text, plan);
}

function sent(
  { method, url, headers, body }: HandlerRequest["call"],
  files: readonly PlacedFile[],
  milliseconds: number,
  span: HttpCall["span"],
): HttpCall {
  // Each call is one: what is added behind a spread takes longer than the rest of it.
  if (files.length === 0) {
    if (body === undefined) return { method, url, headers, milliseconds, span };
    return { method, url, headers, body, milliseconds, span };
  }
  const multipart = multipartBody(body ?? "", files);
  return { method, url, headers: { ...headers, ...multipart.headers }, bytes: multipart.bytes, milliseconds, span };
}

function passCookies({ headers }: HttpReply, to: AnswerHeaders | undefined): void {
  const cookies = headers["set-cookie"];
  if (cookies === undefined || to === undefined) return;
  for (const cookie of typeof cookies === "string" ? [cookies] : cookies) to.addCookie?.(cookie);
}

/** The JSON text of a field's value. */
function valueText(
  { plan, variables }: BoundAction,
  value: unknown,
  read: RunAction["read"],
): string | Promise<string> {
  if (plan.reads.length === 0) return answerText(value, plan.output, nothingBeside);
  return readBeside(plan, value, variables, read).then((beside) => answerText(value, plan.output, beside));
}

const none: readonly never[] = [];
const nothingBeside: BesideAnswer = new Map();

/** What is read for the objects of each place. */
async function readBeside(
  { output, reads }: ActionPlan,
  answer: unknown,
  variables: Variables,
  read: RunAction["read"],
): Promise<BesideAnswer> {
  if (output === null) return nothingBeside;
  const objects = objectsOfPlaces(answer, output);
  if (objects.size === 0) return nothingBeside;
  const found = await Promise.all(
    reads.map(async (each) => {
      const own = each.places.map((place) => [placeVariable(place), objects.get(place) ?? []] as const);
      const row = await read(each, { ...variables, ...Object.fromEntries(own) });
      return each.places.map((place, i) => [place, listOf(row[i] ?? null)] as const);
    }),
  );
  return new Map(found.flat());
}

const noMetadataDatabase =
  "asynchronous actions are not served: --metadata-database-url names the database that their calls are kept in";

function listOf(text: string | null): readonly unknown[] {
  const value = text === null ? null : parseAnswer(text);
  return Array.isArray(value) ? value : [];
}
