/** Fields that handlers of actions answer: values are bound, the handler is called, tables are read beside its answer. */
import type { HttpReply } from "../deliver/http-call.ts";
import type { HttpClient } from "../deliver/http-client.ts";
import type { Log } from "../observe/log.ts";
import { type ActionPlan, type OutputRead, placeVariable } from "../planner/action-plan.ts";
import type { AnswerHeaders } from "../ports/graphql.ts";
import { type Meters, noMeters } from "../ports/metrics.ts";
import { stringifyJson } from "../values/json-number.ts";
import { parseAnswer } from "../values/parse-json.ts";
import type { Session } from "../values/session.ts";
import { answerValue, type HandlerCall, unreachable } from "./handler-answer.ts";
import { handlerRequest, type RequestSettings } from "./handler-request.ts";
import { objectsOfPlaces, selectedValue } from "./output.ts";

export interface ActionCallsSettings extends RequestSettings {
  readonly client: Pick<HttpClient, "call">;
  readonly log: Log;
  /** Absent: nobody reads them. */
  readonly meters?: Meters;
  /** Payloads and answers stay out of the log. */
  readonly redactLogs: boolean;
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
   * @throws EngineError `validation-failed`
   */
  bind(plan: ActionPlan, variables: Variables, session: Session, query: string): BoundAction {
    return { plan, input: plan.call.input(variables), variables, session, query };
  }

  /**
   * Calls the handler, and reads tables for what it answered.
   * @returns the JSON text of the field's value
   * @throws EngineError
   */
  async run({ plan, input, variables, session, query }: BoundAction, options: RunAction): Promise<string> {
    const { action, result } = plan.call;
    const request = handlerRequest(action, input, session, query, this.#settings);
    const reply = await this.#call({ action, request }, options.milliseconds);
    const answer = await answerValue({ action, request }, reply, result);
    const cookies = reply.headers["set-cookie"] ?? [];
    for (const cookie of [cookies].flat()) options.headers?.addCookie(cookie);
    const { output } = plan;
    if (output === null) return stringifyJson(answer);
    const read = await readBeside(plan, answer, variables, options.read);
    return stringifyJson(selectedValue(answer, output, read));
  }

  async #call(call: HandlerCall, most = Infinity): Promise<HttpReply> {
    const { action, request } = call;
    this.#meters.actionRequestBytes.add(request.size);
    const milliseconds = Math.min(Math.max(action.handler.timeoutSeconds, 0) * 1000, Math.max(1, most));
    try {
      const reply = await this.#settings.client.call({ ...request.call, milliseconds });
      this.#log(call, reply);
      this.#meters.actionResponseBytes.add(Buffer.byteLength(reply.text));
      return reply;
    } catch (error) {
      this.#log(call, null);
      throw unreachable(call, error);
    }
  }

  #log({ action, request }: HandlerCall, reply: HttpReply | null): void {
    const { payload, original, call, size } = request;
    const transformed = original === null ? {} : { transformed_request_size: Buffer.byteLength(call.body ?? "") };
    this.#settings.log.info("action-handler-log", {
      ...(!this.#settings.redactLogs && { request: payload, ...(original && { request_trans: call.body ?? null }) }),
      request_size: size,
      ...transformed,
      response_size: reply === null ? null : Buffer.byteLength(reply.text),
      action_name: action.name,
      action_type: action.type,
    });
  }
}

/** What is read for the objects of each place. */
async function readBeside(
  { output, reads }: ActionPlan,
  answer: unknown,
  variables: Variables,
  read: RunAction["read"],
): Promise<ReadonlyMap<number, readonly unknown[]>> {
  if (output === null || reads.length === 0) return new Map();
  const objects = objectsOfPlaces(answer, output);
  if (objects.size === 0) return new Map();
  const found = await Promise.all(
    reads.map(async (each) => {
      const own = each.places.map((place) => [placeVariable(place), objects.get(place) ?? []] as const);
      const row = await read(each, { ...variables, ...Object.fromEntries(own) });
      return each.places.map((place, i) => [place, listOf(row[i] ?? null)] as const);
    }),
  );
  return new Map(found.flat());
}

function listOf(text: string | null): readonly unknown[] {
  const value = text === null ? null : parseAnswer(text);
  return Array.isArray(value) ? value : [];
}
