/**
 * The state machine of one connection, for both sub-protocols: handles the client's messages, and sends messages or
 * closes the connection. Independent of sockets and clocks.
 */
import { randomUUID } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { AuthenticatedSession } from "../../ports/authentication.ts";
import type { GraphqlRequest } from "../../ports/graphql.ts";
import type { RequestHeaders } from "../../ports/headers.ts";
import { EngineError } from "../../values/errors.ts";
import { parseJsonInSlices } from "../../values/json/parse.ts";
import { stringifyJson } from "../../values/json-number.ts";
import type { Session } from "../../values/session.ts";
import type { Channel } from "./channel.ts";
import { type ClientMessage, readClientMessage } from "./client-message.ts";
import { type Operation, type OperationContext, runOperation, Subscriptions } from "./operation.ts";
import { completeMessage, message, type Reaction, type StartProblem } from "./protocol.ts";

export interface ConnectionParts extends Omit<OperationContext, "channel" | "subscriptions" | "isStopped"> {
  readonly channel: Channel;
  /** The headers of the handshake. */
  readonly headers: RequestHeaders;
  /** Called before authentication. */
  readonly onInit: () => void;
  /** Called after successful authentication. */
  readonly onSession: (session: AuthenticatedSession) => void;
  /** Called after failed authentication. */
  readonly onRefusal: () => void;
}

/** Returns the headers of a message as normalised by authentication, which renames session variables. */
function messageHeaders({ clientHeaders }: AuthenticatedSession, headers: RequestHeaders): RequestHeaders {
  return Object.fromEntries(Object.entries(clientHeaders ?? headers).filter(([name]) => Object.hasOwn(headers, name)));
}

/** Limit in characters for messages other than `connection_init` before initialisation. */
const maxUninitialisedLength = 4096;

type State =
  | { readonly kind: "new" }
  | { readonly kind: "ready"; readonly session: Session }
  | { readonly kind: "refused"; readonly message: string };

export class Connection {
  readonly #parts: ConnectionParts;
  readonly #subscriptions = new Subscriptions();
  readonly #stops = new EarlyStops();
  #state: State = { kind: "new" };

  constructor(parts: ConnectionParts) {
    this.#parts = parts;
  }

  /**
   * Notes a message on arrival. If it stops a query, the query ends immediately, even while earlier messages wait.
   */
  notice(text: string): void {
    this.#stops.notice(text);
  }

  /**
   * Handles one message. Must not be called again before it resolves.
   * @throws only in case of a bug
   */
  async handle(text: string): Promise<void> {
    this.#stops.forget(text);
    const received = await this.#read(text);
    if (this.#state.kind === "new" && received?.kind !== "init" && text.length > maxUninitialisedLength) {
      const reason = `before connection_init, messages are limited to ${maxUninitialisedLength} characters`;
      return this.#parts.channel.close({ code: 1009, reason });
    }
    switch (received?.kind) {
      case "init":
        return this.#init(received.headers, received.besideHeaders);
      case "start":
        return this.#start(received.id, received.request);
      case "stop":
        return this.#subscriptions.stop(received.id);
      case "terminate":
        return this.#parts.channel.close({ code: 1000, reason: "" });
      case "ping": {
        const payload = received.payload === undefined ? "" : `,"payload":${stringifyJson(received.payload)}`;
        return this.#parts.channel.send(`{"type":"pong"${payload}}`);
      }
    }
  }

  /** Stops all subscriptions at the end of the connection. */
  end(): void {
    this.#subscriptions.stopAll();
  }

  async #read(text: string): Promise<ClientMessage | undefined> {
    try {
      return readClientMessage(await parseJsonInSlices(text), this.#parts.services.savedText);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      const problem = `parsing ClientMessage failed: ${error.message}`;
      this.#parts.log.connectionError(problem);
      this.#react(this.#parts.protocol.unreadable(problem));
      return undefined;
    }
  }

