/**
 * The state machine of one connection, for both sub-protocols (`graphql-api.md` 7.2 and 7.3): messages of the client
 * in, messages and the end of the connection out. Knows no socket and no clock.
 */
import { randomUUID } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { AuthenticatedSession } from "../../ports/authentication.ts";
import type { GraphqlRequest } from "../../ports/graphql.ts";
import type { RequestHeaders } from "../../ports/headers.ts";
import { EngineError } from "../../values/errors.ts";
import { stringifyJson } from "../../values/json-number.ts";
import { parseJsonBetweenOthers } from "../../values/parse-json.ts";
import type { Session } from "../../values/session.ts";
import type { Channel } from "./channel.ts";
import { type ClientMessage, readClientMessage } from "./client-message.ts";
import { EarlyStops } from "./early-stops.ts";
import { type Operation, type OperationContext, runOperation } from "./operation.ts";
import { completeMessage, message, type Reaction, type StartProblem } from "./protocol.ts";
import { Subscriptions } from "./subscriptions.ts";

export interface ConnectionParts extends Omit<OperationContext, "channel" | "subscriptions" | "isStopped"> {
  readonly channel: Channel;
  /** Those of the handshake. */
  readonly headers: RequestHeaders;
  /** Called when the client begins to initialise the connection. */
  readonly onInit: () => void;
  /** Called when the client is authenticated. */
  readonly onSession: (session: AuthenticatedSession) => void;
  /** Called when it is not. */
  readonly onRefusal: () => void;
}

/** Headers of a message, as authentication left them: names of session variables have one spelling there. */
function sentWith({ clientHeaders }: AuthenticatedSession, headers: RequestHeaders): RequestHeaders {
  return Object.fromEntries(Object.entries(clientHeaders ?? headers).filter(([name]) => Object.hasOwn(headers, name)));
}

/** What comes before `connection_init` has nothing to say. */
const longestUninitialised = 4096;

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

  /** To be called for each message as it comes: a query that it stops ends now, though others are handled before it. */
  notice(text: string): void {
    this.#stops.notice(text);
  }

  /**
   * Handles one message; the next one has to wait until this resolves.
   * @throws what only a mistake of ours can cause
   */
  async handle(text: string): Promise<void> {
    this.#stops.forget(text);
    const received = await this.#read(text);
    if (this.#state.kind === "new" && received?.kind !== "init" && text.length > longestUninitialised) {
      const reason = `before connection_init a message may have ${longestUninitialised} characters`;
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

  /** Ends what runs, because the connection ends. */
  end(): void {
    this.#subscriptions.stopAll();
  }

  async #read(text: string): Promise<ClientMessage | undefined> {
    try {
      return readClientMessage(await parseJsonBetweenOthers(text));
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
      // What is forwarded for operations is what came with the message (`permissions-and-auth.md` 7, 12).
      this.#state = { kind: "ready", session: { ...session, clientHeaders: sentWith(session, headers) } };
      log.authenticated(session);
      this.#parts.onSession(session);
    } catch (thrown) {
      const error = thrown instanceof EngineError ? thrown : services.reportBug(thrown, this.#requestId());
      this.#state = { kind: "refused", message: error.message };
      log.connectionError(error.message);
      this.#parts.onRefusal();
      // Operations that were sent along are told that they cannot start; they may stand behind in the same packet.
      await nextTurn();
      return this.#react(protocol.initFailure(error.message), "after waiting");
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

  #react({ messages, closing }: Reaction, when: "now" | "after waiting" = "now"): void {
    const { channel } = this.#parts;
    for (const each of messages) channel.send(each);
    if (closing === null) return;
    if (when === "now") channel.close(closing);
    else channel.closeAfterWaiting(closing);
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
