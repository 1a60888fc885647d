/** Cases with live queries and streams, as server-sent events. */
import { type CheckContext, CheckFailure, dataOf, expectEqual, type Program } from "../context.ts";

/** Maximum wait in milliseconds for a result. */
const patience = 20_000;

/** Subscribes, and returns a function that resolves to the next result. */
async function subscribe(engine: string, query: string) {
  const abort = new AbortController();
  const response = await fetch(`${engine}/v1/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "text/event-stream" },
    body: JSON.stringify({ query }),
    signal: abort.signal,
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  const next = async (): Promise<unknown> => {
    const limit = setTimeout(() => abort.abort(), patience);
    try {
      for (;;) {
        const [, event, rest] = /data: (\{[^\n]*\})\r?\n\r?\n(.*)$/s.exec(text) ?? [];
        if (event !== undefined) {
          text = rest ?? "";
          return JSON.parse(event);
        }
        const { value, done } = (await reader?.read()) ?? { value: "", done: true };
        if (done) throw new CheckFailure(`the subscription ended: ${text}`, query);
        text += value ?? "";
      }
    } finally {
      clearTimeout(limit);
    }
  };
  return { next, close: () => abort.abort() };
}

const change = 'mutation { update_shelf(where: {floor: {_eq: 2}}, _set: {label: "new"}) { affected_rows } }';

async function liveQuery({ engine, post }: CheckContext): Promise<void> {
  const subscription = await subscribe(engine, "subscription { shelf(where: {floor: {_eq: 2}}) { label } }");
  try {
    expectEqual(await subscription.next(), { data: { shelf: [{ label: "C" }] } }, "first result");
    await dataOf(post, change);
    expectEqual(await subscription.next(), { data: { shelf: [{ label: "new" }] } }, "result after a change");
  } finally {
    subscription.close();
  }
}

async function stream({ engine, post }: CheckContext): Promise<void> {
  const query =
    "subscription { book_stream(batch_size: 10, cursor: [{initial_value: {id: 3}, ordering: ASC}]) { id title } }";
  const subscription = await subscribe(engine, query);
  try {
    expectEqual(
      await subscription.next(),
      { data: { book_stream: [{ id: 4, title: "More Sisters" }] } },
      "first batch",
    );
    const object = '{id: 5, title: "Five", price: 1, author_id: 1}';
    await dataOf(post, `mutation { insert_book_one(object: ${object}) { id } }`);
    expectEqual(await subscription.next(), { data: { book_stream: [{ id: 5, title: "Five" }] } }, "next batch");
  } finally {
    subscription.close();
  }
}

export const subscriptions: Program = (context) => [
  { name: "a live query", run: () => liveQuery(context) },
  { name: "a stream", run: () => stream(context) },
];
