/** A subscription over a WebSocket, by the protocol `graphql-transport-ws`. */
import { websocketEndpoint } from "../../http/address.ts";
import { adminHeaders } from "../../http/credentials.ts";
import type { GraphqlCall, GraphqlError } from "../../http/graphql.ts";
import { parseExact } from "../../http/json.ts";

interface Result {
  readonly data: unknown;
  readonly errors: readonly GraphqlError[];
  /** As JSON. */
  readonly text: string;
}

export interface Listener {
  readonly onNext: (result: Result) => void;
  /** @param problem why it ended; `null`: the server has no more results */
  readonly onEnd: (problem: string | null) => void;
}

interface Message {
  readonly type?: string;
  readonly payload?: unknown;
}

/** @returns ends it; the listener is not told of that */
export function startSubscription(
  call: GraphqlCall,
  headers: Readonly<Record<string, string>>,
  listener: Listener,
): () => void {
  const socket = new WebSocket(websocketEndpoint("/v1/graphql"), "graphql-transport-ws");
  const send = (message: unknown): void => socket.send(JSON.stringify(message));
  let isOver = false;
  const end = (problem?: string | null): void => {
    if (isOver) return;
    isOver = true;
    if (socket.readyState === WebSocket.OPEN) send({ type: "complete", id: "1" });
    socket.close(1000);
    if (problem !== undefined) listener.onEnd(problem);
  };
  const handlers: Readonly<Record<string, (message: Message) => void>> = {
    connection_ack: () => send({ type: "subscribe", id: "1", payload: call }),
    ping: () => send({ type: "pong" }),
    next: ({ payload }) => {
      const { data = null, errors = [] } = payload as { data?: unknown; errors?: readonly GraphqlError[] };
      listener.onNext({ data, errors, text: JSON.stringify(payload) });
    },
    error: ({ payload }) => end(firstMessage(payload)),
    complete: () => end(null),
  };
  socket.onopen = () => send({ type: "connection_init", payload: { headers: { ...adminHeaders(), ...headers } } });
  socket.onmessage = ({ data }) => {
    const message = parseExact(String(data)) as Message;
    handlers[message.type ?? ""]?.(message);
  };
  socket.onclose = ({ reason, code }) => end(reason === "" ? `The connection was closed (${code}).` : reason);
  return () => end();
}

function firstMessage(payload: unknown): string {
  const [first] = Array.isArray(payload) ? payload : [payload];
  const message: unknown = first?.message;
  return typeof message === "string" ? message : "The server refused the subscription.";
}
