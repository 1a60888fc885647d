/** Permissions that refer to other permissions (`_permitted`) open nothing to clients and take no text from them. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EngineError } from "../../../runtime/values/errors.ts";
import { TestEngine } from "../../support/compiled.ts";
import { createDatabase, query as runSql, type TestDatabase } from "../../support/database.ts";

let database: TestDatabase;
let engine: TestEngine;

const permitted = (relationship: string) => ({ _permitted: { relationship, operation: "select" } });
const mine = { owner: { _eq: "X-Engine-User-Id" } };

const tables = [
  {
    table: "folder",
    array_relationships: [
      { name: "notes", using: { foreign_key_constraint_on: { table: "note", column: "folder_id" } } },
    ],
    select_permissions: [
      { role: "user", permission: { columns: ["id"], filter: mine } },
      { role: "guest", permission: { columns: ["id"], filter: { owner: { _eq: "nobody" } } } },
    ],
  },
  {
    table: "note",
    object_relationships: [{ name: "folder", using: { foreign_key_constraint_on: "folder_id" } }],
    select_permissions: ["user", "guest"].map((role) => ({
      role,
      permission: { columns: ["id"], filter: permitted("folder"), allow_aggregations: true },
    })),
    insert_permissions: [{ role: "user", permission: { columns: ["id", "folder_id"], check: permitted("folder") } }],
    update_permissions: [
      { role: "user", permission: { columns: ["folder_id"], filter: permitted("folder"), check: permitted("folder") } },
    ],
    delete_permissions: [{ role: "user", permission: { filter: permitted("folder") } }],
  },
];

beforeAll(async () => {
  database = await createDatabase("permitted");
  engine = new TestEngine(database.url);
  await runSql(
    database.url,
    `create table folder (id int primary key, owner text not null);
     create table note (id int primary key, folder_id int references folder);
     insert into folder values (1, 'ann'), (2, 'ben');
     insert into note values (10, 1), (20, 2), (30, null)`,
  );
  const { inconsistencies } = await engine.track(tables);
  expect(inconsistencies).toEqual([]);
}, 60_000);

afterAll(async () => {
  await engine?.close();
  await database?.drop();
});

/** Returns the data of an operation, or the code of its error. */
async function ask(operation: string, user = "ann", role = "user", variables: object = {}): Promise<unknown> {
  const session = { "x-engine-role": role, "x-engine-user-id": user };
  try {
    return await engine.ask(role, operation, session, variables as Record<string, unknown>);
  } catch (error) {
    if (error instanceof EngineError) return error.code;
    throw error;
  }
}

describe("Permissions that refer to other permissions", () => {
  it("No client can refer to a permission in an argument", async () => {
    for (const [user, role] of [
      ["ann", "user"],
      ["ann", "admin"],
    ] as const) {
      const reference = '{ _permitted: { relationship: "folder", operation: "select" } }';
      expect(await ask(`{ note(where: ${reference}) { id } }`, user, role)).toBe("validation-failed");
      expect(await ask(`{ note(where: { _not: ${reference} }) { id } }`, user, role)).toBe("validation-failed");
      const where = permitted("folder");
      const byVariable = "query ($where: note_bool_exp!) { note(where: $where) { id } }";
      expect(await ask(byVariable, user, role, { where })).toBe("validation-failed");
      expect(await ask(byVariable, user, role, { where: { folder: { _or: [permitted("notes")] } } })).toBe(
        "validation-failed",
      );
    }
    const schema = await ask('{ __type(name: "note_bool_exp") { inputFields { name } } }');
    expect(JSON.stringify(schema)).toContain("folder");
    expect(JSON.stringify(schema)).not.toContain("_permitted");
  });

  it.each(["ann' or '1'='1", "ann') or true --", "$1", "r1.owner", "", "x-engine-user-id"])(
    "A session variable never becomes SQL behind a reference: %s",
    async (user) => {
      expect(await ask("{ note { id } note_aggregate { aggregate { count } } }", user)).toEqual({
        note: [],
        note_aggregate: { aggregate: { count: 0 } },
      });
    },
  );

  it("A session without the variable of the other permission reads nothing", async () => {
    await expect(engine.ask("user", "{ note { id } }", { "x-engine-role": "user" }, {})).rejects.toMatchObject({
      code: "not-found",
    });
  });

  it("Each role reads by its own permission on the related table", async () => {
    expect(await ask("{ note { id } }", "ann")).toEqual({ note: [{ id: 10 }] });
    expect(await ask("{ note { id } }", "ben")).toEqual({ note: [{ id: 20 }] });
    expect(await ask("{ note { id } }", "ann", "guest")).toEqual({ note: [] });
  });

  it("A hidden column of the related table cannot be compared through the reference", async () => {
    expect(await ask('{ note(where: { folder: { owner: { _eq: "ann" } } }) { id } }')).toBe("validation-failed");
    expect(await ask("{ note(order_by: { folder: { owner: asc } }) { id } }")).toBe("validation-failed");
  });

  it("A row cannot be written into a related row that the role may not read", async () => {
    const insert = (folder: unknown) =>
      ask(`mutation { insert_note_one(object: { id: 99, folder_id: ${folder} }) { id } }`);
    expect(await insert(2)).toBe("permission-error");
    // Without a related row, no row is readable.
    expect(await insert(null)).toBe("permission-error");
    expect(await ask("mutation { update_note(where: {}, _set: { folder_id: 2 }) { affected_rows } }")).toBe(
      "permission-error",
    );
    expect(await ask("mutation { delete_note(where: { id: { _neq: 10 } }) { affected_rows } }")).toEqual({
      delete_note: { affected_rows: 0 },
    });
  });
});
