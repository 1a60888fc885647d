/** Requests to remote schemas: binds values, sends requests, and reads responses (`docs/how-to/remote-schemas.md`). */

import { setImmediate as nextTurn } from "node:timers/promises";
import type { RemoteServer } from "../../model/definitions/remote/remote-server.ts";
import type { RemotePlan, RemoteValue } from "../../model/planner/request/remote/remote-request.ts";
import type { HeaderSettings } from "../../outbound/call-headers.ts";
import type { HttpCall, HttpReply } from "../../outbound/http-call.ts";
import type { HttpClient } from "../../outbound/http-client.ts";
import { multipartBody } from "../../outbound/multipart-body.ts";
import { type OpenWebSocket, webSockets } from "../../outbound/web-sockets.ts";
import type { ResponseBuilder, Subscription } from "../../ports/graphql.ts";
import type { Caller } from "../../values/caller.ts";
import { resolveTemplate } from "../../values/environment-template.ts";
import { EngineError } from "../../values/errors.ts";
import { stringifyJson } from "../../values/json-number.ts";
import type { Session } from "../../values/session.ts";
import { filesIn } from "../../values/uploaded-file.ts";
import type { BoundRemote } from "./bound-remote.ts";
import { type CircuitBreaker, CircuitBreakers } from "./circuit-breaker.ts";
import { abandoned, callFailed, circuitOpen } from "./remote-errors.ts";
import { remoteHeaders } from "./remote-headers.ts";
import { RemoteStream, type RemoteStreamParts, type RemoteStreamSettings } from "./remote-stream.ts";
import { type RemoteValues, remoteValues } from "./remote-values.ts";

// Subscriptions to remote schemas (`docs/how-to/remote-schemas.md`).

/** Maximum number of running subscriptions; further ones are refused. */
const maxSubscriptions = 10_000;

/** Number of subscriptions to replan before yielding to the event loop. */
const replansPerTurn = 100;

class RemoteStreams {
  readonly #settings: RemoteStreamSettings;
  readonly #running = new Set<RemoteStream>();

  constructor(settings: RemoteStreamSettings) {
    this.#settings = settings;
  }

