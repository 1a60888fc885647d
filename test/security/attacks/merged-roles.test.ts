/** A role that merges the permissions of its parents can do nothing that no parent can do alone. */
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { EngineError } from "../../../runtime/values/errors.ts";
import { TestEngine } from "../../support/compiled.ts";
import { createDatabase, query as runSql, type TestDatabase } from "../../support/database.ts";

let database: TestDatabase;
let engine: TestEngine;
/** Serves a table without a key. */
let withoutKey: TestEngine;

const mine = { owner: { _eq: "X-Engine-User-Id" } };
const open = { is_open: { _eq: true } };

const tables = [
  {
    table: "note",
    select_permissions: [{ role: "both", permission: { columns: "*", filter: {} } }],
    insert_permissions: [
      { role: "owner", permission: { columns: ["id", "owner", "body"], check: mine } },
      { role: "editor", permission: { columns: ["id", "owner", "is_open"], check: open } },
    ],
    update_permissions: [
      { role: "owner", permission: { columns: ["owner", "body", "is_open"], filter: mine, check: mine } },
      { role: "editor", permission: { columns: ["owner", "is_open", "topic"], filter: open, check: open } },
    ],
    delete_permissions: [
      { role: "owner", permission: { filter: mine } },
      { role: "editor", permission: { filter: { _and: [open, { topic: { _eq: "spam" } }] } } },
    ],
  },
];

beforeAll(async () => {
  database = await createDatabase("merged_roles");
  engine = new TestEngine(database.url);
  withoutKey = new TestEngine(database.url);
  await runSql(
    database.url,
    `create table note (id int primary key, owner text not null, body text, topic text, is_open boolean not null default false);
     create table tally (owner text, is_open boolean)`,
  );
  const inherited_roles = [{ role_name: "both", role_set: ["owner", "editor"], merge: true }];
  const { inconsistencies } = await engine.track(tables, { inherited_roles });
  expect(inconsistencies).toEqual([]);
}, 60_000);

beforeEach(async () => {
  await runSql(
    database.url,
    `truncate note; insert into note values
      (1, 'ann', 'own', 'a', false), (2, 'ben', 'open', 'spam', true), (3, 'ben', 'closed', 'spam', false)`,
  );
});

afterAll(async () => {
  await engine?.close();
  await withoutKey?.close();
  await database?.drop();
});

/** Runs a mutation as Ann and returns its data, or the code of its error. */
async function asAnn(mutation: string): Promise<unknown> {
  const session = { "x-engine-role": "both", "x-engine-user-id": "ann" };
  try {
    return await engine.ask("both", `mutation { r: ${mutation} }`, session, {});
  } catch (error) {
    if (error instanceof EngineError) return error.code;
    throw error;
  }
}

const affected = (count: number) => ({ r: { affected_rows: count } });
const update = (id: number, set: string) =>
  asAnn(`update_note(where: { id: { _eq: ${id} } }, _set: ${set}) { affected_rows }`);

describe("A role with merged permissions", () => {
  it("cannot write columns of one parent into rows of another", async () => {
    expect(await update(2, '{ body: "x" }')).toEqual(affected(0));
    expect(await update(1, '{ topic: "x" }')).toEqual(affected(0));
    expect(await update(1, '{ body: "x" }')).toEqual(affected(1));
    expect(await update(1, '{ body: "x", topic: "x" }')).toBe("permission-denied");
    const both = '{ id: 9, owner: "ann", body: "x", is_open: true }';
    expect(await asAnn(`insert_note(objects: [${both}]) { affected_rows }`)).toBe("permission-denied");
  });

  it("cannot pass the check of one parent with a row that another parent admits", async () => {
    // The new row meets the check of the editor, who may not change the closed row of Ann.
    expect(await update(1, '{ owner: "eve", is_open: true }')).toBe("permission-error");
    // The new row meets the check of the owner, who may not change the row of Ben.
    expect(await update(2, '{ owner: "ann", is_open: false }')).toBe("permission-error");
    expect(await update(2, '{ owner: "eve", is_open: true }')).toEqual(affected(1));
    expect(await update(3, '{ owner: "ann", is_open: true }')).toEqual(affected(0));
  });

  it("cannot insert a row that meets only the check of a parent without the given columns", async () => {
    expect(await asAnn('insert_note(objects: [{ id: 9, owner: "eve", body: "x" }]) { affected_rows }')).toBe(
      "permission-error",
    );
    expect(await asAnn('insert_note(objects: [{ id: 9, owner: "eve", is_open: true }]) { affected_rows }')).toEqual(
      affected(1),
    );
  });

  it("cannot pass a check with an upsert of a row that another parent admits", async () => {
    const upsert = (id: number, row: string) =>
      asAnn(
        `insert_note(objects: [{ id: ${id}, ${row} }], on_conflict: { constraint: note_pkey, update_columns: [owner, is_open] }) { affected_rows }`,
      );
    expect(await upsert(1, 'owner: "eve", is_open: true')).toBe("permission-error");
    expect(await upsert(3, 'owner: "ann", is_open: true')).toEqual(affected(0));
    expect(await upsert(2, 'owner: "ann", is_open: true')).toEqual(affected(1));
  });

  it("deletes the rows that one of the parents may delete", async () => {
    expect(await asAnn("delete_note(where: {}) { affected_rows }")).toEqual(affected(2));
    const [left] = await runSql(database.url, "select array_agg(id) as ids from note");
    expect(left).toEqual({ ids: [3] });
  });

  it("has no update permission if its parents' checks differ and no key identifies the previous row", async () => {
    const update_permissions = [
      { role: "owner", permission: { columns: ["owner"], filter: mine, check: mine } },
      { role: "editor", permission: { columns: ["owner"], filter: open, check: open } },
    ];
    const more = { inherited_roles: [{ role_name: "both", role_set: ["owner", "editor"], merge: true }] };
    const { inconsistencies } = await withoutKey.track([{ table: "tally", update_permissions }], more);
    expect(inconsistencies.map(({ reason }) => reason)).toEqual([
      "Could not inherit permission for the role 'both' for the entity: 'update permission, table: tally, source: 'default'': the permissions of editor, owner cannot be merged: their checks differ, and tally has no primary key by which a row is found as it was before the update",
    ]);
    const session = { "x-engine-role": "both", "x-engine-user-id": "ann" };
    const mutation = 'mutation { update_tally(where: {}, _set: { owner: "x" }) { affected_rows } }';
    const attempt = withoutKey.ask("both", mutation, session, {});
    await expect(attempt).rejects.toMatchObject({ code: "validation-failed" });
  });

  it("cannot use the state of a row before a concurrent change", async () => {
    const other = new pg.Client({ connectionString: database.url });
    await other.connect();
    try {
      // Ann owns the row until the change of its owner is committed.
      await other.query("begin");
      await other.query("update note set owner = 'ben', is_open = true where id = 1");
      const attempt = update(1, '{ owner: "ann", is_open: false }');
      await expect
        .poll(async () => (await runSql(database.url, "select 1 from pg_locks where not granted")).length)
        .toBeGreaterThan(0);
      await other.query("commit");
      expect(await attempt).toBe("permission-error");
    } finally {
      await other.end();
    }
  });
});
