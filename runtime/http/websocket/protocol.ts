/**
 * The two sub-protocols of GraphQL over WebSocket as tables of what differs between them (`graphql-api.md` 7.2 and
 * 7.3): the texts of messages, and how a connection ends. One state machine (`connection.ts`) serves both.
 */

export interface Closing {
  readonly code: number;
  /** At most 123 bytes of UTF-8. */
  readonly reason: string;
}

/** Why an operation cannot start. */
export interface StartProblem {
  readonly message: string;
  /** Where a failed start ends the connection, what the reason for closing says. */
  readonly closing: { readonly code: number; readonly text: string };
}

/** What the client is sent because of one of its mistakes; `null`: the connection stays. */
export interface Reaction {
  readonly messages: readonly string[];
  readonly closing: Closing | null;
}

export interface Protocol {
  /** As it stands in `Sec-WebSocket-Protocol`. */
  readonly name: "graphql-ws" | "graphql-transport-ws";
  readonly keepAlive: string;
  /** `type` of a message that carries a result. */
  readonly resultType: "data" | "next";
  /** The client did not initialise the connection in time. */
  readonly initTimeout: Closing;
  /** The client initialised the connection a second time. */
  readonly secondInit: Reaction;
  /** The operation was refused before it ran. @param errors JSON text of a list */
  refused(id: string, errors: string): string;
  /** A query or mutation failed while it ran. @param errors JSON text of a list */
  failed(id: string, errors: string): string;
  /** Authentication failed. */
  initFailure(message: string): Reaction;
  /** A message of the client could not be read. */
  unreadable(problem: string): Reaction;
  /** What follows the error of an operation that could not start. */
  failedStart(id: string, problem: StartProblem): Reaction;
}

/** What a close frame can carry, in bytes. */
const longestReason = 123;

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

/** The reason is a JSON object with the code and the text, which is cut where the frame would become too long. */
export function serverError(code: number, text: string): Closing {
  const letters = Array.from(text.slice(0, longestReason));
  for (;;) {
    const reason = JSON.stringify({ server_error_msg: `${code}: ${letters.join("")}` });
    if (Buffer.byteLength(reason) <= longestReason) return { code, reason };
    letters.pop();
  }
}

/** What the client was let in with holds no longer; it may come back with something fresh. */
export const sessionExpired: Closing = serverError(4403, "Session expired");
export const metadataChanged: Closing = { code: 1012, reason: "Server state changed, restarting the server" };
export const shuttingDown: Closing = { code: 1012, reason: "shutting server down" };