  /**
   * Starts delivery to the sink, which also receives connection errors.
   * @throws EngineError if too many subscriptions are running
   */
  subscribe(parts: Omit<RemoteStreamParts, "onEnd">): Subscription {
    if (this.#running.size >= maxSubscriptions) {
      throw new EngineError("remote-schema-error", "$", "too many subscriptions to remote schemas");
    }
    const stream = new RemoteStream(this.#settings, { ...parts, onEnd: () => this.#running.delete(stream) });
    this.#running.add(stream);
    stream.start();
    return { stop: () => stream.stop() };
  }

  /** Replans all subscriptions. Subscriptions that are no longer valid end with an error. */
  async metadataChanged(): Promise<void> {
    for (const [i, stream] of [...this.#running].entries()) {
      if (i > 0 && i % replansPerTurn === 0) await nextTurn();
      stream.metadataChanged();
    }
  }

  close(): void {
    for (const stream of [...this.#running]) stream.stop();
  }
}

// The JSON body of a request.

/** Text before and after the variables, which is the same for every request of a plan. */
interface Envelope {
  readonly before: string;
  readonly after: string;
}

const envelopes = new WeakMap<RemotePlan, Envelope>();

function envelopeOf(plan: RemotePlan): Envelope {
  let envelope = envelopes.get(plan);
  if (envelope === undefined) {
    const { query, operationName } = plan;
    const name = operationName === undefined ? "" : `,"operationName":${JSON.stringify(operationName)}`;
    envelope = { before: `{"query":${JSON.stringify(query)},"variables":{`, after: `}${name}}` };
    envelopes.set(plan, envelope);
  }
  return envelope;
}

/**
 * Returns the JSON body of a request.
 * @param variables names and values
 */
function remoteBody(plan: RemotePlan, variables: readonly (readonly [name: string, value: unknown])[]): string {
  const { before, after } = envelopeOf(plan);
  // GraphQL names need no escaping.
  const members = variables.map(([name, value]) => `"${name}":${stringifyJson(value)}`);
  return `${before}${members.join(",")}${after}`;
}

export interface RemoteRequestsSettings extends Pick<HeaderSettings, "environment" | "version"> {
  readonly client: Pick<HttpClient, "callThen">;
  /** Opens connections for subscriptions. If absent, they are opened with the default outbound rules. */
  readonly open?: OpenWebSocket;
  /** If true, errors are dropped when there is data (`ENGINE_GRAPHQL_REMOTE_SCHEMA_PRIORITIZE_DATA`). */
  readonly prioritizeData: boolean;
  /** Maximum number of join keys in one request; if absent, the default applies. */
  readonly keysPerRequest?: number;
  /** If true, null variables are not sent (`ENGINE_GRAPHQL_REMOTE_SCHEMA_SKIP_NULLS`). */
  readonly skipNulls: boolean;
}

/** Default maximum number of join keys in one request. Servers parse this many fields in a few milliseconds. */
export const keysPerRequest = 1000;

const openByDefaultRules = webSockets({});

export class RemoteRequests {
  readonly streams: RemoteStreams;
  /** Maximum number of join keys in one request. */
  readonly keysPerRequest: number;
  readonly #settings: RemoteRequestsSettings;
  readonly #breakers = new CircuitBreakers();
  readonly #endpoints = new WeakMap<RemoteServer, Endpoint>();

  constructor(settings: RemoteRequestsSettings) {
    this.#settings = settings;
    this.keysPerRequest = settings.keysPerRequest ?? keysPerRequest;
    const { environment, prioritizeData, open = openByDefaultRules } = settings;
    this.streams = new RemoteStreams({ open, environment, breakers: this.#breakers, prioritizeData });
  }

  /**
   * Binds values before anything is sent.
   * @param hasFiles true if the values contain files
   * @throws EngineError for an invalid value
   */
  bind(
    plan: RemotePlan,
    requestVariables: Readonly<Record<string, unknown>>,
    session: Session,
    hasFiles = false,
  ): BoundRemote {
    const variables: (readonly [name: string, value: unknown])[] = [];
    for (const { name, value: source } of plan.variables) {
      const value = variableValue(name, source, requestVariables, session.variables);
      if (value !== undefined && (value !== null || !this.#settings.skipNulls)) variables.push([name, value]);
    }
    const body = remoteBody(plan, variables);
    const headers = remoteHeaders(plan.remote.server, session, this.#settings);
    return { plan, headers, body, files: hasFiles ? filesIn(Object.fromEntries(variables), "variables") : [] };
  }

  /**
   * Sends the request.
   * @param milliseconds remaining time of the operation; the timeout of the server also applies
   * @param caller cancels the request when it disconnects; if absent, the request runs to completion
   * @returns the JSON text of each field of the plan, by response key
   * @throws EngineError `remote-schema-error`; `RemoteErrors` with the errors of the response
   */
  send(
    bound: BoundRemote,
    milliseconds = Infinity,
    response?: ResponseBuilder,
    caller?: Caller,
  ): Promise<RemoteValues> {
    const { server } = bound.plan.remote;
    if (caller?.aborted) return Promise.reject(abandoned(server));
    let endpoint: Endpoint;
    try {
      endpoint = this.#endpointOf(server);
    } catch (error) {
      return Promise.reject(error);
    }
    const { url, breaker } = endpoint;
    if (!breaker.mayCall()) return Promise.reject(circuitOpen(server));
    const time = Math.min(server.timeoutSeconds * 1000, Math.max(1, milliseconds));
    return this.#settings.client.callThen(
      httpCall(bound, url, time, caller),
      (reply) => {
        breaker.succeeded();
        const values = remoteValues(reply.text, bound.plan, this.#settings.prioritizeData);
        if (!response || reply.headers["set-cookie"] === undefined) return values;
        if (!(values instanceof Promise)) {
          passCookies(reply, response);
          return values;
        }
        return values.then((value) => {
          passCookies(reply, response);
          return value;
        });
      },
      (error) => {
        // A cancelled request does not indicate that the server is failing.
        if (caller?.aborted) {
          breaker.abandoned();
          return abandoned(server);
        }
        breaker.failed();
        return callFailed(server, error);
      },
    );
  }

  #endpointOf(server: RemoteServer): Endpoint {
    let endpoint = this.#endpoints.get(server);
    if (endpoint === undefined) {
      const url = resolveTemplate(server.url, this.#settings.environment);
      endpoint = { url, breaker: this.#breakers.of(url) };
      this.#endpoints.set(server, endpoint);
    }
    return endpoint;
  }
}

interface Endpoint {
  readonly url: string;
  readonly breaker: CircuitBreaker;
}

function passCookies({ headers }: HttpReply, response: ResponseBuilder): void {
  const cookies = headers["set-cookie"];
  if (cookies === undefined) return;
  for (const cookie of typeof cookies === "string" ? [cookies] : cookies) response.addCookie?.(cookie);
}

function httpCall(
  { headers, body, files, span }: BoundRemote,
  url: string,
  milliseconds: number,
  caller: Caller | undefined,
): HttpCall {
  if (files.length === 0) return { method: "POST", url, headers, body, milliseconds, caller, span };
  const multipart = multipartBody(body, files);
  const all = { ...headers, ...multipart.headers };
  return { method: "POST", url, headers: all, bytes: multipart.bytes, milliseconds, caller, span };
}

/** Returns the value of a variable; `undefined` if the request has none. */
function variableValue(
  name: string,
  value: RemoteValue,
  variables: Readonly<Record<string, unknown>>,
  session: Session["variables"],
): unknown {
  if (value.kind === "session") return value.read(session);
  const sent = Object.hasOwn(variables, name) ? variables[name] : undefined;
  const resolved = sent === undefined ? value.otherwise : sent;
  return resolved === undefined ? undefined : value.read(resolved, session);
}
