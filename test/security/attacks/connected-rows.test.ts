/** Rows that inserts connect reach no row, column or table that the role cannot select or update by itself. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { EngineError } from "../../../runtime/values/errors.ts";
import { TestEngine } from "../../support/compiled.ts";
import { createDatabase, query as runSql, type TestDatabase } from "../../support/database.ts";

let database: TestDatabase;
let engine: TestEngine;

const mine = { owner: { _eq: "X-Engine-User-Id" } };
const permission = (given: object) => [{ role: "user", permission: given }];
const many = (name: string, table: string, column: string) => ({
  name,
  using: { foreign_key_constraint_on: { table, column } },
});
const one = (name: string, column: string) => ({ name, using: { foreign_key_constraint_on: column } });

const tables = [
  {
    table: "folder",
    array_relationships: [many("notes", "note", "folder_id"), many("logs", "log", "folder_id")],
    object_relationships: [one("plan", "plan_id"), one("vault", "vault_id"), one("parent", "parent_id")],
    select_permissions: permission({ columns: "*", filter: {} }),
    insert_permissions: permission({
      columns: ["id", "plan_id", "vault_id"],
      check: { _or: [{ plan_id: { _is_null: true } }, { plan: { name: { _neq: "paid" } } }] },
      set: { owner: "X-Engine-User-Id", parent_id: "1" },
    }),
  },
  {
    table: "note",
    object_relationships: [one("folder", "folder_id")],
    select_permissions: permission({ columns: "*", filter: {} }),
    insert_permissions: permission({ columns: ["id", "body"], check: mine, set: { owner: "X-Engine-User-Id" } }),
    update_permissions: permission({
      columns: ["folder_id"],
      filter: mine,
      check: { body: { _neq: "fixed" } },
      set: { body: "moved" },
    }),
  },
  {
    table: "log",
    select_permissions: permission({ columns: "*", filter: {} }),
    insert_permissions: permission({ columns: "*", check: {} }),
    update_permissions: [{ role: "user", permission: { columns: ["folder_id"], filter: {}, backend_only: true } }],
  },
  { table: "plan", select_permissions: permission({ columns: ["id", "name"], filter: mine }) },
  // The role may read names only, so it cannot refer to a vault.
  { table: "vault", select_permissions: permission({ columns: ["name"], filter: {} }) },
  {
    table: "task",
    object_relationships: [one("plan", "plan_id")],
    select_permissions: permission({ columns: "*", filter: {} }),
    insert_permissions: [
      {
        role: "user",
        permission: {
          columns: ["id", "plan_id"],
          check: {},
          validate_input: { type: "http", definition: { url: "http://127.0.0.1:9" } },
        },
      },
    ],
  },
];

beforeAll(async () => {
  database = await createDatabase("connected_rows");
  engine = new TestEngine(database.url);
  await runSql(
    database.url,
    `create table plan (id int primary key, owner text, name text);
     create table vault (id int primary key, name text);
     create table folder (id int primary key, owner text, plan_id int references plan, vault_id int references vault,
       parent_id int references folder);
     create table note (id int primary key, owner text, body text, folder_id int references folder);
     create table log (id int primary key, folder_id int references folder);
     create table task (id int primary key, plan_id int references plan);`,
  );
  const { inconsistencies } = await engine.track(tables);
  expect(inconsistencies).toEqual([]);
}, 60_000);

beforeEach(() =>
  runSql(
    database.url,
    `truncate plan, vault, folder, note, log, task;
     insert into plan values (1, 'ann', 'free'), (2, 'ben', 'secret'), (3, 'ann', 'paid');
     insert into vault values (1, 'v');
     insert into folder values (1, 'ben', 2, 1, null);
     insert into note values (1, 'ann', 'one', 1), (2, 'ben', 'two', 1), (3, 'ben', 'three', null);
     insert into log values (1, 1);`,
  ),
);

afterAll(async () => {
  await engine?.close();
  await database?.drop();
});

const session = { "x-engine-role": "user", "x-engine-user-id": "ann" };

/** Inserts a folder with related rows as Ann; returns the data or the code of the error. */
async function insert(related: string, values = "", variables: Record<string, unknown> | null = null) {
  const declared = variables ? "($where: note_bool_exp!)" : "";
  const text = `mutation A${declared} { insert_folder(objects: { id: 9 ${values} _related: { ${related} } }) { affected_rows } }`;
  try {
    return await engine.ask("user", text, session, variables);
  } catch (error) {
    if (error instanceof EngineError) return error.code;
    throw error;
  }
}

