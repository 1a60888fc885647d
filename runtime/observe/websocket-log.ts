/** Lines of type `websocket-log` (`operations.md` 9): what happens on one connection. */

import type { LogLevel } from "../config/log-types.ts";
import type { AuthenticatedSession } from "../ports/authentication.ts";
import type { GraphqlRequest } from "../ports/graphql.ts";
import { errorBody } from "../values/error-body.ts";
import { EngineError } from "../values/errors.ts";
import { stringifyJson } from "../values/json-number.ts";
import type { Log } from "./log.ts";
import { redactSecrets } from "./redact.ts";

export interface LoggedOperation {
  readonly id: string;
  readonly requestId: string;
  readonly request: GraphqlRequest | EngineError;
}

export type OperationEvent =
  | { readonly type: "started" | "completed" | "stopped" }
  | { readonly type: "proto_err"; readonly detail: string }
  | { readonly type: "query_err"; readonly detail: EngineError };

export class WebsocketLog {
  readonly #log: Log;
  /** A UUID that tells the connections apart. */
  readonly #websocketId: string;
  #session: AuthenticatedSession | null = null;

  constructor(log: Log, websocketId: string) {
    this.#log = log;
    this.#websocketId = websocketId;
  }

  /** @param note what the administrator should know about the handshake */
  accepted(note: string | null): void {
    this.#write("info", { type: "accepted", detail: null }, note);
  }

  /** The handshake was refused. */
  rejected(error: EngineError): void {
    this.#write("error", { type: "rejected", detail: errorDetail(error) });
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

  operation({ id, requestId, request }: LoggedOperation, event: OperationEvent): void {
    const level = event.type === "proto_err" || event.type === "query_err" ? "error" : "info";
    if (!this.#log.isEnabled("websocket-log", level)) return;
    const isReadable = !(request instanceof EngineError);
    const detail = {
      operation_id: id,
      request_id: requestId,
      operation_name: isReadable ? request.operationName : null,
      operation_type: event.type === "query_err" ? { ...event, detail: errorDetail(event.detail) } : event,
      // The operation itself is personal data: it is shown only where `query-log` shows it too.
      query: isReadable && this.#log.isEnabled("query-log", "info") ? request : null,
      parameterized_query_hash: null,
    };
    this.#write(level, { type: "operation", detail });
  }

  #write(level: LogLevel, event: { readonly type: string; readonly detail: unknown }, msg: string | null = null): void {
    if (!this.#log.isEnabled("websocket-log", level)) return;
    const user_vars = this.#session === null ? null : Object.fromEntries(this.#session.variables);
    const connection_info = { websocket_id: this.#websocketId, token_expiry: this.#expiry(), msg };
    this.#log.text("websocket-log", level, stringifyJson({ event, connection_info, user_vars }));
  }

  #expiry(): string | null {
    const time = this.#session?.expiresAt;
    // Tokens may name times that no calendar has.
    return time === undefined || time > latestDate ? null : new Date(time).toISOString();
  }
}

const latestDate = 8.64e15;

function errorDetail(error: EngineError): unknown {
  return redactSecrets(errorBody(error, true));
}
