/** @refinedev/hasura: the data provider and the live provider of refine. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import refine, { GraphQLClient, graphqlWS, liveProvider } from "@refinedev/hasura";
import WebSocket from "ws";
import { endpoint, headersOf, Seen, seed, socketEndpoint } from "../premises.mjs";

let user = "refine";
const meta = { fields: ["id", "title", "stars", { folder: ["name"] }] };
const resource = "note";
const client = new GraphQLClient(endpoint, { headers: () => headersOf(user) });
const socket = graphqlWS.createClient({
  url: socketEndpoint,
  webSocketImpl: WebSocket,
  connectionParams: () => ({ headers: headersOf(user) }),
});
const notes = refine(client);
const titles = ({ data }) => data.map(({ title }) => title);
const sorters = [{ field: "title", order: "asc" }];

before(() => seed(user, 12));
after(() => socket.dispose());

test("@refinedev/hasura lists, sorts, pages and filters", async () => {
  const pagination = { currentPage: 3, current: 3, pageSize: 5 };
  const page = await notes.getList({ resource, meta, sorters, pagination });
  assert.deepEqual([page.total, titles(page)], [12, ["note 11", "note 12"]]);
  const filters = [
    { field: "folder.name", operator: "eq", value: "Archive" },
    {
      operator: "or",
      value: [
        { field: "stars", operator: "lt", value: 4 },
        { field: "title", operator: "contains", value: "12" },
      ],
    },
  ];
  const found = await notes.getList({ resource, meta, sorters, filters });
  assert.deepEqual([found.total, titles(found)], [2, ["note 02", "note 12"]]);
});

test("@refinedev/hasura creates, reads, updates, deletes and subscribes", async () => {
  const seen = new Seen();
  const live = liveProvider(socket);
  const subscription = live.subscribe({
    channel: "resources/note",
    types: ["*"],
    callback: (rows) => {
      seen.show(titles({ data: rows }));
    },
    params: {
      resource,
      meta,
      subscriptionType: "useList",
      filters: [{ field: "title", operator: "startswith", value: "from refine" }],
      pagination: { currentPage: 1, current: 1, pageSize: 10, mode: "server" },
      sorters,
    },
  });
  await seen.shows([]);
  const variables = { title: "from refine", folder_id: 2 };
  const { data: created } = await notes.create({ resource, variables, meta });
  assert.equal(created.folder.name, "Archive");
  await seen.shows(["from refine"]);
  const { id } = created;
  await notes.update({ resource, id, variables: { title: "from refine, renamed" }, meta });
  await seen.shows(["from refine, renamed"]);
  assert.equal((await notes.getOne({ resource, id, meta })).data.title, "from refine, renamed");
  assert.deepEqual(titles(await notes.getMany({ resource, ids: [id], meta })), ["from refine, renamed"]);
  await notes.deleteOne({ resource, id, meta });
  await seen.shows([]);
  live.unsubscribe(subscription);
});

test("@refinedev/hasura changes several at once", async () => {
  const variables = [1, 2].map((i) => ({ title: `several ${i}`, folder_id: 1 }));
  const { data: created } = await notes.createMany({ resource, variables, meta });
  const ids = created.map(({ id }) => id);
  await notes.updateMany({ resource, ids, variables: { stars: 9 }, meta });
  const { data: changed } = await notes.getMany({ resource, ids, meta });
  assert.deepEqual(
    changed.map(({ stars }) => stars),
    [9, 9],
  );
  assert.equal((await notes.deleteMany({ resource, ids, meta })).data.length, 2);
});

test("@refinedev/hasura reads groups and the first rows of groups, and writes related rows, by documents", async () => {
  const best = `query Best($limit: Int, $offset: Int, $order_by: [note_order_by!]) {
    note(limit: $limit, offset: $offset, order_by: $order_by, top_per: { columns: folder_id, limit: 1 }) { title }
    note_aggregate(top_per: { columns: folder_id, limit: 1 }) { aggregate { count } }
  }`;
  const firsts = await notes.getList({ resource, meta: { gqlQuery: best }, sorters });
  assert.deepEqual([firsts.total, titles(firsts)], [2, ["note 01", "note 02"]]);
  const byFolder = "{ note_group(by: { column: folder_id }) { key { folder_id } aggregate { count } } }";
  const { data: groups } = await notes.custom({ url: "", method: "get", meta: { gqlQuery: byFolder } });
  assert.deepEqual(groups.note_group, [
    { key: { folder_id: 1 }, aggregate: { count: 6 } },
    { key: { folder_id: 2 }, aggregate: { count: 6 } },
  ]);
  const rate = `mutation Rate($id: Int!, $object: folder_related_input) {
    update_folder_by_pk(pk_columns: { id: $id }, _related: $object) { id notes(where: { stars: { _gt: 20 } }) { title } }
  }`;
  const variables = { notes: { update: { where: { title: { _eq: "note 12" } }, _set: { stars: 30 } } } };
  const updated = await notes.update({ resource: "folder", id: 2, variables, meta: { gqlMutation: rate } });
  assert.deepEqual(updated.data, { id: 2, notes: [{ title: "note 12" }] });
});

test("@refinedev/hasura receives errors and continues with another token", async () => {
  const refused = notes.create({ resource, variables: { title: "", folder_id: 1 }, meta });
  await assert.rejects(refused, (error) => error.response.errors[0].extensions.code === "permission-error");
  user = "refine-2";
  assert.equal((await notes.getList({ resource, meta })).total, 0);
});
