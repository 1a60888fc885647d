/**
 * The differences between the two sub-protocols of GraphQL over WebSocket: message texts and close codes. One state
 * machine (`connection.ts`) serves both.
 */

export interface Closing {
  readonly code: number;
  /** At most 123 bytes of UTF-8. */
  readonly reason: string;
}

/** The reason why an operation cannot start. */
export interface StartProblem {
  readonly message: string;
  /** The close code and reason, for the protocol that closes the connection after a failed start. */
  readonly closing: { readonly code: number; readonly text: string };
}

/** The response to a protocol error of the client; `closing` is `null` if the connection stays open. */
export interface Reaction {
  readonly messages: readonly string[];
  readonly closing: Closing | null;
}

export interface Protocol {
  /** The value in `Sec-WebSocket-Protocol`. */
  readonly name: "graphql-ws" | "graphql-transport-ws";
  readonly keepAlive: string;
  /** The `type` of result messages. */
  readonly resultType: "data" | "next";
  /** Close code and reason for a connection that was not initialised in time. */
  readonly initTimeout: Closing;
  /** The reaction to a second `connection_init`. */
  readonly secondInit: Reaction;
  /**
   * Returns the message for an operation that was refused before it ran.
   * @param errors JSON text of a list
   */
  refused(id: string, errors: string): string;
  /**
   * Returns the message for a query or mutation that failed while it ran.
   * @param errors JSON text of a list
   */
  failed(id: string, errors: string): string;
  /** Returns the reaction to failed authentication. */
  initFailure(message: string): Reaction;
  /** Returns the reaction to a malformed message. */
  unreadable(problem: string): Reaction;
  /** Returns the reaction that follows the error message of an operation that could not start. */
  failedStart(id: string, problem: StartProblem): Reaction;
}

/** The maximum length of a close reason in bytes (RFC 6455, 5.5). */
const maxReasonBytes = 123;

const initTimeoutReason = "Connection initialisation timed out";

const olderProtocol: Protocol = {
  name: "graphql-ws",
  keepAlive: '{"type":"ka"}',
  resultType: "data",
  initTimeout: { code: 1011, reason: initTimeoutReason },
  secondInit: olderInitFailure("Too many initialisation requests"),
  refused: (id, errors) => message("error", id, `{"errors":${errors}}`),
  failed: (id, errors) => message("data", id, `{"data":null,"errors":${errors}}`),
  initFailure: olderInitFailure,
  unreadable: (problem) => ({ messages: [connectionError(problem)], closing: null }),
  failedStart: () => ({ messages: [], closing: null }),
};

function olderInitFailure(text: string): Reaction {
  const closing = serverError(4400, `Connection initialization failed: ${text}`);
  return { messages: [connectionError(text)], closing };
}

function connectionError(text: string): string {
  return `{"type":"connection_error","payload":${JSON.stringify(text)}}`;
}

const newerProtocol: Protocol = {
  name: "graphql-transport-ws",
  keepAlive: '{"type":"ping","payload":{"message":"keepalive"}}',
  resultType: "next",
  initTimeout: { code: 4408, reason: initTimeoutReason },
  secondInit: { messages: [], closing: serverError(4429, "Too many requests") },
  refused: (id, errors) => message("error", id, errors),
  failed: (id, errors) => message("error", id, errors),
  initFailure: () => ({ messages: [], closing: serverError(4403, "Forbidden") }),
  unreadable: (problem) => ({
    messages: [],
    closing: serverError(4400, `Parsing client message failed: ${problem}`),
  }),
  failedStart: (id, { message: text, closing: { code, text: reason } }) => ({
    messages: [message("error", id, JSON.stringify(text))],
    closing: { ...serverError(code, reason), code: 1000 },
  }),
};

/** @param requested the header `Sec-WebSocket-Protocol` of the handshake */
export function chooseProtocol(requested: string | undefined): Protocol {
  return requested?.trim() === newerProtocol.name ? newerProtocol : olderProtocol;
}

/** @param payload JSON text */
export function message(type: "data" | "next" | "error", id: string, payload: string): string {
  return `{"type":"${type}","id":${JSON.stringify(id)},"payload":${payload}}`;
}

export function completeMessage(id: string): string {
  return `{"type":"complete","id":${JSON.stringify(id)}}`;
}

/** Returns a close frame whose reason is a JSON object with code and text, which is truncated to fit the frame. */
export function serverError(code: number, text: string): Closing {
  const letters = Array.from(text.slice(0, maxReasonBytes));
  for (;;) {
    const reason = JSON.stringify({ server_error_msg: `${code}: ${letters.join("")}` });
    if (Buffer.byteLength(reason) <= maxReasonBytes) return { code, reason };
    letters.pop();
  }
}

/** The session has expired; the client may reconnect with new credentials. */
export const sessionExpired: Closing = serverError(4403, "Session expired");
export const metadataChanged: Closing = { code: 1012, reason: "Server state changed, restarting the server" };
export const shuttingDown: Closing = { code: 1012, reason: "shutting server down" };
