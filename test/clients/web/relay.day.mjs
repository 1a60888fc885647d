/** Relay: its compiler on the schema of the Relay endpoint, and its runtime with the compiled artifacts. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { buildClientSchema, getIntrospectionQuery, printSchema } from "graphql";
import { createClient as createSocket } from "graphql-ws";
import relay from "relay-runtime";
import WebSocket from "ws";
import { headersOf, relayEndpoint, Seen, seed, socketEndpoint } from "../premises.mjs";

const { commitMutation, createOperationDescriptor, Environment, fetchQuery, getSelector } = relay;
const { Network, Observable, RecordSource, requestSubscription, Store } = relay;

let user = "relay";
let folder;

const ask = async (query, variables) => {
  const headers = { "content-type": "application/json", ...headersOf(user) };
  const response = await fetch(relayEndpoint, { method: "POST", headers, body: JSON.stringify({ query, variables }) });
  return response.json();
};
const socket = createSocket({
  url: socketEndpoint.replace("/v1/graphql", "/v1beta1/relay"),
  webSocketImpl: WebSocket,
  connectionParams: () => ({ headers: headersOf(user) }),
});
const environmentOf = () =>
  new Environment({
    network: Network.create(
      ({ text }, variables) => ask(text, variables),
      ({ text }, variables) => Observable.create((sink) => socket.subscribe({ query: text, variables }, sink)),
    ),
    store: new Store(new RecordSource()),
  });

const source = `
  import { graphql } from "relay-runtime";

  graphql\`
    fragment program_notes on query_root
    @argumentDefinitions(count: { type: "Int", defaultValue: 5 }, cursor: { type: "String" })
    @refetchable(queryName: "programPageQuery") {
      note_connection(first: $count, after: $cursor, order_by: [{ title: asc }])
        @connection(key: "program_note_connection") {
        edges { node { id title folder { name } } }
      }
    }
  \`;
  graphql\`
    query programNotesQuery { ...program_notes }
  \`;
  graphql\`
    query programFilterQuery($where: note_bool_exp!) {
      note_connection(where: $where, order_by: [{ title: asc }]) { edges { cursor node { id title } } }
    }
  \`;
  graphql\`
    query programNodeQuery($id: ID!) { node(id: $id) { id ... on note { title stars } } }
  \`;
  graphql\`
    mutation programInsertMutation($object: note_insert_input!) { insert_note_one(object: $object) { id title } }
  \`;
  graphql\`
    mutation programUpdateMutation($where: note_bool_exp!, $stars: Int!) {
      update_note(where: $where, _set: { stars: $stars }) { returning { id stars } }
    }
  \`;
  graphql\`
    mutation programDeleteMutation($where: note_bool_exp!) { delete_note(where: $where) { affected_rows } }
  \`;
  graphql\`
    subscription programLiveSubscription($where: note_bool_exp!) {
      note_connection(where: $where) { edges { node { id stars } } }
    }
  \`;
`;

before(async () => {
  await seed(user, 12);
  folder = await mkdtemp(join(tmpdir(), "engine-relay-"));
  await mkdir(join(folder, "src"));
  await symlink(join(import.meta.dirname, "node_modules"), join(folder, "node_modules"));
  const { data } = await ask(getIntrospectionQuery());
  await writeFile(join(folder, "schema.graphql"), printSchema(buildClientSchema(data)));
  await writeFile(join(folder, "src/program.js"), source);
  const settings = { src: "./src", schema: "./schema.graphql", language: "javascript", eagerEsModules: false };
  await writeFile(join(folder, "relay.config.json"), JSON.stringify(settings));
  await writeFile(join(folder, "package.json"), JSON.stringify({ name: "relay-program", type: "commonjs" }));
  await promisify(execFile)(join(import.meta.dirname, "node_modules/.bin/relay-compiler"), [], { cwd: folder });
});

after(async () => {
  await socket.dispose();
  await rm(folder, { recursive: true, force: true });
});

const artifact = async (name) => {
  const { default: node } = await import(pathToFileURL(join(folder, `src/__generated__/${name}.graphql.js`)));
  return node;
};
const nodes = ({ note_connection: { edges } }) => edges.map(({ node }) => node);
const titles = (data) => nodes(data).map(({ title }) => title);
const mutate = async (environment, name, variables) => {
  const mutation = await artifact(name);
  return new Promise((resolve, reject) => {
    const onCompleted = (data, errors) => (errors ? reject(errors) : resolve(data));
    commitMutation(environment, { mutation, variables, onCompleted, onError: reject });
  });
};

test("Relay pages through a connection that its store puts together", async () => {
  const environment = environmentOf();
  const [query, page, fragment] = await Promise.all(
    ["programNotesQuery", "programPageQuery", "program_notes"].map(artifact),
  );
  await fetchQuery(environment, query, {}).toPromise();
  const operation = createOperationDescriptor(query, {});
  const known = () => {
    const root = environment.lookup(operation.fragment).data;
    return environment.lookup(getSelector(fragment, root)).data.note_connection;
  };
  assert.equal(known().edges.length, 5);
  while (known().pageInfo.hasNextPage) {
    await fetchQuery(environment, page, { count: 4, cursor: known().pageInfo.endCursor }).toPromise();
  }
  assert.deepEqual(
    known().edges.map(({ node }) => node.title),
    Array.from({ length: 12 }, (_, i) => `note ${String(i + 1).padStart(2, "0")}`),
  );
});

test("Relay filters, refetches nodes by their ids, creates, updates, deletes and subscribes", async () => {
  const environment = environmentOf();
  const where = { title: { _eq: "from Relay" } };
  const filter = await artifact("programFilterQuery");
  const seen = new Seen();
  const { dispose } = requestSubscription(environment, {
    subscription: await artifact("programLiveSubscription"),
    variables: { where },
    onNext: (data) => {
      seen.show(nodes(data).map(({ stars }) => stars));
    },
  });
  await seen.shows([]);
  const { insert_note_one: created } = await mutate(environment, "programInsertMutation", {
    object: { title: "from Relay", folder_id: 1, stars: 1 },
  });
  await seen.shows([1]);
  assert.deepEqual(titles(await fetchQuery(environment, filter, { where }).toPromise()), ["from Relay"]);
  await mutate(environment, "programUpdateMutation", { where, stars: 3 });
  await seen.shows([3]);
  const byId = await artifact("programNodeQuery");
  const { node } = await fetchQuery(environment, byId, { id: created.id }).toPromise();
  assert.deepEqual([node.title, node.stars], ["from Relay", 3]);
  const { delete_note: deleted } = await mutate(environment, "programDeleteMutation", { where });
  assert.equal(deleted.affected_rows, 1);
  await seen.shows([]);
  dispose();
});

test("Relay receives errors and continues with another token", async () => {
  const environment = environmentOf();
  const refused = mutate(environment, "programInsertMutation", { object: { title: "", folder_id: 1 } });
  await assert.rejects(refused);
  user = "relay-2";
  const filter = await artifact("programFilterQuery");
  assert.deepEqual(titles(await fetchQuery(environmentOf(), filter, { where: {} }).toPromise()), []);
});
