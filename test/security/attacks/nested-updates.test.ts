/** Updates with related rows reach no row, column or table that the role cannot write by an update of its own. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { EngineError } from "../../../runtime/values/errors.ts";
import { TestEngine } from "../../support/compiled.ts";
import { createDatabase, query as runSql, type TestDatabase } from "../../support/database.ts";

let database: TestDatabase;
let engine: TestEngine;

const mine = { owner: { _eq: "X-Engine-User-Id" } };
const all = (role: string) => ({ role, permission: { columns: "*", filter: {} } });

const tables = [
  {
    table: "folder",
    array_relationships: [
      { name: "notes", using: { foreign_key_constraint_on: { table: "note", column: "folder_id" } } },
      { name: "logs", using: { foreign_key_constraint_on: { table: "log", column: "folder_id" } } },
      {
        name: "tallies",
        using: { manual_configuration: { remote_table: "tally", column_mapping: { id: "folder_id" } } },
      },
    ],
    object_relationships: [{ name: "plan", using: { foreign_key_constraint_on: "plan_id" } }],
    select_permissions: [all("user"), all("planner"), all("keeper")],
    update_permissions: [
      { role: "user", permission: { columns: ["name"], filter: mine } },
      { role: "planner", permission: { columns: ["plan_id"], filter: mine } },
      {
        role: "keeper",
        permission: { columns: ["plan_id"], filter: mine, check: { plan_id: { _is_null: false } } },
      },
    ],
  },
  {
    table: "note",
    array_relationships: [
      { name: "marks", using: { foreign_key_constraint_on: { table: "mark", column: "note_id" } } },
    ],
    select_permissions: [all("user")],
    insert_permissions: [
      { role: "user", permission: { columns: ["id", "body"], check: mine, set: { owner: "X-Engine-User-Id" } } },
    ],
    update_permissions: [
      {
        role: "user",
        permission: {
          columns: ["body", "folder_id"],
          filter: mine,
          check: { folder: { owner: { _eq: "X-Engine-User-Id" } } },
          set: { owner: "X-Engine-User-Id" },
        },
      },
    ],
    object_relationships: [{ name: "folder", using: { foreign_key_constraint_on: "folder_id" } }],
  },
  {
    table: "mark",
    select_permissions: [all("user")],
    update_permissions: [{ role: "user", permission: { columns: ["text"], filter: {}, set: { note_id: "1" } } }],
  },
  { table: "log", select_permissions: [all("user")] },
  { table: "tally", select_permissions: [all("user")] },
  {
    table: "plan",
    select_permissions: [all("user"), all("planner"), all("keeper")],
    insert_permissions: [{ role: "user", permission: { columns: "*", check: {} } }],
    delete_permissions: [
      { role: "user", permission: { filter: {}, backend_only: true } },
      { role: "planner", permission: { filter: { name: { _neq: "kept" } } } },
      { role: "keeper", permission: { filter: {} } },
    ],
  },
];

beforeAll(async () => {
  database = await createDatabase("nested_updates");
  engine = new TestEngine(database.url);
  await runSql(
    database.url,
    `create table plan (id int primary key, name text);
     create table folder (id int primary key, owner text, name text, plan_id int references plan);
     create table note (id int primary key, owner text, body text, folder_id int references folder);
     create table mark (id int primary key, text text, note_id int references note);
     create table log (id int primary key, folder_id int references folder);
     create view tally as select folder_id, count(*) as notes from note group by folder_id;`,
  );
  const { inconsistencies } = await engine.track(tables);
  expect(inconsistencies).toEqual([]);
}, 60_000);

beforeEach(() =>
  runSql(
    database.url,
    `truncate plan, folder, note, mark, log;
     insert into plan values (1, 'free');
     insert into folder values (1, 'ann', 'a', 1), (2, 'ben', 'b', 1);
     insert into note values (1, 'ann', 'one', 1), (2, 'ben', 'two', 2), (3, 'ben', 'three', 1), (4, 'ann', 'four', 2);
     insert into mark values (1, 'x', 1), (2, 'y', 2);
     insert into log values (1, 1);`,
  ),
);

afterAll(async () => {
  await engine?.close();
  await database?.drop();
});

/** Updates folders with related rows as Ann; returns the data or the code of the error. */
async function update(
  related: string,
  where = "{}",
  variables: Record<string, unknown> | null = null,
  role = "user",
): Promise<unknown> {
  const declared = variables ? "($notes: [note_insert_input!]!)" : "";
  const text = `mutation A${declared} { update_folder(where: ${where}, _related: { ${related} }) { affected_rows } }`;
  const session = { "x-engine-role": role, "x-engine-user-id": "ann" };
  try {
    return await engine.ask(role, text, session, variables);
  } catch (error) {
    if (error instanceof EngineError) return error.code;
    throw error;
  }
}