  async #init(headers: RequestHeaders, besideHeaders: readonly string[]): Promise<void> {
    const { channel, protocol, services, log } = this.#parts;
    if (this.#state.kind !== "new") return this.#react(protocol.secondInit);
    this.#parts.onInit();
    try {
      const session = await services.authenticator.authenticate(
        { ...this.#parts.headers, ...headers },
        { cookieIsChecked: true, besideHeaders },
      );
      // Operations forward only the headers of this message, not the headers of the handshake.
      this.#state = { kind: "ready", session: { ...session, clientHeaders: messageHeaders(session, headers) } };
      log.authenticated(session);
      this.#parts.onSession(session);
    } catch (thrown) {
      const error = thrown instanceof EngineError ? thrown : services.reportBug(thrown, this.#requestId());
      this.#state = { kind: "refused", message: error.message };
      log.connectionError(error.message);
      this.#parts.onRefusal();
      // Waits so that operations in the same packet receive an error before the connection closes.
      await nextTurn();
      return this.#react(protocol.initFailure(error.message), "after queued messages");
    }
    channel.send('{"type":"connection_ack"}');
    channel.sendKeepAlive();
  }

  async #start(id: string, request: GraphqlRequest | EngineError): Promise<void> {
    const operation: Operation = { id, requestId: this.#requestId(), request };
    const state = this.#state;
    if (state.kind !== "ready") return this.#failStart(operation, notReady(state));
    if (this.#subscriptions.has(id)) return this.#failStart(operation, duplicate(id));
    const isStopped = (): boolean => this.#stops.has(id);
    await runOperation({ ...this.#parts, subscriptions: this.#subscriptions, isStopped }, operation, state.session);
  }

  #failStart(operation: Operation, problem: StartProblem): void {
    const { channel, protocol, renderError, log } = this.#parts;
    const { id } = operation;
    const error = new EngineError("start-failed", "$", problem.message);
    log.operation(operation, { type: "proto_err", detail: problem.message });
    channel.send(message("error", id, renderError(error)));
    const { messages, closing } = protocol.failedStart(id, problem);
    this.#react({ messages: [...messages, completeMessage(id)], closing });
  }

  #react({ messages, closing }: Reaction, when: "now" | "after queued messages" = "now"): void {
    const { channel } = this.#parts;
    for (const each of messages) channel.send(each);
    if (closing === null) return;
    if (when === "now") channel.close(closing);
    else channel.closeAfterQueued(closing);
  }

  #requestId(): string {
    return this.#parts.headers["x-request-id"] || randomUUID();
  }
}

function notReady(state: Exclude<State, { kind: "ready" }>): StartProblem {
  const closing = { code: 4401, text: "Unauthorized" };
  return state.kind === "new"
    ? { message: "start received before the connection is initialised", closing }
    : { message: `cannot start as connection_init failed with: ${state.message}`, closing };
}

function duplicate(id: string): StartProblem {
  const closing = { code: 4409, text: `Subscriber for ${id} already exists` };
  return { message: `an operation already exists with this id: ${id}`, closing };
}

/** Limit in characters. Ids are short, and longer messages are not parsed twice. */
const maxStopLength = 1024;

/**
 * Tracks queued stop messages. Messages are handled one after the other, so without this class the stop of a slow query
 * would take effect only after its end. If a start is in progress while a stop with its id is queued, the start
 * precedes the stop.
 */

class EarlyStops {
  readonly #counts = new Map<string, number>();

  /** Must be called for each message when it arrives. */
  notice(text: string): void {
    const id = stoppedBy(text);
    if (id !== undefined) this.#counts.set(id, (this.#counts.get(id) ?? 0) + 1);
  }

  /** Must be called for each message before it is handled. */
  forget(text: string): void {
    const id = this.#counts.size === 0 ? undefined : stoppedBy(text);
    if (id === undefined) return;
    const left = (this.#counts.get(id) ?? 0) - 1;
    if (left > 0) this.#counts.set(id, left);
    else this.#counts.delete(id);
  }

  has(id: string): boolean {
    return this.#counts.has(id);
  }
}

function stoppedBy(text: string): string | undefined {
  if (text.length > maxStopLength || !(text.includes('"complete"') || text.includes('"stop"'))) return undefined;
  try {
    const message = readClientMessage(JSON.parse(text), () => undefined);
    return message.kind === "stop" ? message.id : undefined;
  } catch (error) {
    // `handle` reports the error.
    if (error instanceof SyntaxError || error instanceof EngineError) return undefined;
    throw error;
  }
}
