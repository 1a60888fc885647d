/** Runs the operation of the API page and holds the result. */
import { effect, signal } from "@preact/signals";
import { websocketEndpoint } from "../../http/address.ts";
import { ApiError } from "../../http/api-error.ts";
import { credentialsOf } from "../../http/credentials.ts";
import { type GraphqlCall, type GraphqlError, type GraphqlResponse, runGraphql } from "../../http/graphql.ts";
import { parseExact } from "../../http/json.ts";
import type { Caller } from "../../http/send.ts";
import { recordOperation } from "../../state/first-run.ts";
import { caller, currentTab, operation, query, readVariables, role, tabs, variables } from "./request-state.ts";

// History of operations, newest first, without their headers.

interface HistoryEntry {
  readonly query: string;
  readonly variables: string;
  readonly role: string;
  /** ISO 8601. */
  readonly at: string;
}

const key = "engine-console-history";
const maxEntries = 50;

function read(): readonly HistoryEntry[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(key) ?? "[]");
    return Array.isArray(found) ? found : [];
  } catch {
    return [];
  }
}

export const history = signal<readonly HistoryEntry[]>(read());

function store(entries: readonly HistoryEntry[]): void {
  history.value = entries;
  try {
    localStorage.setItem(key, JSON.stringify(entries));
  } catch {
    // Storage is full: the history lasts until the page is closed.
  }
}

function addToHistory(entry: Omit<HistoryEntry, "at">): void {
  const others = history.value.filter(
    ({ query, variables, role }) => query !== entry.query || variables !== entry.variables || role !== entry.role,
  );
  store([{ ...entry, at: new Date().toISOString() }, ...others].slice(0, maxEntries));
}

export const clearHistory = (): void => store([]);

// Subscriptions over WebSockets with the protocol `graphql-transport-ws`.

interface Result {
  readonly data: unknown;
  readonly errors: readonly GraphqlError[];
  /** JSON of the result. */
  readonly text: string;
}

interface Listener {
  readonly onNext: (result: Result) => void;
  /** @param problem error that ended the subscription; `null` if it completed */
  readonly onEnd: (problem: string | null) => void;
}

interface Message {
  readonly type?: string;
  readonly payload?: unknown;
}

/** Starts a subscription. Returns a function that ends it without calling the listener. */
function startSubscription(call: GraphqlCall, { headers, token }: Caller, listener: Listener): () => void {
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
  socket.onopen = () =>
    send({ type: "connection_init", payload: { headers: { ...credentialsOf(token), ...headers } } });
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
  return typeof message === "string" ? message : "The server rejected the subscription.";
}

export interface LiveResponse extends GraphqlResponse {
  /** Number of results of a subscription so far. */
  readonly count?: number;
}

export const response = signal<LiveResponse | null>(null);
export const failure = signal<unknown>(null);
export const isRunning = signal(false);

let stopRunning: (() => void) | null = null;

// Each tab has its own result, until the page is closed. A running operation is stopped when another tab is shown.

const results = new Map<string, { readonly response: LiveResponse | null; readonly failure: unknown }>();
let shownTab = currentTab.peek();

effect(() => {
  const next = currentTab.value;
  if (next === shownTab) return;
  stop();
  results.set(shownTab, { response: response.peek(), failure: failure.peek() });
  const kept = new Set(tabs.peek().map(({ id }) => id));
  for (const id of results.keys()) if (!kept.has(id)) results.delete(id);
  const found = results.get(next);
  response.value = found?.response ?? null;
  failure.value = found?.failure ?? null;
  shownTab = next;
});

/** Returns the request to send. @throws Error if the operation is empty or its variables are invalid */
export function currentCall(): GraphqlCall {
  if (query.value.trim() === "") throw new Error("Enter an operation first.");
  const parsedVariables = readVariables();
  const name = operation.value?.name?.value;
  return {
    query: query.value,
    ...(parsedVariables !== undefined && { variables: parsedVariables }),
    ...(name !== undefined && { operationName: name }),
  };
}

export function stop(): void {
  stopRunning?.();
}

/** Runs the operation. Never rejects; errors are in `failure`. */
export async function run(): Promise<void> {
  stop();
  failure.value = null;
  try {
    const call = currentCall();
    addToHistory({ query: query.value, variables: variables.value, role: role.value });
    isRunning.value = true;
    await (operation.value?.operation === "subscription" ? subscribe(call) : once(call));
  } catch (thrown) {
    failure.value = thrown;
  } finally {
    isRunning.value = false;
    stopRunning = null;
  }
}

async function once(call: GraphqlCall): Promise<void> {
  const control = new AbortController();
  stopRunning = () => control.abort();
  try {
    response.value = await runGraphql(call, caller.value, control.signal);
    if (response.value.errors.length === 0) recordOperation();
  } catch (thrown) {
    if (!control.signal.aborted) throw thrown;
  }
}

function subscribe(call: GraphqlCall): Promise<void> {
  response.value = null;
  const begin = performance.now();
  let count = 0;
  return new Promise((resolve, reject) => {
    const end = startSubscription(call, caller.value, {
      onNext: ({ data, errors, text }) => {
        count += 1;
        const bytes = new TextEncoder().encode(text).length;
        response.value = { status: 200, text, data, errors, bytes, count, milliseconds: performance.now() - begin };
      },
      onEnd: (problem) => (problem === null ? resolve() : reject(new ApiError(problem))),
    });
    stopRunning = () => {
      end();
      resolve();
    };
  });
}
