/** genql: a client whose requests are objects. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { endpoint, headersOf, seed } from "../premises.mjs";
import { Program, reported } from "./program.mjs";

let program;

const source = `
import { createClient, GenqlError } from "./genql/index.js";

export async function day(url: string, headers: Record<string, string>) {
  const client = createClient({ url, headers });
  const page = await client.query({
    note: {
      __args: { where: { title: { _like: "note%" } }, order_by: [{ stars: "desc" }], limit: 2, offset: 1 },
      title: true,
      folder: { name: true },
    },
  });
  const titles: string[] = page.note.map(({ title, folder }) => title + " in " + folder.name);
  const { insert_note_one: created } = await client.mutation({
    insert_note_one: { __args: { object: { title: "new", folder_id: 1 } }, id: true },
  });
  const id = created?.id;
  const updated = await client.mutation({
    update_note_by_pk: { __args: { pk_columns: { id }, _set: { stars: 4 } }, __scalar: true },
  });
  const stars: number | undefined = updated.update_note_by_pk?.stars;
  const removed = await client.mutation({ delete_note_by_pk: { __args: { id }, id: true } });
  const refused = await client
    .mutation({ insert_note_one: { __args: { object: { title: "", folder_id: 1 } }, id: true } })
    .catch((error: GenqlError) => error.errors[0].message);
  return { titles, stars, isRemoved: removed.delete_note_by_pk?.id === id, refused };
}
`;

before(async () => {
  await seed("genql", 5);
  program = await Program.open({ "src/program.ts": source });
});
after(() => program.close());

test("genql writes a client that a program compiles with and works by", async () => {
  const header = `authorization: ${headersOf("genql").authorization}`;
  await program.run("genql", "--endpoint", endpoint, "--header", header, "--output", "src/genql", "--esm");
  await program.check();
  const { day } = await program.load();
  const { refused, ...done } = await day(endpoint, headersOf("genql"));
  assert.deepEqual(done, { titles: ["note 04 in Archive", "note 03 in Inbox"], stars: 4, isRemoved: true });
  assert.match(refused, /Check constraint violation/);
  assert.deepEqual((await day(endpoint, headersOf("genql-2"))).titles, []);
});

const reportSource = `
import { createClient } from "./genql/index.js";

export async function day(url: string, headers: Record<string, string>) {
  const client = createClient({ url, headers });
  const { note_group } = await client.query({
    note_group: {
      __args: { by: [{ related: { folder: { column: "name" } } }], having: { count: { predicate: { _gt: 0 } } } },
      key: { folder: { name: true } },
      aggregate: { count: true, sum: { stars: true } },
      nodes: { __args: { order_by: [{ stars: "desc" }], limit: 1 }, title: true },
    },
  });
  const folders = note_group.map(({ key, aggregate, nodes }) => [
    key.folder.name,
    aggregate.count,
    aggregate.sum?.stars,
    nodes.map(({ title }) => title),
  ]);
  const { note } = await client.query({
    note: { __args: { top_per: { columns: ["folder_id"], limit: 1 }, order_by: [{ folder_id: "asc" }, { stars: "desc" }] }, title: true },
  });
  const { update_folder_by_pk: folder } = await client.mutation({
    update_folder_by_pk: {
      __args: {
        pk_columns: { id: 1 },
        _related: {
          notes: {
            delete: { where: { stars: { _lt: 3 } } },
            update: [{ where: { title: { _eq: "note 05" } }, _set: { title: "kept" } }],
            insert: { data: [{ title: "new" }] },
          },
        },
      },
      notes: { __args: { order_by: [{ title: "asc" }] }, title: true },
    },
  });
  const { update_note: raised } = await client.mutation({
    update_note: {
      __args: { where: { title: { _eq: "kept" } }, _inc: { stars: 1 } },
      changes: { inserted: true, old: { stars: true }, new: { stars: true } },
    },
  });
  const changes = raised?.changes.map((change) => ({
    inserted: change.inserted,
    stars: [change.old?.stars, change.new?.stars],
  }));
  return {
    folders,
    tops: note.map(({ title }) => title),
    titles: folder?.notes.map(({ title }) => title),
    changes,
  };
}
`;

test("genql writes types of groups, of the first rows of groups, and of writes and changes of rows", async () => {
  const user = "genql-3";
  await seed(user, 5);
  await program.write({ "src/program.ts": reportSource });
  await program.check();
  const { day } = await program.load();
  assert.deepEqual(await day(endpoint, headersOf(user)), reported);
});