const affected = (count: number) => ({ update_folder: { affected_rows: count } });
const notes = () =>
  runSql(database.url, "select owner || id || body || coalesce(folder_id, 0) as note from note order by id");
const texts = async () => (await notes()).map((row) => (row as { note: string }).note);
const unchanged = ["ann1one1", "ben2two2", "ben3three1", "ann4four2"];

describe("Attacks by updates with related rows", () => {
  it("Rows of foreign parents and foreign rows of own parents remain unchanged", async () => {
    expect(await update('notes: { update: { where: { id: { _gt: 1 } }, _set: { body: "x" } } }')).toEqual(affected(0));
    expect(await update('notes: { update: { where: {}, _set: { body: "x" } } }', "{ id: { _eq: 2 } }")).toEqual(
      affected(0),
    );
    expect(await texts()).toEqual(unchanged);
  });

  it("connect takes no foreign rows, and its result passes the check of the update permission", async () => {
    const connect = "notes: { connect: { where: {} } }";
    // Note 4 of Ann moves from the folder of Ben; the notes of Ben remain.
    expect(await update(connect, "{ id: { _eq: 1 } }")).toEqual(affected(2));
    expect(await texts()).toEqual(["ann1one1", "ben2two2", "ben3three1", "ann4four1"]);
    // Folder 2 is no parent for Ann, so nothing moves there.
    expect(await update(connect, "{ id: { _eq: 2 } }")).toEqual(affected(0));
    // A note without a folder fails the check.
    expect(await update("notes: { disconnect: { where: {} } }")).toBe("permission-error");
    expect(await texts()).toEqual(["ann1one1", "ben2two2", "ben3three1", "ann4four1"]);
  });

  it("set takes and removes no foreign rows", async () => {
    expect(await update("notes: { set: { where: {} } }", "{ id: { _eq: 1 } }")).toEqual(affected(1));
    expect(await texts()).toEqual(["ann1one1", "ben2two2", "ben3three1", "ann4four1"]);
    // Note 3 of Ben stays in the folder of Ann. Notes without a folder fail the check, and nothing changes.
    expect(await update("notes: { set: { where: { id: { _gt: 2 } } } }", "{ id: { _eq: 1 } }")).toBe(
      "permission-error",
    );
    expect(await update("notes: { set: { where: {} } }", "{ id: { _eq: 2 } }")).toEqual(affected(0));
    expect(await texts()).toEqual(["ann1one1", "ben2two2", "ben3three1", "ann4four1"]);
  });

  it("Presets of joined columns cannot be bypassed", async () => {
    const marks = (given: string) => `notes: { update: { where: {}, _related: { marks: { ${given} } } } }`;
    expect(await update(marks("connect: { where: {} }"))).toBe("validation-failed");
    expect(await update(marks("disconnect: { where: {} }"))).toBe("validation-failed");
    expect(await update('notes: { insert: { data: { id: 9, body: "x", owner: "ben" } } }')).toBe("validation-failed");
    expect(await update('notes: { insert: { data: { id: 9, body: "x" } } }')).toEqual(affected(1));
    expect(await texts()).toEqual([...unchanged, "ann9x1"]);
  });

  it("Conflicts of inserted rows change no foreign rows and move no rows to another parent", async () => {
    const insert = (id: number, columns: string) =>
      `notes: { insert: { data: { id: ${id}, body: "x" }, on_conflict: { constraint: note_pkey, update_columns: [${columns}] } } }`;
    for (const columns of ["body", "body, folder_id", "folder_id"]) {
      for (const id of [2, 3, 4]) expect(await update(insert(id, columns))).toEqual(affected(0));
    }
    expect(await texts()).toEqual(unchanged);
  });

  it("delete of a referenced row reaches no row of foreign parents and no row that the role may not delete", async () => {
    const plans = () => runSql(database.url, "select id, plan_id from folder order by id");
    const remove = (where: string) => update(`plan: { delete: { where: ${where} } }`, "{}", null, "planner");
    // A folder of Ben references the plan, too.
    expect(await remove("{}")).toBe("constraint-violation");
    await runSql(
      database.url,
      `insert into plan values (2, 'kept'), (3, 'of Ben');
       update folder set plan_id = case id when 1 then 2 else 3 end`,
    );
    for (const where of ["{}", "{ id: { _eq: 3 } }", '{ name: { _eq: "kept" } }']) {
      expect(await remove(where)).toEqual(affected(1));
    }
    expect(await plans()).toEqual([
      { id: 1, plan_id: 2 },
      { id: 2, plan_id: 3 },
    ]);
    expect(await runSql(database.url, "select count(*)::int as n from plan")).toEqual([{ n: 3 }]);
    expect(await update("plan: { delete: { where: {} } }", "{}", null, "user")).toBe("validation-failed");
  });

  it("The check of the update permission is evaluated on the row without its reference, before anything is deleted", async () => {
    await runSql(database.url, "insert into plan values (2, 'own'); update folder set plan_id = 2 where id = 1");
    const remove = "plan: { delete: { where: {} } }";
    expect(await update(remove, "{ id: { _eq: 1 } }", null, "keeper")).toBe("permission-error");
    expect(await runSql(database.url, "select id from plan order by id")).toEqual([{ id: 1 }, { id: 2 }]);
  });

  it.each(["user", "admin"])(
    "Rows of a view that cannot be written are not deleted, updated or connected by %s",
    async (role) => {
      for (const write of [
        "delete: { where: {} }",
        "update: { where: {}, _set: { notes: 1 } }",
        "connect: { where: {} }",
        "set: { where: {} }",
      ]) {
        expect(await update(`tallies: { ${write} }`, "{}", null, role)).toBe("validation-failed");
      }
    },
  );

  it("Values of joined columns cannot be given by literals or variables", async () => {
    expect(await update("notes: { update: { where: {}, _set: { folder_id: 2 } } }")).toBe("validation-failed");
    const variables = { notes: [{ id: 9, body: "x", folder_id: 2 }] };
    expect(await update("notes: { insert: { data: $notes } }", "{}", variables)).toBe("validation-failed");
    expect(await texts()).toEqual(unchanged);
  });

  it("Relationships without permission to write, and backend-only permissions, do not exist", async () => {
    expect(await update("logs: { delete: { where: {} } }")).toBe("validation-failed");
    expect(await update('plan: { insert: { data: { id: 2, name: "paid" } } }')).toBe("validation-failed");
    expect(await update("plan: { delete: { where: {} } }")).toBe("validation-failed");
    expect(await update("plan: { connect: { where: {} } }")).toBe("validation-failed");
    expect(await update("notes: { delete: { where: {} } }")).toBe("validation-failed");
    const types = (await engine.ask(
      "user",
      `{ __type(name: "folder_related_input") { inputFields { name } } }`,
      { "x-engine-role": "user" },
      null,
    )) as { __type: { inputFields: { name: string }[] } };
    expect(types.__type.inputFields).toEqual([{ name: "notes" }]);
  });
});
