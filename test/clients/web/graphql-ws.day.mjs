/** graphql-ws: all operations over one WebSocket. */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { createClient } from "graphql-ws";
import WebSocket from "ws";
import { headersOf, seed, socketEndpoint, until } from "../premises.mjs";

let user = "graphql-ws";
const connect = () =>
  createClient({
    url: socketEndpoint,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    connectionParams: () => ({ headers: headersOf(user) }),
  });
const ask = async (client, query, variables) => (await client.iterate({ query, variables }).next()).value;
const titles = ({ data }) => data.note.map(({ title }) => title);

before(() => seed(user, 7));

test("graphql-ws queries, changes and subscribes over one connection", async () => {
  const client = connect();
  const page = "query ($offset: Int) { note(order_by: {stars: desc}, limit: 3, offset: $offset) { title } }";
  assert.deepEqual(titles(await ask(client, page, { offset: 3 })), ["note 04", "note 03", "note 02"]);
  const live = client.iterate({ query: 'subscription { note(where: {title: {_like: "from %"}}) { title } }' });
  await until(live, (result) => titles(result).length === 0);
  const insert =
    'mutation { insert_note(objects: [{title: "from graphql-ws", folder_id: 1}]) { returning { id title } } }';
  const { data } = await ask(client, insert);
  const [{ id }] = data.insert_note.returning;
  const updated = client.iterate({ query: 'subscription { note(where: {title: {_like: "from %"}}) { title stars } }' });
  await until(updated, (result) => titles(result).length === 1);
  await ask(client, "mutation ($id: uuid!) { update_note_by_pk(pk_columns: {id: $id}, _inc: {stars: 5}) { id } }", {
    id,
  });
  await until(updated, ({ data: { note } }) => note[0]?.stars === 5);
  await ask(client, "mutation ($id: uuid!) { delete_note_by_pk(id: $id) { id } }", { id });
  await until(updated, (result) => titles(result).length === 0);
  await live.return();
  await client.dispose();
});

test("graphql-ws streams rows in batches", async () => {
  const client = connect();
  const query =
    "subscription { note_stream(batch_size: 4, cursor: {initial_value: {stars: 0}, ordering: ASC}) { title } }";
  const seen = [];
  await until(client.iterate({ query }), ({ data }) => {
    seen.push(...data.note_stream.map(({ title }) => title));
    return seen.length === 7;
  });
  assert.deepEqual(
    seen,
    [1, 2, 3, 4, 5, 6, 7].map((i) => `note 0${i}`),
  );
  await client.dispose();
});

test("graphql-ws receives errors and the reason why a connection is refused", async () => {
  const client = connect();
  await assert.rejects(ask(client, "{ nothing }"), ([error]) => error.extensions.code === "validation-failed");
  await client.dispose();
  const stranger = createClient({
    url: socketEndpoint,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    connectionParams: { headers: { authorization: "Bearer no.such.token" } },
  });
  await assert.rejects(ask(stranger, "{ note { id } }"));
});

test("graphql-ws connects again with another token", async () => {
  user = "graphql-ws-2";
  const client = connect();
  assert.deepEqual(titles(await ask(client, "{ note { title } }")), []);
  await client.dispose();
});
