/** Requests to remote servers: bound, sent, their answers read (`automation.md` E.5). */
import type { RemoteServer } from "../definitions/remote/remote-server.ts";
import type { HeaderSettings } from "../deliver/call-headers.ts";
import type { HttpReply } from "../deliver/http-call.ts";
import { callFailure, type HttpClient } from "../deliver/http-client.ts";
import type { RemotePlan, RemoteValue } from "../planner/request/remote/remote-request.ts";
import type { AnswerHeaders } from "../ports/graphql.ts";
import { resolveTemplate } from "../values/environment-template.ts";
import { EngineError } from "../values/errors.ts";
import { inSlices } from "../values/interruptible.ts";
import { stringifyJson } from "../values/json-number.ts";
import type { Session } from "../values/session.ts";
import { CircuitBreaker } from "./circuit-breaker.ts";
import { NotJson } from "./json-scanner.ts";
import { type RemoteAnswer, readAnswer } from "./remote-answer.ts";
import { remoteHeaders } from "./remote-headers.ts";
import { renameTypenames } from "./typenames.ts";

export interface RemoteRequestsSettings extends Pick<HeaderSettings, "environment" | "version"> {
  readonly client: Pick<HttpClient, "call">;
  /** Where there is data, errors beside it are dropped (`ENGINE_GRAPHQL_REMOTE_SCHEMA_PRIORITIZE_DATA`). */
  readonly prioritizeData: boolean;
  /** Variables that are null are not sent (`ENGINE_GRAPHQL_REMOTE_SCHEMA_SKIP_NULLS`). */
  readonly skipNulls: boolean;
}

/** A request with the values of one operation. */
export interface BoundRemote {
  readonly plan: RemotePlan;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly body: string;
}

export class RemoteRequests {
  readonly #settings: RemoteRequestsSettings;
  /** By address. */
  readonly #breakers = new Map<string, CircuitBreaker>();

  constructor(settings: RemoteRequestsSettings) {
    this.#settings = settings;
  }

  /**
   * Binds values, so that a bad one sends nothing.
   * @throws EngineError
   */
  bind(plan: RemotePlan, given: Readonly<Record<string, unknown>>, session: Session): BoundRemote {
    const { query, operationName, variables: declared } = plan;
    const variables: Record<string, unknown> = Object.create(null);
    for (const { name, value } of declared) {
      const read = variableValue(name, value, given, session.variables);
      if (read !== undefined && (read !== null || !this.#settings.skipNulls)) variables[name] = read;
    }
    const body = stringifyJson({ query, variables, ...(operationName !== undefined && { operationName }) });
    return { plan, headers: remoteHeaders(plan.remote.server, session, this.#settings), body };
  }

  /**
   * Asks the server.
   * @param milliseconds how long the operation may take besides
   * @returns the JSON text of each field of the plan, by key
   * @throws EngineError `remote-schema-error`, or with the errors of the server
   */
  async ask(
    bound: BoundRemote,
    milliseconds = Infinity,
    headers?: AnswerHeaders,
  ): Promise<ReadonlyMap<string, string>> {
    const { server } = bound.plan.remote;
    const { text, headers: given } = await this.#send(server, bound, milliseconds);
    const { data, errors } = await readable(text);
    if (errors !== undefined && (data === null || !this.#settings.prioritizeData)) throw passedOn(errors);
    const cookies = given["set-cookie"] ?? [];
    for (const cookie of typeof cookies === "string" ? [cookies] : cookies) headers?.addCookie(cookie);
    return this.#values(bound.plan, data);
  }

  async #send(server: RemoteServer, { headers, body }: BoundRemote, most: number): Promise<HttpReply> {
    const url = resolveTemplate(server.url, this.#settings.environment);
    const breaker = this.#breakerOf(url);
    if (!breaker.mayCall()) throw unreachable(server, "the server did not answer, it is asked again soon");
    const milliseconds = Math.min(server.timeoutSeconds * 1000, Math.max(1, most));
    try {
      const reply = await this.#settings.client.call({ method: "POST", url, headers, body, milliseconds });
      breaker.succeeded();
      return reply;
    } catch (error) {
      breaker.failed();
      const reason = callFailure(error);
      throw unreachable(server, reason === "no reply in time" ? "Response timeout" : reason, error);
    }
  }

  #breakerOf(url: string): CircuitBreaker {
    let breaker = this.#breakers.get(url);
    if (breaker === undefined) {
      breaker = new CircuitBreaker();
      this.#breakers.set(url, breaker);
    }
    return breaker;
  }

  async #values({ remote, fields }: RemotePlan, data: RemoteAnswer["data"]): Promise<ReadonlyMap<string, string>> {
    const values = new Map<string, string>();
    for (const { key, typenames } of fields) {
      const value = data?.get(key);
      if (value === undefined) throw remoteError(`expecting key ${key}`);
      values.set(key, typenames ? await inSlices(renameTypenames(value, remote, typenames)) : value);
    }
    return values;
  }
}

/** `undefined`: the request gives none. */
function variableValue(
  name: string,
  value: RemoteValue,
  variables: Readonly<Record<string, unknown>>,
  session: Session["variables"],
): unknown {
  if (value.kind === "session") return value.read(session);
  const given = Object.hasOwn(variables, name) ? variables[name] : undefined;
  const found = given === undefined ? value.otherwise : given;
  return found === undefined ? undefined : value.read(found, session);
}

async function readable(text: string): Promise<RemoteAnswer> {
  try {
    return await inSlices(readAnswer(text));
  } catch (error) {
    if (!(error instanceof NotJson)) throw error;
    throw remoteError(`the answer of the remote server is not a JSON object: ${error.message}`, undefined, error);
  }
}

function remoteError(message: string, internal?: unknown, cause?: unknown): EngineError {
  return new EngineError("remote-schema-error", "$", message, { status: 500, internal, cause });
}

/** With the address as the metadata has it: what the environment fills in may be secret. */
function unreachable({ url }: RemoteServer, reason: string, cause?: unknown): EngineError {
  const message = `HTTP exception occurred while sending the request to "${url}"`;
  return remoteError(message, { type: "http_exception", message: reason }, cause);
}

/** The whole answer to the client are the errors of the server. */
function passedOn(errors: string): EngineError {
  const message = "the remote server answered with errors";
  return new EngineError("remote-schema-error", "$", message, { graphqlErrors: errors });
}