const affected = (count: number) => ({ insert_folder: { affected_rows: count } });
async function texts(table: string, row: string): Promise<readonly string[]> {
  return (await runSql(database.url, `select ${row} as text from ${table} order by id`)).map(
    (each) => (each as { text: string }).text,
  );
}
const notes = () => texts("note", "owner || id || body || coalesce(folder_id, 0)");
const folders = () => texts("folder", "id || owner || coalesce(plan_id, 0) || coalesce(parent_id, 0)");
const fieldsOf = async (type: string): Promise<readonly string[] | undefined> => {
  const { __type } = (await engine.ask(
    "user",
    `{ __type(name: "${type}") { inputFields { name } } }`,
    session,
    null,
  )) as { __type: { inputFields: { name: string }[] } | null };
  return __type?.inputFields.map(({ name }) => name);
};

describe("Attacks by inserts that connect rows", () => {
  it("A row that the role may not select is not found, by any condition", async () => {
    for (const where of [`{ id: { _eq: 2 } }`, `{ name: { _eq: "secret" } }`, `{ name: { _like: "s%" } }`]) {
      expect(await insert(`plan: { connect: { where: ${where} } }`)).toBe("not-supported");
    }
    // Hidden columns are no conditions.
    expect(await insert(`plan: { connect: { where: { owner: { _eq: "ben" } } } }`)).toBe("validation-failed");
    expect(await insert(`plan: { connect: { where: { _or: [{ id: { _eq: 2 } }, { id: { _eq: 1 } }] } } }`)).toEqual(
      affected(1),
    );
    expect(await folders()).toEqual(["1ben20", "9ann11"]);
  });

  it("A row with a connected row passes the check of the insert permission", async () => {
    expect(await insert(`plan: { connect: { where: { name: { _eq: "paid" } } } }`)).toBe("permission-error");
    expect(await folders()).toEqual(["1ben20"]);
  });

  it("Foreign rows of array relationships are not moved, and moved rows pass the check of the update permission", async () => {
    expect(await insert("notes: { connect: { where: {} } }")).toEqual(affected(2));
    expect(await notes()).toEqual(["ann1moved9", "ben2two1", "ben3three0"]);
    await runSql(database.url, "delete from note where id = 1; delete from folder where id = 9");
    // A row that the role may not update does not match, so that a new one is inserted.
    const create = (id: number, more = "") =>
      `notes: { connect_or_create: { where: { id: { _eq: 2 } }, data: { id: ${id}, body: "new" } ${more} } }`;
    expect(await insert(create(2))).toBe("constraint-violation");
    expect(await insert(create(2, "on_conflict: { constraint: note_pkey, update_columns: [folder_id] }"))).toEqual(
      affected(1),
    );
    expect(await notes()).toEqual(["ben2two1", "ben3three0"]);
  });

  it("A condition in a variable is a value and no SQL", async () => {
    const where = { body: { _eq: "x' or true --" } };
    expect(await insert("notes: { connect: { where: $where } }", "", { where })).toEqual(affected(1));
    expect(await insert("notes: { connect: { where: $where } }", "", { where: { _exists: {} } })).toBe(
      "validation-failed",
    );
    expect(await notes()).toEqual(["ann1one1", "ben2two1", "ben3three0"]);
  });

  it("The foreign key cannot be given besides the connected row", async () => {
    const plan = `plan: { connect: { where: { id: { _eq: 1 } } } }`;
    expect(await insert(plan, "plan_id: 2")).toBe("validation-failed");
    const create = `notes: { connect_or_create: { where: { id: { _eq: 7 } }, data: { id: 7, folder_id: 1 } } }`;
    expect(await insert(create)).toBe("validation-failed");
    expect(await folders()).toEqual(["1ben20"]);
  });

  it("Relationships whose foreign key or target the role may not choose do not exist", async () => {
    // parent_id is preset, ids of vaults are hidden, and the update permission of logs is for backends.
    expect(await fieldsOf("folder_insert_related_input")).toEqual(["notes", "plan"]);
    // The insert permission of notes does not list folder_id.
    expect(await fieldsOf("note_insert_related_input")).toBeUndefined();
    // A webhook validates the rows, and would not see the foreign key.
    expect(await fieldsOf("task_insert_related_input")).toBeUndefined();
    expect(await fieldsOf("plan_obj_rel_connect_input")).toEqual(["connect"]);
    expect(await insert(`parent: { connect: { where: { id: { _eq: 1 } } } }`)).toBe("validation-failed");
    expect(await insert(`logs: { connect: { where: {} } }`)).toBe("validation-failed");
    expect(await insert(`plan: { connect_or_create: { where: {}, data: { id: 5 } } }`)).toBe("validation-failed");
  });
});
