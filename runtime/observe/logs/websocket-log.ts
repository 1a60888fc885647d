/** Log lines of type `websocket-log`: the events of one connection. */

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
  /** Returns the hash of the operation text without literals; absent until the operation is planned. */
  readonly textHash?: (() => string) | undefined;
}

export type OperationEvent =
  | { readonly type: "started" | "completed" | "stopped" }
  | { readonly type: "proto_err"; readonly detail: string }
  | { readonly type: "query_err"; readonly detail: EngineError };

export class WebsocketLog {
  readonly #log: Log;
  readonly #maskedVariables: ReadonlySet<string>;
  /** UUID of the connection. */
  readonly #websocketId: string;
  #session: AuthenticatedSession | null = null;

  /**
   * Creates the log of one connection.
   * @param settings masking of variables
   */
  constructor(log: Log, settings: Pick<ShownRequestSettings, "logMaskedVariables">, websocketId: string) {
    this.#log = log;
    this.#maskedVariables = settings.logMaskedVariables;
    this.#websocketId = websocketId;
  }

  /**
   * Logs an accepted handshake.
   * @param note remark on the handshake for the administrator
   */
  accepted(note: string | null): void {
    this.#write("info", { type: "accepted", detail: null }, note);
  }

  /** Logs a rejected handshake. */
  rejected(error: EngineError): void {
    this.#write("error", { type: "rejected", detail: this.#shown(error) });
  }

  /** Adds the session to all following lines. */
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
      // Operations may contain personal data, so they are included only if `query-log` is enabled.
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
    // Tokens may contain times outside the range of `Date`.
    return time === undefined || time > latestDate ? null : new Date(time).toISOString();
  }
}

const latestDate = 8.64e15;
