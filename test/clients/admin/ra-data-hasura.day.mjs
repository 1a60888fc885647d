/** ra-data-hasura, the data provider of react-admin, as its introspection sets it up. */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import provider from "ra-data-hasura";
import { endpoint, headersOf, seed } from "../premises.mjs";

let user = "react-admin";
let notes;

const build = () => provider.default({ clientOptions: { uri: endpoint, headers: headersOf(user) } });
const list = (more = {}) =>
  notes.getList("note", {
    pagination: { page: 1, perPage: 5 },
    sort: { field: "title", order: "ASC" },
    filter: {},
    ...more,
  });

before(async () => {
  await seed(user, 12);
  notes = await build();
});

test("ra-data-hasura lists, sorts, pages and filters", async () => {
  const page = await list({ pagination: { page: 3, perPage: 5 } });
  assert.deepEqual([page.total, page.data.map(({ title }) => title)], [12, ["note 11", "note 12"]]);
  const sort = { field: "folder.name,stars", order: "asc,desc" };
  assert.equal((await list({ sort })).data[0].title, "note 12");
  const filter = { folder_id: 2, "title@_ilike": "note 0" };
  const found = await list({ filter });
  assert.deepEqual(
    [found.total, found.data.map(({ title }) => title)],
    [4, ["note 02", "note 04", "note 06", "note 08"]],
  );
});

test("ra-data-hasura reads one, many and references", async () => {
  const [first, second] = (await list()).data;
  assert.equal((await notes.getOne("note", { id: first.id })).data.title, "note 01");
  const many = await notes.getMany("note", { ids: [first.id, second.id] });
  assert.deepEqual(many.data.map(({ title }) => title).sort(), ["note 01", "note 02"]);
  const references = await notes.getManyReference("note", {
    target: "folder_id",
    id: 1,
    pagination: { page: 1, perPage: 2 },
    sort: { field: "stars", order: "DESC" },
    filter: {},
  });
  assert.deepEqual([references.total, references.data[0].title], [6, "note 11"]);
});

test("ra-data-hasura creates, updates and deletes", async () => {
  const { data: created } = await notes.create("note", { data: { title: "new", folder_id: 1, stars: 0 } });
  const changed = { id: created.id, data: { ...created, stars: 7 }, previousData: created };
  assert.equal((await notes.update("note", changed)).data.stars, 7);
  const { data: ids } = await notes.updateMany("note", { ids: [created.id], data: { stars: 8 } });
  assert.deepEqual(ids, [created.id]);
  await notes.delete("note", { id: created.id, previousData: created });
  const { data: more } = await notes.create("note", { data: { title: "more", folder_id: 1, stars: 0 } });
  assert.deepEqual((await notes.deleteMany("note", { ids: [more.id] })).data, [more.id]);
  assert.equal((await list()).total, 12);
});

test("ra-data-hasura receives errors and continues with another token", async () => {
  await assert.rejects(notes.create("note", { data: { title: "", folder_id: 1 } }), /Check constraint violation/);
  user = "react-admin-2";
  notes = await build();
  assert.equal((await list()).total, 0);
});
