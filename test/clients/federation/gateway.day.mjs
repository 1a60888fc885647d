/** Apollo's composition and gateway: the engine as a subgraph beside one that adds fields to its entities. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { composeServices } from "@apollo/composition";
import { ApolloGateway, RemoteGraphQLDataSource } from "@apollo/gateway";
import { ApolloServer } from "@apollo/server";
import { startStandaloneServer } from "@apollo/server/standalone";
import { buildSubgraphSchema } from "@apollo/subgraph";
import { parse } from "graphql";
import { endpoint, headersOf, seed } from "../premises.mjs";

let user = "gateway";
let shelves;
let shelvesUrl;
let supergraphSdl;

/** A subgraph that adds a colour to the engine's folders. */
const shelvesSdl = `
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.0", import: ["@key", "@external"])
  type folder @key(fields: "id") { id: Int! colour: String! }
  type Query { favourite: folder }
`;
const resolvers = {
  folder: { colour: ({ id }) => ["red", "green"][id - 1] },
  Query: { favourite: () => ({ id: 2 }) },
};

const ask = async (url, query, variables) => {
  const headers = { "content-type": "application/json", ...headersOf(user) };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify({ query, variables }) });
  return response.json();
};

before(async () => {
  await seed(user, 6);
  shelves = new ApolloServer({ schema: buildSubgraphSchema({ typeDefs: parse(shelvesSdl), resolvers }) });
  ({ url: shelvesUrl } = await startStandaloneServer(shelves, { listen: { port: 0 } }));
});
after(() => shelves.stop());

test("@apollo/composition makes one schema of the engine's and another", async () => {
  const { data } = await ask(endpoint, "{ _service { sdl } }");
  const composed = composeServices([
    { name: "engine", url: endpoint, typeDefs: parse(data._service.sdl) },
    { name: "shelves", url: shelvesUrl, typeDefs: parse(shelvesSdl) },
  ]);
  assert.equal(composed.errors, undefined, String(composed.errors));
  supergraphSdl = composed.supergraphSdl;
});

test("@apollo/gateway requests rows, entities and changes with the caller's token", async () => {
  class Asking extends RemoteGraphQLDataSource {
    willSendRequest({ request, context }) {
      if (context.authorization) request.http.headers.set("authorization", context.authorization);
    }
  }
  const gateway = new ApolloGateway({ supergraphSdl, buildService: ({ url }) => new Asking({ url }) });
  const server = new ApolloServer({ gateway });
  const { url } = await startStandaloneServer(server, {
    listen: { port: 0 },
    context: async ({ req }) => ({ authorization: req.headers.authorization }),
  });
  try {
    const list = `query ($where: note_bool_exp) {
      note(where: $where, order_by: { title: asc }, limit: 2, offset: 1) { title folder { name colour } }
      favourite { colour name notes(order_by: { title: desc }, limit: 1) { title } }
    }`;
    assert.deepEqual(await ask(url, list, { where: { stars: { _gt: 2 } } }), {
      data: {
        note: [
          { title: "note 04", folder: { name: "Archive", colour: "green" } },
          { title: "note 05", folder: { name: "Inbox", colour: "red" } },
        ],
        favourite: { colour: "green", name: "Archive", notes: [{ title: "note 06" }] },
      },
    });
    const insert = 'mutation { insert_note_one(object: { title: "new", folder_id: 2 }) { id folder { colour } } }';
    const { data } = await ask(url, insert);
    assert.equal(data.insert_note_one.folder.colour, "green");
    const { id } = data.insert_note_one;
    const update = "mutation ($id: uuid!) { update_note_by_pk(pk_columns: { id: $id }, _inc: { stars: 2 }) { stars } }";
    assert.equal((await ask(url, update, { id })).data.update_note_by_pk.stars, 2);
    const remove = "mutation ($id: uuid!) { delete_note_by_pk(id: $id) { id } }";
    assert.equal((await ask(url, remove, { id })).data.delete_note_by_pk.id, id);
    const refused = await ask(url, 'mutation { insert_note_one(object: { title: "", folder_id: 2 }) { id } }');
    assert.match(refused.errors[0].message, /Check constraint violation/);
    user = "gateway-2";
    assert.deepEqual((await ask(url, "{ note { title } }")).data.note, []);
  } finally {
    await server.stop();
  }
});
