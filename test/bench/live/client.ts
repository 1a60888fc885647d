/** The clients of the live query benchmark: one process with all their connections. */
import type { ClientSettings, Order, Report, Seen } from "./messages.ts";
import { RawWebsocket } from "./raw-websocket.ts";

/** Contents of a room's text, by row: the number of its last change, and the send time of that change. */
type Rows = ReadonlyMap<string, { readonly change: number; readonly sentAt: number }>;

const openedAtOnce = 200;
const longestDelay = 60_000;

let results = 0;
let bytes = 0;
let delays = new Map<number, number>();
/** Parsed texts of rooms: clients of a room receive equal texts. */
const texts = new Map<string, Rows>();
/** The last message and its contents: the next message is often equal. */
let last: { readonly message: Buffer; readonly rows: Rows } | undefined;
/** The last transition between two states, with the send times of the changes between them. */
let step: { readonly before: Rows; readonly rows: Rows; readonly sentAt: readonly number[] } | undefined;
const seen: { readonly room: number; rows: Rows | null }[] = [];

/**
 * Returns the contents of a message.
 * @param message starts at the payload, because ids differ between subscriptions of a connection
 */
function rowsOf(message: Buffer): Rows {
  if (last?.message.equals(message)) return last.rows;
  const text = message.toString("utf8");
  let rows = texts.get(text);
  if (!rows) {
    const { payload } = JSON.parse(`{${text}`) as {
      payload: { data: { reading: { id: number; change: number; sent_at: number }[] } };
    };
    rows = new Map(payload.data.reading.map(({ id, change, sent_at }) => [String(id), { change, sentAt: sent_at }]));
    if (texts.size > 2000) texts.clear();
    texts.set(text, rows);
  }
  last = { message: Buffer.from(message), rows };
  return rows;
}

function changesBetween(before: Rows, rows: Rows): readonly number[] {
  if (step?.before !== before || step.rows !== rows) {
    const changed = [...rows].filter(([id, { change }]) => change > (before.get(id)?.change ?? 0));
    step = { before, rows, sentAt: changed.map(([, { sentAt }]) => sentAt) };
  }
  return step.sentAt;
}

function take(state: { rows: Rows | null }, message: Buffer): void {
  results++;
  bytes += message.length;
  const rows = rowsOf(message.subarray(message.indexOf('"payload":')));
  const now = Date.now();
  const before = state.rows;
  state.rows = rows;
  if (before === null) return;
  for (const sentAt of changesBetween(before, rows)) {
    const delay = Math.min(Math.max(Math.round(now - sentAt), 0), longestDelay);
    delays.set(delay, (delays.get(delay) ?? 0) + 1);
  }
}

const queries = {
  shared:
    "subscription ($room: Int!) { reading(where: {room: {_eq: $room}}, order_by: {id: asc}) { id change sent_at } }",
  distinct:
    "subscription ($room: Int!, $own: Int!) { reading(where: {room: {_eq: $room}, id: {_neq: $own}}, order_by: {id: asc}) { id change sent_at } }",
  padded:
    "subscription ($room: Int!) { reading(where: {room: {_eq: $room}}, order_by: {id: asc}) { id change sent_at pad } }",
};

const isOf = (type: string, message: Buffer): boolean => message.toString("latin1", 9, 9 + type.length) === type;

/** Opens one connection with some of the subscriptions. @param first index of the first one */
function open({ url, rooms, query, perConnection, subscriptions }: ClientSettings, first: number): Promise<void> {
  const count = Math.min(perConnection, subscriptions - first);
  const states = Array.from({ length: count }, (_, i) => ({ room: (first + i) % rooms, rows: null as Rows | null }));
  seen.push(...states);
  let unanswered = count;
  return new Promise((resolve, reject) => {
    const onText = (message: Buffer): void => {
      if (isOf("next", message)) {
        const state = states[idOf(message)];
        if (state?.rows === null && --unanswered === 0) resolve();
        if (state !== undefined) take(state, message);
      } else if (isOf("error", message)) reject(new Error(message.toString("utf8")));
    };
    const onEnd = (why: string): void => reject(new Error(why));
    const socket = new RawWebsocket(new URL(url), "graphql-transport-ws", onText, onEnd);
    socket.send('{"type":"connection_init"}');
    for (const [i, { room }] of states.entries()) {
      const variables = query === "distinct" ? { room, own: -1 - first - i } : { room };
      socket.send(JSON.stringify({ type: "subscribe", id: String(i), payload: { query: queries[query], variables } }));
    }
  });
}

const beforeId = '"id":"';

/** Returns the id of the message's subscription. */
function idOf(message: Buffer): number {
  const at = message.indexOf(beforeId) + beforeId.length;
  return Number(message.toString("latin1", at, message.indexOf('"', at)));
}

async function openAll(settings: ClientSettings): Promise<void> {
  const started = Date.now();
  const { subscriptions, perConnection } = settings;
  const connections = Math.ceil(subscriptions / perConnection);
  for (let opened = 0; opened < connections; opened += openedAtOnce) {
    const count = Math.min(openedAtOnce, connections - opened);
    await Promise.all(Array.from({ length: count }, (_, i) => open(settings, (opened + i) * perConnection)));
  }
  report({ kind: "ready", milliseconds: Date.now() - started });
}

function finish(): Seen {
  const groups = new Map<string, { room: number; rows: Record<string, number>; subscriptions: number }>();
  for (const { room, rows } of seen) {
    const numbers = Object.fromEntries([...(rows ?? [])].map(([id, { change }]) => [id, change]));
    const key = JSON.stringify([room, numbers]);
    const group = groups.get(key) ?? { room, rows: numbers, subscriptions: 0 };
    groups.set(key, { ...group, subscriptions: group.subscriptions + 1 });
  }
  return { kind: "seen", results, bytes, delays: [...delays], states: [...groups.values()] };
}

function report(message: Report): void {
  process.send?.(message);
}

process.on("message", (order: Order) => {
  switch (order.kind) {
    case "open":
      openAll(order.settings).catch((error: unknown) => {
        console.error(error);
        process.exit(1);
      });
      break;
    case "measure":
      results = 0;
      bytes = 0;
      delays = new Map();
      break;
    case "finish":
      report(finish());
  }
});
