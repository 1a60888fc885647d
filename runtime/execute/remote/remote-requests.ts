/** Requests to remote servers: bound, sent, their answers read (`docs/remote-schemas.md`). */
import type { RemoteServer } from "../../model/definitions/remote/remote-server.ts";
import type { RemotePlan, RemoteValue } from "../../model/planner/request/remote/remote-request.ts";
import type { HeaderSettings } from "../../outbound/call-headers.ts";
import type { HttpCall, HttpReply } from "../../outbound/http-call.ts";
import type { HttpClient } from "../../outbound/http-client.ts";
import { multipartBody } from "../../outbound/multipart-body.ts";
import { type OpenWebSocket, webSockets } from "../../outbound/web-sockets.ts";
import type { AnswerHeaders } from "../../ports/graphql.ts";
import type { Caller } from "../../values/caller.ts";
import { resolveTemplate } from "../../values/environment-template.ts";
import type { Session } from "../../values/session.ts";
import { filesIn } from "../../values/uploaded-file.ts";
import type { BoundRemote } from "./bound-remote.ts";
import { type CircuitBreaker, CircuitBreakers } from "./circuit-breaker.ts";
import { remoteBody } from "./remote-body.ts";
import { abandoned, callFailed, leftAlone } from "./remote-errors.ts";
import { remoteHeaders } from "./remote-headers.ts";
import { RemoteStreams } from "./remote-streams.ts";
import { type RemoteValues, remoteValues } from "./remote-values.ts";

export interface RemoteRequestsSettings extends Pick<HeaderSettings, "environment" | "version"> {
  readonly client: Pick<HttpClient, "callThen">;
  /** For subscriptions; absent: by the usual rules. */
  readonly open?: OpenWebSocket;
  /** Where there is data, errors beside it are dropped (`ENGINE_GRAPHQL_REMOTE_SCHEMA_PRIORITIZE_DATA`). */
  readonly prioritizeData: boolean;
  /** So many keys of relationships are asked for in one request; absent: as many as usual. */
  readonly keysPerRequest?: number;
  /** Variables that are null are not sent (`ENGINE_GRAPHQL_REMOTE_SCHEMA_SKIP_NULLS`). */
  readonly skipNulls: boolean;
}

/** Servers read a request of so many fields in some milliseconds. */
export const keysPerRequest = 1000;

const openByUsualRules = webSockets({});

export class RemoteRequests {
  /** Subscriptions. */
  readonly streams: RemoteStreams;
  /** So many keys of relationships are asked for in one request. */
  readonly keysPerRequest: number;
  readonly #settings: RemoteRequestsSettings;
  readonly #breakers = new CircuitBreakers();
  readonly #places = new WeakMap<RemoteServer, Place>();

  constructor(settings: RemoteRequestsSettings) {
    this.#settings = settings;
    this.keysPerRequest = settings.keysPerRequest ?? keysPerRequest;
    const { environment, prioritizeData, open = openByUsualRules } = settings;
    this.streams = new RemoteStreams({ open, environment, breakers: this.#breakers, prioritizeData });
  }

  /**
   * Binds values, so that a bad one sends nothing.
   * @param hasFiles whether there are files among the values
   * @throws EngineError
   */
  bind(plan: RemotePlan, given: Readonly<Record<string, unknown>>, session: Session, hasFiles = false): BoundRemote {
    const variables: (readonly [name: string, value: unknown])[] = [];
    for (const { name, value } of plan.variables) {
      const read = variableValue(name, value, given, session.variables);
      if (read !== undefined && (read !== null || !this.#settings.skipNulls)) variables.push([name, read]);
    }
    const body = remoteBody(plan, variables);
    const headers = remoteHeaders(plan.remote.server, session, this.#settings);
    return { plan, headers, body, files: hasFiles ? filesIn(Object.fromEntries(variables), "variables") : [] };
  }

  /**
   * Asks the server.
   * @param milliseconds how long the operation may take besides
   * @param caller when it is gone, the request ends; absent: it is carried through
   * @returns the JSON text of each field of the plan, by key
   * @throws EngineError `remote-schema-error`, or with the errors of the server
   */
  ask(bound: BoundRemote, milliseconds = Infinity, headers?: AnswerHeaders, caller?: Caller): Promise<RemoteValues> {
    const { server } = bound.plan.remote;
    if (caller?.aborted) return Promise.reject(abandoned(server));
    let place: Place;
    try {
      place = this.#placeOf(server);
    } catch (error) {
      return Promise.reject(error);
    }
    const { url, breaker } = place;
    if (!breaker.mayCall()) return Promise.reject(leftAlone(server));
    const time = Math.min(server.timeoutSeconds * 1000, Math.max(1, milliseconds));
    return this.#settings.client.callThen(
      sent(bound, url, time, caller),
      (reply) => {
        breaker.succeeded();
        const values = remoteValues(reply.text, bound.plan, this.#settings.prioritizeData);
        if (!headers || reply.headers["set-cookie"] === undefined) return values;
        if (!(values instanceof Promise)) {
          passCookies(reply, headers);
          return values;
        }
        return values.then((read) => {
          passCookies(reply, headers);
          return read;
        });
      },
      (error) => {
        // It says nothing of the server.
        if (caller?.aborted) {
          breaker.abandoned();
          return abandoned(server);
        }
        breaker.failed();
        return callFailed(server, error);
      },
    );
  }

  #placeOf(server: RemoteServer): Place {
    let place = this.#places.get(server);
    if (place === undefined) {
      const url = resolveTemplate(server.url, this.#settings.environment);
      place = { url, breaker: this.#breakers.of(url) };
      this.#places.set(server, place);
    }
    return place;
  }
}

/** Where a server is, and whether it may be asked. */
interface Place {
  readonly url: string;
  readonly breaker: CircuitBreaker;
}

function passCookies({ headers }: HttpReply, to: AnswerHeaders): void {
  const cookies = headers["set-cookie"];
  if (cookies === undefined) return;
  for (const cookie of typeof cookies === "string" ? [cookies] : cookies) to.addCookie?.(cookie);
}

function sent(
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
