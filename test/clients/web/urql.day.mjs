/** urql with its defaults, which sends queries by GET, and its exchange for subscriptions. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Client, fetchExchange, gql, subscriptionExchange } from "@urql/core";
import { createClient as createSocket } from "graphql-ws";
import WebSocket from "ws";
import { endpoint, headersOf, Seen, seed, socketEndpoint } from "../premises.mjs";

let user = "urql";
const methods = [];
const socket = createSocket({
  url: socketEndpoint,
  webSocketImpl: WebSocket,
  connectionParams: () => ({ headers: headersOf(user) }),
});
const client = new Client({
  url: endpoint,
  requestPolicy: "network-only",
  fetchOptions: () => ({ headers: headersOf(user) }),
  fetch: (input, init) => {
    methods.push(init.method);
    return fetch(input, init);
  },
  exchanges: [
    fetchExchange,
    subscriptionExchange({
      forwardSubscription: ({ query = "", variables }) => ({
        subscribe: (sink) => ({ unsubscribe: socket.subscribe({ query, variables }, sink) }),
      }),
    }),
  ],
});
const ok = ({ data, error }) => {
  assert.ifError(error);
  return data;
};

const pageOf = gql`
  query Page($where: note_bool_exp, $limit: Int!, $offset: Int!) {
    note(where: $where, order_by: { title: asc }, limit: $limit, offset: $offset) {
      id
      title
      folder {
        name
      }
    }
  }
`;

before(() => seed(user, 12));
after(() => socket.dispose());

test("urql lists, filters and pages by GET", async () => {
  const page = async (variables) => ok(await client.query(pageOf, { limit: 5, offset: 0, ...variables }));
  assert.deepEqual(
    (await page({ offset: 10 })).note.map(({ title }) => title),
    ["note 11", "note 12"],
  );
  const where = { folder: { name: { _eq: "Archive" } }, stars: { _gt: 8 } };
  const { note } = await page({ where });
  assert.deepEqual(
    note.map(({ title, folder }) => [title, folder.name]),
    [
      ["note 10", "Archive"],
      ["note 12", "Archive"],
    ],
  );
  assert.deepEqual(methods, ["GET", "GET"]);
});

test("urql creates, updates, deletes and subscribes", async () => {
  const seen = new Seen();
  const named = gql`
    subscription Named($title: String!) {
      note(where: { title: { _like: $title } }) {
        id
        title
      }
    }
  `;
  const { unsubscribe } = client.subscription(named, { title: "from urql%" }).subscribe((result) => {
    seen.show(ok(result).note.map(({ title }) => title));
  });
  await seen.shows([]);
  const insert = gql`
    mutation Insert($object: note_insert_input!) {
      insert_note_one(object: $object) {
        id
        title
      }
    }
  `;
  const object = { title: "from urql", folder_id: 1 };
  const { id } = ok(await client.mutation(insert, { object })).insert_note_one;
  await seen.shows(["from urql"]);
  const update = gql`
    mutation Rename($id: uuid!, $title: String!) {
      update_note_by_pk(pk_columns: { id: $id }, _set: { title: $title }) {
        id
        title
      }
    }
  `;
  const renamed = ok(await client.mutation(update, { id, title: "from urql, renamed" }));
  assert.equal(renamed.update_note_by_pk.title, "from urql, renamed");
  await seen.shows(["from urql, renamed"]);
  const remove = gql`
    mutation Remove($id: uuid!) {
      delete_note_by_pk(id: $id) {
        id
      }
    }
  `;
  assert.equal(ok(await client.mutation(remove, { id })).delete_note_by_pk.id, id);
  await seen.shows([]);
  unsubscribe();
});

test("urql receives errors with their codes", async () => {
  const { error } = await client.query("{ note { owner } }", {});
  assert.match(error.graphQLErrors[0].message, /owner/);
  assert.equal(error.graphQLErrors[0].extensions.code, "validation-failed");
  const insert = 'mutation { insert_note_one(object: { title: "", folder_id: 1 }) { id } }';
  const refused = await client.mutation(insert, {});
  assert.equal(refused.error.graphQLErrors[0].extensions.code, "permission-error");
});

test("urql goes on with another token", async () => {
  user = "urql-2";
  assert.deepEqual(ok(await client.query(pageOf, { limit: 5, offset: 0 })).note, []);
});
