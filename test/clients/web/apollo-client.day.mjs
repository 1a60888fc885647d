/** Apollo Client: its cache, `useGETForQueries`, persisted queries, and its link for subscriptions. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, test } from "node:test";
import { ApolloClient, ApolloLink, CombinedGraphQLErrors, gql, HttpLink, InMemoryCache } from "@apollo/client/core";
import { SetContextLink } from "@apollo/client/link/context";
import { PersistedQueryLink } from "@apollo/client/link/persisted-queries";
import { GraphQLWsLink } from "@apollo/client/link/subscriptions";
import { createClient as createSocket } from "graphql-ws";
import WebSocket from "ws";
import { endpoint, headersOf, Seen, seed, socketEndpoint } from "../premises.mjs";

let user = "apollo";
const requests = [];
const socket = createSocket({
  url: socketEndpoint,
  webSocketImpl: WebSocket,
  connectionParams: () => ({ headers: headersOf(user) }),
});
const authentication = new SetContextLink(({ headers }) => ({ headers: { ...headers, ...headersOf(user) } }));

function clientOf({ isPersisted = false, ...options } = {}) {
  const http = new HttpLink({
    uri: endpoint,
    fetch: (uri, init) => {
      requests.push(`${init.method}${init.body?.includes('"query"') || uri.includes("query=") ? " query" : ""}`);
      return fetch(uri, init);
    },
    ...options,
  });
  const sha256 = (text) => createHash("sha256").update(text).digest("hex");
  const persisted = isPersisted ? [new PersistedQueryLink({ sha256 })] : [];
  const isSubscription = ({ operationType }) => operationType === "subscription";
  const link = ApolloLink.split(
    isSubscription,
    new GraphQLWsLink(socket),
    ApolloLink.from([authentication, ...persisted, http]),
  );
  return new ApolloClient({ link, cache: new InMemoryCache() });
}

const client = clientOf();

const pageOf = gql`
  query Page($limit: Int = 5, $offset: Int = 0, $where: note_bool_exp! = {}) {
    note(order_by: { title: asc }, limit: $limit, offset: $offset, where: $where) {
      id
      title
      stars
      folder {
        id
        name
      }
    }
    note_aggregate {
      aggregate {
        count
      }
    }
  }
`;
const titles = ({ data }) => data.note.map(({ title }) => title);

before(() => seed(user, 12));
after(() => socket.dispose());

test("Apollo Client lists, filters and pages", async () => {
  const first = await client.query({ query: pageOf });
  assert.deepEqual(titles(first), ["note 01", "note 02", "note 03", "note 04", "note 05"]);
  assert.equal(first.data.note_aggregate.aggregate.count, 12);
  const last = await client.query({ query: pageOf, variables: { offset: 10 } });
  assert.deepEqual(titles(last), ["note 11", "note 12"]);
  const where = { _and: [{ folder: { name: { _ilike: "arch%" } } }, { stars: { _lte: 4 } }] };
  assert.deepEqual(titles(await client.query({ query: pageOf, variables: { where } })), ["note 02", "note 04"]);
});

test("Apollo Client sends queries by GET if configured to", async () => {
  requests.length = 0;
  assert.equal(titles(await clientOf({ useGETForQueries: true }).query({ query: pageOf })).length, 5);
  assert.deepEqual(requests, ["GET query"]);
});

test("Apollo Client sends the text of persisted queries, which the engine does not keep", async () => {
  const persisting = clientOf({ isPersisted: true });
  requests.length = 0;
  assert.equal(titles(await persisting.query({ query: pageOf })).length, 5);
  assert.equal(titles(await persisting.query({ query: pageOf, variables: { offset: 10 } })).length, 2);
  assert.deepEqual(requests.slice(0, 2), ["POST", "POST query"]);
});

test("Apollo Client creates, updates what its cache shows, deletes and subscribes", async () => {
  const seen = new Seen();
  const query = gql`
    subscription Newest {
      note(where: { title: { _like: "from Apollo%" } }) {
        id
        title
      }
    }
  `;
  const subscription = client.subscribe({ query }).subscribe({
    next: (result) => {
      seen.show(titles(result));
    },
  });
  await seen.shows([]);
  const insert = gql`
    mutation Insert {
      insert_note_one(object: { title: "from Apollo", folder_id: 2 }) {
        id
        title
      }
    }
  `;
  const inserted = await client.mutate({ mutation: insert });
  const { id } = inserted.data.insert_note_one;
  await seen.shows(["from Apollo"]);
  const byKey = gql`
    query Note($id: uuid!) {
      note_by_pk(id: $id) {
        id
        title
      }
    }
  `;
  await client.query({ query: byKey, variables: { id } });
  const rename = gql`
    mutation Rename($id: uuid!) {
      update_note_by_pk(pk_columns: { id: $id }, _set: { title: "from Apollo, renamed" }) {
        id
        title
      }
    }
  `;
  await client.mutate({ mutation: rename, variables: { id } });
  const cached = await client.query({ query: byKey, variables: { id }, fetchPolicy: "cache-only" });
  assert.equal(cached.data.note_by_pk.title, "from Apollo, renamed");
  await seen.shows(["from Apollo, renamed"]);
  const remove = gql`
    mutation Remove($where: note_bool_exp!) {
      delete_note(where: $where) {
        affected_rows
      }
    }
  `;
  const { data } = await client.mutate({ mutation: remove, variables: { where: { id: { _eq: id } } } });
  assert.equal(data.delete_note.affected_rows, 1);
  await seen.shows([]);
  subscription.unsubscribe();
});

test("Apollo Client returns rows before and after a change if only the new row has its key", async () => {
  const [{ id }] = (await client.query({ query: pageOf, variables: { offset: 11 } })).data.note;
  const mutation = gql`
    mutation Raise($id: uuid!) {
      update_note(where: { id: { _eq: $id } }, _inc: { stars: 10 }) {
        changes {
          inserted
          old {
            stars
          }
          new {
            id
            stars
          }
        }
      }
    }
  `;
  const { data } = await client.mutate({ mutation, variables: { id } });
  const [change] = data.update_note.changes;
  assert.deepEqual([change.old.stars, change.new.stars], [12, 22]);
  const cached = await client.query({ query: pageOf, variables: { offset: 11 }, fetchPolicy: "cache-only" });
  assert.equal(cached.data.note[0].stars, 22);
});

test("Apollo Client caches groups by their keys", async () => {
  const query = gql`
    query Groups($by: [note_aggregate_group_by!]!, $isByFolder: Boolean!) {
      note_group(by: $by, where: { stars: { _lte: 11 } }) {
        key {
          folder_id @include(if: $isByFolder)
          from: _bucket(column: stars) @skip(if: $isByFolder)
        }
        aggregate {
          count
        }
      }
    }
  `;
  const counts = async (by, isByFolder, fetchPolicy) => {
    const { data } = await client.query({ query, variables: { by, isByFolder }, fetchPolicy });
    return data.note_group.map(({ key, aggregate }) => [key.folder_id ?? key.from, aggregate.count]);
  };
  const isRead = async (fetchPolicy) => {
    assert.deepEqual(await counts({ column: "folder_id" }, true, fetchPolicy), [
      [1, 6],
      [2, 5],
    ]);
    assert.deepEqual(await counts({ column: "stars", width: 10 }, false, fetchPolicy), [
      [0, 9],
      [10, 2],
    ]);
  };
  await isRead("network-only");
  await isRead("cache-only");
});

test("Apollo Client receives errors with their codes", async () => {
  const refused = (error) => CombinedGraphQLErrors.is(error) && error.errors[0].extensions.code === "validation-failed";
  const query = gql`
    query {
      note {
        owner
      }
    }
  `;
  await assert.rejects(client.query({ query }), refused);
});

test("Apollo Client goes on with another token", async () => {
  user = "apollo-2";
  await client.resetStore();
  assert.deepEqual(titles(await client.query({ query: pageOf })), []);
});
