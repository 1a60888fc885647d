/** graphql-sse: all operations over HTTP, with each result of a subscription as an event. */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { createClient } from "graphql-sse";
import { endpoint, headersOf, seed, until } from "../premises.mjs";

let user = "graphql-sse";
const client = createClient({ url: endpoint, retryAttempts: 0, headers: () => headersOf(user) });
const ask = async (query, variables) => (await client.iterate({ query, variables }).next()).value;
const titles = ({ data }) => data.note.map(({ title }) => title);

before(() => seed(user, 7));

test("graphql-sse lists, filters and pages", async () => {
  const page =
    "query ($where: note_bool_exp, $offset: Int) { note(where: $where, order_by: {stars: desc}, limit: 3, offset: $offset) { title } }";
  assert.deepEqual(titles(await ask(page, { offset: 3 })), ["note 04", "note 03", "note 02"]);
  const where = { folder: { name: { _eq: "Archive" } } };
  assert.deepEqual(titles(await ask(page, { where })), ["note 06", "note 04", "note 02"]);
});

test("graphql-sse creates, updates and deletes, and follows that by events", async () => {
  const live = client.iterate({ query: 'subscription { note(where: {title: {_like: "from %"}}) { title stars } }' });
  await until(live, (result) => titles(result).length === 0);
  const insert = 'mutation { insert_note_one(object: {title: "from graphql-sse", folder_id: 1}) { id } }';
  const { id } = (await ask(insert)).data.insert_note_one;
  await until(live, (result) => titles(result)[0] === "from graphql-sse");
  const update = "mutation ($id: uuid!) { update_note_by_pk(pk_columns: {id: $id}, _inc: {stars: 5}) { stars } }";
  await ask(update, { id });
  await until(live, ({ data: { note } }) => note[0]?.stars === 5);
  await ask("mutation ($id: uuid!) { delete_note_by_pk(id: $id) { id } }", { id });
  await until(live, (result) => titles(result).length === 0);
  await live.return();
});

test("graphql-sse streams rows in batches", async () => {
  const query =
    "subscription { note_stream(batch_size: 4, cursor: {initial_value: {stars: 0}, ordering: ASC}) { title } }";
  const seen = [];
  const stream = client.iterate({ query });
  await until(stream, ({ data }) => {
    seen.push(...data.note_stream.map(({ title }) => title));
    return seen.length === 7;
  });
  await stream.return();
  assert.deepEqual(
    seen,
    [1, 2, 3, 4, 5, 6, 7].map((i) => `note 0${i}`),
  );
});

test("graphql-sse receives errors", async () => {
  const { errors } = await ask("{ nothing }");
  assert.equal(errors[0].extensions.code, "validation-failed");
});

test("graphql-sse connects with another token and is refused with a bad one", async () => {
  user = "graphql-sse-2";
  assert.deepEqual(titles(await ask("{ note { title } }")), []);
  const stranger = createClient({
    url: endpoint,
    retryAttempts: 0,
    headers: { authorization: "Bearer no.such.token" },
  });
  const { value } = await stranger.iterate({ query: "{ note { id } }" }).next();
  assert.equal(value.errors[0].extensions.code, "invalid-jwt");
});
