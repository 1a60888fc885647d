/** Lines of type `websocket-log` (`operations.md` 9): what happens on one connection. */

import type { LogLevel } from "../../config/log-types.ts";
import type { AuthenticatedSession } from "../../ports/authentication.ts";
import type { GraphqlRequest } from "../../ports/graphql.ts";
import { EngineError } from "../../values/errors.ts";
import { stringifyJson } from "../../values/json-number.ts";
import type { Log } from "./log.ts";
import { type ShownRequestSettings, shownError, shownRequest } from "./shown-request.ts";

export interface LoggedOperation {
  readonly id: string;
  readonly requestId: string;
  readonly request: GraphqlRequest | EngineError;
  /** Of the text without values; absent until the operation is planned. */
  readonly textHash?: (() => string) | undefined;
}

export type OperationEvent =
  | { readonly type: "started" | "completed" | "stopped" }
  | { readonly type: "proto_err"; readonly detail: string }
  | { readonly type: "query_err"; readonly detail: EngineError };

export class WebsocketLog {
  readonly #log: Log;
  readonly #maskedVariables: ReadonlySet<string>;
  /** A UUID that tells the connections apart. */
  readonly #websocketId: string;
  #session: AuthenticatedSession | null = null;

  /** @param settings what of operations is shown */
  constructor(log: Log, settings: Pick<ShownRequestSettings, "logMaskedVariables">, websocketId: string) {
    this.#log = log;
    this.#maskedVariables = settings.logMaskedVariables;
    this.#websocketId = websocketId;
  }

  /** @param note what the administrator should know about the handshake */
  accepted(note: string | null): void {
    this.#write("info", { type: "accepted", detail: null }, note);
  }

  /** The handshake was refused. */
  rejected(error: EngineError): void {
    this.#write("error", { type: "rejected", detail: this.#shown(error) });
  }

  /** Lines from now on show who the connection belongs to. */
  authenticated(session: AuthenticatedSession): void {
    this.#session = session;
  }

  connectionError(message: string): void {
    this.#write("error", { type: "conn_err", detail: message });
  }

  closed(code: number, reason: string): void {
    this.#write("info", { type: "closed", detail: { code, reason } });
  }

  operation({ id, requestId, request, textHash }: LoggedOperation, event: OperationEvent): void {
    const level = event.type === "proto_err" || event.type === "query_err" ? "error" : "info";
    if (!this.#log.isEnabled("websocket-log", level)) return;
    const isReadable = !(request instanceof EngineError);
    const detail = {
      operation_id: id,
      request_id: requestId,
      operation_name: isReadable ? request.operationName : null,
      operation_type: event.type === "query_err" ? { ...event, detail: this.#shown(event.detail) } : event,
      // The operation itself is personal data: it is shown only where `query-log` shows it too.
      query:
        isReadable && this.#log.isEnabled("query-log", "info") ? shownRequest(request, this.#maskedVariables) : null,
      parameterized_query_hash: textHash?.() ?? null,
    };
    this.#write(level, { type: "operation", detail });
  }

  #write(level: LogLevel, event: { readonly type: string; readonly detail: unknown }, msg: string | null = null): void {
    if (!this.#log.isEnabled("websocket-log", level)) return;
    const user_vars = this.#session === null ? null : Object.fromEntries(this.#session.variables);
    const connection_info = { websocket_id: this.#websocketId, token_expiry: this.#expiry(), msg };
    this.#log.text("websocket-log", level, stringifyJson({ event, connection_info, user_vars }));
  }

  #shown(error: EngineError): unknown {
    return shownError(error, this.#maskedVariables);
  }

  #expiry(): string | null {
    const time = this.#session?.expiresAt;
    // Tokens may name times that no calendar has.
    return time === undefined || time > latestDate ? null : new Date(time).toISOString();
  }
}

const latestDate = 8.64e15;
