/** `explain_access`: whether a role may do something, and why, beside what the server does for the same request. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { engine } from "../support/artifact.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { ensureBuilt } from "../support/shared-checks.ts";

const secret = { "x-engine-admin-secret": "s" };
let server: TestServer;

const permission = (table: string, kind: string, role: string, given: object) => ({
  type: `pg_create_${kind}_permission`,
  args: { table, role, permission: given },
});

const own = { member_id: { _eq: "X-Engine-User-Id" } };

beforeAll(async () => {
  server = await startTestServer({ environment: { ENGINE_GRAPHQL_ADMIN_SECRET: "s" }, sealed: false });
  const sql = `
    create table member (id int primary key, name text not null, suspended boolean not null default false);
    create table loan (
      id int primary key, member_id int not null references member, book text not null, returned date, note text
    );
    create table fine (id int primary key, loan_id int not null references loan, cents int not null);
    insert into member values (1, 'Ada', false), (2, 'Bo', true);
    insert into loan values (10, 1, 'Emma', null, 'torn'), (11, 2, 'Dune', '2026-01-02', null);
    insert into fine values (100, 10, 50), (110, 11, 70);`;
  await server.post("/v2/query", { type: "run_sql", args: { sql } }, secret);
  const permitted = (relationship: string) => ({ _permitted: { relationship, operation: "select" } });
  const active = { member: { suspended: { _eq: false } } };
  const changes = [
    { type: "pg_track_tables", args: { tables: ["member", "loan", "fine"] } },
    {
      type: "pg_create_object_relationship",
      args: { table: "loan", name: "member", using: { foreign_key_constraint_on: "member_id" } },
    },
    permission("loan", "select", "reader", { columns: ["id", "book"], filter: { _and: [own, active] }, limit: 5 }),
    permission("loan", "select", "auditor", {
      columns: ["id", "book", "returned"],
      filter: { returned: { _is_null: false } },
      query_root_fields: ["select"],
    }),
    permission("member", "select", "auditor", { columns: ["id", "name"], filter: {} }),
    permission("loan", "insert", "reader", {
      columns: ["id", "book"],
      check: active,
      set: { member_id: "X-Engine-User-Id" },
    }),
    permission("loan", "update", "reader", {
      columns: ["note", "returned"],
      filter: own,
      check: { note: { _neq: "x" } },
    }),
    permission("loan", "delete", "reader", { filter: own, backend_only: true }),
    permission("loan", "update", "auditor", { columns: ["note"], filter: {} }),
    {
      type: "pg_create_object_relationship",
      args: { table: "fine", name: "loan", using: { foreign_key_constraint_on: "loan_id" } },
    },
    {
      type: "pg_create_array_relationship",
      args: {
        table: "loan",
        name: "fines",
        using: { foreign_key_constraint_on: { table: "fine", column: "loan_id" } },
      },
    },
    permission("fine", "select", "reader", { columns: ["id", "cents"], filter: permitted("loan") }),
    permission("fine", "insert", "reader", { columns: ["id", "loan_id", "cents"], check: permitted("loan") }),
    permission("loan", "select", "clerk", { columns: ["id"], filter: {} }),
    permission("loan", "update", "clerk", { columns: ["note"], filter: {} }),
    permission("fine", "select", "clerk", { columns: ["id"], filter: {}, allow_aggregations: true }),
    permission("fine", "update", "clerk", { columns: ["cents"], filter: {} }),
    permission("loan", "select", "front", { columns: ["id"], filter: {} }),
    permission("fine", "select", "front", { columns: ["id"], filter: permitted("loan") }),
    permission("fine", "select", "back", { columns: ["id"], filter: {} }),
    permission("loan", "select", "back", { columns: ["id"], filter: permitted("fines") }),
    { type: "add_inherited_role", args: { role_name: "desk", role_set: ["front", "back"] } },
    { type: "add_inherited_role", args: { role_name: "chief", role_set: ["reader", "auditor"] } },
    { type: "add_inherited_role", args: { role_name: "lead", role_set: ["reader", "auditor"], merge: true } },
  ];
  for (const change of changes) {
    expect((await server.post("/v1/metadata", change, secret)).json).toMatchObject(
      change.type === "pg_track_tables" ? {} : { message: "success" },
    );
  }
}, 120_000);

afterAll(() => server?.close());

async function explained(args: object) {
  return (await server.post("/v1/metadata", { type: "explain_access", args }, secret)).json;
}

const on = (role: string, user: string | undefined, given: object, more: object = {}) =>
  explained({ role, ...(user && { session: { "X-Engine-User-Id": user } }), on: { table: "loan", ...given }, ...more });

async function booksOf(role: string, user: string, id: number): Promise<readonly string[]> {
  const headers = { ...secret, "x-engine-role": role, "x-engine-user-id": user };
  const query = `query ($id: Int!) { loan(where: {id: {_eq: $id}}) { book } }`;
  const { json } = await server.post("/v1/graphql", { query, variables: { id } }, headers);
  return json.data.loan.map(({ book }: { readonly book: string }) => book);
}

describe("The explanation of an operation on a table", { timeout: 60_000 }, () => {
  it("evaluates each part of the row filter for a row, as the server does", async () => {
    expect(await booksOf("reader", "1", 10)).toEqual(["Emma"]);
    expect(await on("reader", "1", { row: { id: 10 } })).toEqual({
      verdict: "allowed",
      reason: "the row filter is true for the row",
      steps: [
        { check: "permission", result: "passed", reason: "select permission of role reader on loan" },
        { check: "limit", result: "passed", reason: "a query returns at most 5 rows" },
        { check: "rows", result: "passed", reason: "the row filter is true for the row" },
      ],
      rows: {
        expression: {
          _and: [{ member_id: { _eq: "x-engine-user-id" } }, { member: { suspended: { _eq: false } } }],
        },
        result: true,
        parts: [
          { expression: { member_id: { _eq: "x-engine-user-id" } }, result: true },
          {
            expression: { member: { suspended: { _eq: false } } },
            result: true,
            parts: [{ expression: { suspended: { _eq: false } }, result: true }],
          },
        ],
      },
    });
    expect(await booksOf("reader", "2", 11)).toEqual([]);
    const denied = await on("reader", "2", { row: { id: 11 } });
    expect(denied).toMatchObject({ verdict: "denied", reason: "the row filter is false for the row" });
    expect(denied.rows.parts.map(({ result }: { readonly result: boolean }) => result)).toEqual([true, false]);
  });

  it("explains through a reference to another permission, with the parts of that permission's filter", async () => {
    const onFine = (user: string, given: object) =>
      explained({ role: "reader", session: { "X-Engine-User-Id": user }, on: { table: "fine", ...given } });
    const parts = (own: boolean, active: boolean) => [
      {
        expression: { _and: [{ member_id: { _eq: "x-engine-user-id" } }, { member: { suspended: { _eq: false } } }] },
        result: own && active,
        parts: [
          { expression: { member_id: { _eq: "x-engine-user-id" } }, result: own },
          {
            expression: { member: { suspended: { _eq: false } } },
            result: active,
            parts: [{ expression: { suspended: { _eq: false } }, result: active }],
          },
        ],
      },
    ];
    const reference = {
      expression: { _permitted: { relationship: "loan", operation: "select" } },
      permission: "loan",
    };
    expect(await onFine("1", { row: { id: 100 } })).toMatchObject({
      verdict: "allowed",
      rows: { ...reference, result: true, parts: parts(true, true) },
    });
    expect(await onFine("2", { row: { id: 110 } })).toMatchObject({
      verdict: "denied",
      rows: { ...reference, result: false, parts: parts(true, false) },
    });
    const insert = (loan: number) => ({ operation: "insert", values: { id: 1, loan_id: loan, cents: 5 } });
    expect(await onFine("1", insert(10))).toMatchObject({ verdict: "allowed", check: { ...reference, result: true } });
    expect(await onFine("1", insert(11))).toMatchObject({
      verdict: "denied",
      check: { ...reference, result: false, parts: parts(false, false) },
    });
  });

  it("names the circle of references for which an inherited role gets no permission", async () => {
    expect(await explained({ role: "desk", on: { table: "fine" } })).toMatchObject({
      verdict: "denied",
      reason:
        'role desk inherits no select permission on fine from front, back: _permitted refers to itself: the select permissions of role "desk" need each other: "fine" → "loan" → "fine"',
    });
  });

  it("names the column that a permission lacks, with its columns, and the nearest name of an unknown one", async () => {
    expect(await on("reader", "1", { columns: ["book", "note"] })).toMatchObject({
      verdict: "denied",
      reason: "note is not a column of the select permission",
      steps: expect.arrayContaining([
        { check: "columns", result: "passed", reason: "book is a column of the permission" },
        expect.objectContaining({ check: "columns", result: "failed", hint: "its columns: id, book" }),
      ]),
    });
    expect((await on("reader", "1", { columns: ["bok"] })).steps).toContainEqual({
      check: "columns",
      result: "failed",
      reason: "loan has no column bok",
      hint: 'did you mean "book"?',
    });
  });

  it("names the roles that have a missing permission, and a role that the metadata does not name", async () => {
    expect((await on("auditor", undefined, { operation: "insert" })).steps).toEqual([
      {
        check: "permission",
        result: "failed",
        reason: "role auditor has no insert permission on loan",
        hint: "roles with this permission: reader",
      },
    ]);
    expect((await on("readers", undefined, {})).steps[0]).toEqual({
      check: "role",
      result: "failed",
      reason: "the metadata does not name role readers",
      hint: 'did you mean "reader"?',
    });
  });

  it("refuses a backend-only permission to other requests", async () => {
    const args = { operation: "delete", row: { id: 10 } };
    expect(await on("reader", "1", args)).toMatchObject({
      verdict: "denied",
      reason: "the delete permission is for backends only (backend_only)",
    });
    expect(await on("reader", "1", args, { backend: true })).toMatchObject({ verdict: "allowed" });
  });

  it("names a session variable's value that the database cannot compare with the column", async () => {
    expect(await on("reader", "ann", { row: { id: 10 } })).toMatchObject({
      verdict: "denied",
      reason: 'the database cannot compare the values: invalid input syntax for type integer: "ann"',
    });
  });

  it("lists the session variables that the filter compares with and the session lacks", async () => {
    expect(await on("reader", undefined, { row: { id: 10 } })).toMatchObject({
      verdict: "denied",
      reason: "the session lacks x-engine-user-id, which a permission compares with",
    });
  });

  it("evaluates the check of an insert for the given values and the column presets", async () => {
    const insert = { operation: "insert", values: { id: 12, book: "Ulysses" } };
    expect(await on("reader", "1", insert)).toMatchObject({
      verdict: "allowed",
      reason: "the check of the insert permission is true for the row",
    });
    expect(await on("reader", "2", insert)).toMatchObject({ verdict: "denied", check: { result: false } });
    const preset = { operation: "insert", values: { member_id: 1 } };
    expect(await on("reader", "1", preset)).toMatchObject({
      reason: "member_id is set by a column preset, so a request cannot set it",
    });
    const { json } = await server.post(
      "/v2/query",
      { type: "run_sql", args: { sql: "select count(*) from loan" } },
      secret,
    );
    expect(json.result[1]).toEqual(["2"]);
  });

  it("evaluates the filter of an update for the existing row, and its check for the written row", async () => {
    const update = (note: string | null) => ({ operation: "update", row: { id: 10 }, values: { note } });
    expect(await on("reader", "1", update("fine"))).toMatchObject({ verdict: "allowed", rows: { result: true } });
    expect(await on("reader", "1", update("x"))).toMatchObject({
      verdict: "denied",
      reason: "the check of the update permission is false for the row",
      rows: { result: true },
      check: { result: false },
    });
    expect(await on("reader", "1", update(null))).toMatchObject({
      reason: "the check of the update permission is unknown (null) for the row, which counts as false",
      check: { result: null },
    });
  });

  it("shows which parent of an inherited role admits the row, and columns that are null in it", async () => {
    const { rows, ...chief } = await on("chief", "1", { row: { id: 10 }, columns: ["book", "returned"] });
    expect(rows.parts).toMatchObject([
      { role: "auditor", result: false },
      { role: "reader", result: true },
    ]);
    expect(chief).toMatchObject({
      verdict: "denied",
      reason: "returned is null in the row: only rows of auditor show it",
    });
    expect((await on("chief", "1", { operation: "update" })).reason).toBe(
      "the update permissions of the parent roles reader, auditor on loan differ, so role chief inherits none",
    );
  });

  it("names the parent that admits the row and whose check the changed row meets, for merged permissions", async () => {
    const update = (id: number, values: object) => on("lead", "1", { operation: "update", row: { id }, values });
    expect(await update(11, { note: "x" })).toMatchObject({
      verdict: "allowed",
      reason: "the check of auditor, which admits the row, is true for the row",
    });
    expect(await update(10, { note: "x", returned: "2026-01-01" })).toMatchObject({
      verdict: "denied",
      reason: "none of the roles that admit the row (reader) has a check that is true for the row after the update",
    });
  });

  it("depends on the row if none is given, and fails for a key without a row", async () => {
    expect(await on("reader", "1", {})).toMatchObject({ verdict: "depends" });
    expect(await on("reader", "1", { row: { id: 99 } })).toMatchObject({ reason: 'no row of loan has {"id":99}' });
    expect(await on("auditor", "1", { row: { returned: null } })).toMatchObject({ verdict: "denied" });
    expect(await on("admin", undefined, {})).toMatchObject({ verdict: "allowed" });
  });

  it("follows a relationship only to a table that the role can select", async () => {
    expect(await on("auditor", "1", { columns: ["member"] })).toMatchObject({ verdict: "depends" });
    expect(await on("reader", "1", { columns: ["member"] })).toMatchObject({
      reason: "relationship member leads to member, on which role reader has no select permission",
    });
  });
});

describe("The explanation of a request", { timeout: 60_000 }, () => {
  const sent = (role: string, query: string, more: object = {}) =>
    explained({ role, session: { "x-engine-user-id": "1" }, request: { query }, ...more });

  it("has the verdict of the server, with the permission of each root field", async () => {
    expect(await sent("reader", "{ loan { id book } }")).toMatchObject({
      verdict: "allowed",
      steps: expect.arrayContaining([
        { check: "permission", result: "passed", reason: "select permission of role reader on loan" },
      ]),
    });
    expect(await sent("reader", "{ member { id } }")).toMatchObject({
      verdict: "denied",
      reason: "role reader has no select permission on member",
    });
    expect(await sent("reader", "{ loan { note } }")).toMatchObject({
      verdict: "denied",
      reason: "note is not a column of the select permission",
    });
  });

  it("allows a role without permissions what the server allows it", async () => {
    const query = "{ __typename }";
    const headers = { ...secret, "x-engine-role": "unknown" };
    const { json } = await server.post("/v1/graphql", { query }, headers);
    expect(json).toEqual({ data: { __typename: "query_root" } });
    expect(await sent("unknown", query)).toMatchObject({ verdict: "allowed" });
    expect(await sent("unknown", "{ loan { id } }")).toMatchObject({
      verdict: "denied",
      reason: "the metadata does not name role unknown",
    });
  });

  it("gives the reason why a root field of a permitted table is missing", async () => {
    expect((await sent("auditor", "{ loan_by_pk(id: 1) { id } }")).reason).toBe(
      "role auditor has no root field loan_by_pk: the permission lists its root fields, without this one (query_root_fields)",
    );
    expect((await sent("reader", "{ loan_aggregate { aggregate { count } } }")).reason).toBe(
      "role reader has no root field loan_aggregate: the permission does not allow aggregations (allow_aggregations)",
    );
    expect((await sent("reader", "mutation { delete_loan_by_pk(id: 1) { id } }")).reason).toBe(
      "the delete permission is for backends only (backend_only)",
    );
  });

  it("reports an invalid document, and session variables that the permissions need", async () => {
    expect((await sent("reader", "{ loan {")).verdict).toBe("denied");
    expect(await explained({ role: "reader", request: { query: "{ loan { id } }" } })).toMatchObject({
      verdict: "denied",
      reason: "the session lacks x-engine-user-id, which a permission compares with",
    });
  });
});

describe("The explanation of a root field", { timeout: 60_000 }, () => {
  const root = (role: string, given: object, more: object = {}) => explained({ role, root_field: given, ...more });
  const reasonOf = async (role: string, name: string, argument?: string, more?: object): Promise<string> =>
    (await root(role, { name, ...(argument && { argument }) }, more)).reason;

  it("names the permission that gives it, and the reason why it is missing", async () => {
    expect(await root("reader", { name: "loan" })).toMatchObject({
      verdict: "allowed",
      reason: "role reader has the query root field loan",
      steps: expect.arrayContaining([
        { check: "permission", result: "passed", reason: "select permission of role reader on loan" },
      ]),
    });
    expect(await reasonOf("auditor", "loan_by_pk")).toBe(
      "role auditor has no root field loan_by_pk: the permission lists its root fields, without this one (query_root_fields)",
    );
    expect((await root("auditor", { name: "loan_by_pk", operation: "subscription" })).verdict).toBe("allowed");
    expect(await reasonOf("reader", "loan_aggregate")).toContain("does not allow aggregations (allow_aggregations)");
    expect(await reasonOf("reader", "delete_loan")).toContain("for backends only (backend_only)");
    expect((await root("reader", { name: "delete_loan" }, { backend: true })).verdict).toBe("allowed");
    expect(await reasonOf("auditor", "insert_loan")).toBe("role auditor has no insert permission on loan");
    expect(await root("reader", { name: "loan_agregate" })).toMatchObject({
      reason: "the metadata defines no query root field loan_agregate",
      steps: [expect.objectContaining({ hint: 'did you mean "loan_aggregate"?' })],
    });
  });

  it("explains arguments by the permission that decides them", async () => {
    expect(await reasonOf("reader", "loan", "where.book._eq")).toBe("role reader may give the argument where.book._eq");
    expect(await reasonOf("reader", "loan", "where.note")).toBe("note is not a column of the select permission");
    expect(await reasonOf("reader", "loan", "where.member.name")).toBe(
      "role reader has no select permission on member",
    );
    expect(await reasonOf("auditor", "loan", "where.member.suspended")).toBe(
      "suspended is not a column of the select permission",
    );
    expect(await reasonOf("reader", "insert_loan", "objects.member_id")).toBe(
      "member_id is set by a column preset, so a request cannot set it",
    );
    expect(await reasonOf("reader", "insert_loan", "objects.note")).toBe(
      "note is not a column of the insert permission",
    );
    expect(await reasonOf("reader", "update_loan", "_set.book")).toBe("book is not a column of the update permission");
    expect(await reasonOf("reader", "insert_loan", "on_conflict.where.note")).toBe(
      "note is not a column of the select permission",
    );
    expect((await root("reader", { name: "loan", argument: "wher" })).steps.at(-1)).toEqual({
      check: "argument",
      result: "failed",
      reason: "the root field has no argument wher",
      hint: 'did you mean "where"?',
    });
  });

  it("explains groups by the right to aggregate", async () => {
    const denied = "does not allow aggregations (allow_aggregations)";
    expect(await reasonOf("reader", "loan_group")).toBe(
      `role reader has no root field loan_group: the permission ${denied}`,
    );
    const groups = "{ loan { fines_group(by: { column: id }) { aggregate { count } } } }";
    const request = { query: groups };
    expect((await explained({ role: "reader", session: { "X-Engine-User-Id": "1" }, request })).reason).toBe(
      `relationship fines leads to fine, on which the select permission ${denied}`,
    );
    expect((await on("reader", "1", { columns: ["fines_aggregate"] })).reason).toContain(denied);
    expect((await on("reader", "1", { columns: ["member_group"] })).reason).toBe("loan has no column member_group");
    expect((await on("clerk", undefined, { columns: ["fines_group"] })).reason).not.toContain(denied);
    expect((await root("clerk", { name: "fine_group" })).verdict).toBe("allowed");
  });

  it("explains writes of related rows by the permission of their table", async () => {
    const ofLoan = (role: string, argument: string) => reasonOf(role, "update_loan", argument);
    expect(await ofLoan("reader", "_related.fines.insert.data.cents")).toContain("role reader may give the argument");
    expect(await ofLoan("reader", "_related.fines.delete")).toBe("role reader has no delete permission on fine");
    expect(await ofLoan("reader", "_related.fines.connect")).toBe("role reader has no update permission on fine");
    expect(await ofLoan("reader", "_related.member.update")).toBe("role reader has no update permission on member");
    expect(await ofLoan("auditor", "_related.fines")).toBe(
      "the argument _related requires a permission to write rows of a relationship, between tables that role auditor may select",
    );
    expect(await ofLoan("clerk", "_related.fines.update._set.cents")).toContain("role clerk may give the argument");
    const determined = (place: string) => `${place} has the value of the row above, so requests cannot give it`;
    for (const [role, field, place] of [
      ["clerk", "update_loan", "_related.fines.update._set.loan_id"],
      ["reader", "update_loan", "_related.fines.insert.data.loan_id"],
      ["reader", "insert_loan", "objects.fines.data.loan_id"],
    ] as const) {
      expect(await reasonOf(role, field, place)).toBe(determined(place));
    }
    expect(await ofLoan("clerk", "_related.fines.update.where.loan_id")).toBe(
      "loan_id is not a column of the select permission",
    );
    expect(await ofLoan("clerk", "_related.fines.connect")).toBe(
      "connect sets the columns of the relationship, which the update permission must list",
    );
  });

  it("lists the limits of the role", async () => {
    const set = { type: "set_api_limits", args: { disabled: false, depth_limit: { global: 7, per_role: {} } } };
    expect((await server.post("/v1/metadata", set, secret)).json).toEqual({ message: "success" });
    const { verdict, steps } = await root("reader", { name: "loan" });
    await server.post("/v1/metadata", { type: "remove_api_limits", args: {} }, secret);
    expect({ verdict, first: steps[0] }).toEqual({
      verdict: "allowed",
      first: { check: "limit", result: "passed", reason: "fields are nested at most 7 levels deep (depth_limit)" },
    });
  });
});

describe("The arguments of explain_access", { timeout: 60_000 }, () => {
  it("are refused with the path and the nearest name", async () => {
    expect(await explained({ role: "reader" })).toMatchObject({ code: "parse-failed", path: "$.args" });
    expect(await on("reader", "1", { row: { idd: 1 } })).toMatchObject({
      code: "not-exists",
      path: "$.args.on.row.idd",
      error: 'table loan has no column "idd"',
    });
    expect(await on("reader", "1", { values: {} })).toMatchObject({ path: "$.args.on.values" });
    expect(await explained({ role: "reader", session: { user: "1" }, on: { table: "loan" } })).toMatchObject({
      path: "$.args.session.user",
    });
    expect((await on("reader", "1", { row: { id: "no number" } })).reason).toContain("invalid input syntax");
  });

  it("are open to administrators only", async () => {
    const headers = { ...secret, "x-engine-role": "reader" };
    const { json } = await server.post(
      "/v1/metadata",
      { type: "explain_access", args: { role: "admin", on: { table: "loan" } } },
      headers,
    );
    expect(json).toMatchObject({ code: "access-denied" });
  });
});

describe("engine why", { timeout: 60_000 }, () => {
  let folder: string;

  beforeAll(async () => {
    await ensureBuilt();
    folder = await mkdtemp(join(tmpdir(), "why-"));
  }, 60_000);

  afterAll(() => rm(folder, { recursive: true, force: true }));

  const why = (...args: readonly string[]) =>
    engine(["why", ...args, "--endpoint", server.url, "--admin-secret", "s", "--project", folder], folder);

  it("prints the verdict, the checks, and the truth of each part of the filter", async () => {
    const { code, stdout } = await why("reader", "loan", "--row", "id=11", "--session", "user-id=2");
    expect(code).toBe(0);
    expect(stdout).toBe(
      [
        "denied: the row filter is false for the row",
        "",
        "  passed   select permission of role reader on loan",
        "  passed   a query returns at most 5 rows",
        "  failed   the row filter is false for the row",
        "",
        "  row filter",
        "  false    _and",
        '  true       {"member_id":{"_eq":"x-engine-user-id"}}',
        "  false      member",
        '  false        {"suspended":{"_eq":false}}',
        "",
      ].join("\n"),
    );
  });

  it("reads a request from a file, and prints JSON", async () => {
    await writeFile(join(folder, "loans.graphql"), "{ loan { note } }");
    const { stdout } = await why("reader", "--query", "loans.graphql", "--session", "user-id=1", "--format", "json");
    expect(JSON.parse(stdout)).toMatchObject({
      verdict: "denied",
      reason: "note is not a column of the select permission",
    });
  });

  describe("without a server", () => {
    const files = (...metadata: readonly string[]) => ["--metadata", join(folder, ...metadata)];
    const shape = () => ["--shape", join(folder, "shape.json")];

    const run = async (...args: readonly string[]) => {
      const { code, stderr } = await engine(args, folder);
      expect({ code, stderr }).toMatchObject({ code: 0 });
    };

    beforeAll(async () => {
      const { json } = await server.post("/v1/metadata", { type: "export_metadata", args: {} }, secret);
      await writeFile(join(folder, "metadata.json"), JSON.stringify(json));
      await run("shape", "--database", server.databaseUrl, "--out", join(folder, "shape.json"));
      await run("build", ...files("metadata.json"), ...shape(), "--out", join(folder, "built"));
    }, 120_000);

    it.each([
      [["reader", "loan", "--columns", "book", "note", "member"]],
      [["chief", "loan", "--columns", "returned"]],
      [["chief", "loan", "--operation", "update", "--backend"]],
      [["chief", "member"]],
      [["reader", "loan", "--operation", "insert", "--columns", "id", "member_id"]],
      [["reader", "loan", "--operation", "update", "--values", "note=x"]],
      [["reader", "loan", "--operation", "delete"]],
      [["admin", "loan", "--columns", "bok"]],
      [["readers", "loan"]],
      [["auditor", "--field", "loan_by_pk"]],
      [["auditor", "--field", "loan_by_pk", "--field-of", "subscription"]],
      [["reader", "--field", "delete_loan"]],
      [["reader", "--field", "delete_loan", "--backend"]],
      [["reader", "--field", "loan_aggregate"]],
      [["auditor", "--field", "loan", "--argument", "where.member.suspended"]],
      [["reader", "--field", "insert_loan", "--argument", "objects.member_id"]],
      [["reader", "--field", "insert_loan", "--argument", "on_conflict.update_columns"]],
      [["readers", "--field", "loan"]],
    ])("prints for files and artifacts what it prints for the server: %j", async (args) => {
      const [live, offline, sealed] = await Promise.all([
        why(...args),
        engine(["why", ...args, ...files("metadata.json"), ...shape()], folder),
        engine(["why", ...args, ...files("built")], folder),
      ]);
      expect(live.stdout).toMatch(/^(?:allowed|denied|depends): /);
      // Files contain no rows.
      expect(offline).toMatchObject({ code: 0, stdout: live.stdout });
      expect(sealed).toMatchObject({ code: 0, stdout: live.stdout });
    });

    it("explains a request with metadata files, and refuses rows", async () => {
      await writeFile(join(folder, "notes.graphql"), "{ loan { note } }");
      const offline = [...files("metadata.json"), ...shape()];
      const request = await engine(["why", "reader", "--query", "notes.graphql", ...offline], folder);
      expect(request.stdout).toMatch(/^denied: note is not a column of the select permission\n/);
      const row = await engine(["why", "reader", "loan", "--row", "id=1", ...offline], folder);
      expect(row).toMatchObject({ code: 1 });
      expect(row.stderr).toContain("--row requires a server");
      const lone = await engine(["why", "reader", "lone", ...files("built")], folder);
      expect(lone.stderr).toContain('table "lone" does not exist in source: default');
    });

    it.each([
      ["{ loan { note } }", "note is not a column of the select permission"],
      ["{ loan { ...f } } fragment f on loan { id note }", "note is not a column of the select permission"],
      [
        '{ loan(where: {_and: [{id: {_eq: 1}}, {note: {_eq: "x"}}]}) { id } }',
        "note is not a column of the select permission",
      ],
      ["query ($w: loan_bool_exp) { loan(where: $w) { id } }", "note is not a column of the select permission"],
      [
        "{ loan_aggregate { aggregate { count } } }",
        /^role reader has no root field loan_aggregate: the permission does not/,
      ],
      [
        "{ loan { member { name } } }",
        "relationship member leads to member, on which role reader has no select permission",
      ],
      ["{ lone { id } }", "the metadata defines no query root field lone"],
      ["{ loan { titel } }", "the type has no field titel"],
      [
        "mutation { delete_loan(where: {}) { affected_rows } }",
        "the delete permission is for backends only (backend_only)",
      ],
      ["{ loan { id }", "not a valid graphql query (validation-failed at $.query)"],
    ])("denies a request that an artifact refuses: %s", async (query, reason) => {
      const variables = query.includes("$w") ? { w: { note: { _eq: "x" } } } : {};
      const live = await explained({ role: "reader", request: { query, variables } });
      expect(live.verdict).toBe("denied");
      await writeFile(join(folder, "refused.graphql"), query);
      const args = ["--query", "refused.graphql", "--variables", JSON.stringify(variables), "--format", "json"];
      const { stdout } = await engine(["why", "reader", ...args, ...files("built")], folder);
      const sealed = JSON.parse(stdout);
      expect(sealed.verdict).toBe("denied");
      expect(sealed.reason).toMatch(reason);
    });

    it.each([
      "query Loans($id: Int!) { __typename loan(where: {id: {_eq: $id}}, limit: 1) { ...f __typename } } fragment f on loan { id book }",
      'mutation { insert_loan_one(object: {id: 3, book: "Emma"}) { id } }',
    ])("leaves values and rows to the server for a request that an artifact serves: %s", async (query) => {
      await writeFile(join(folder, "served.graphql"), query);
      const args = ["--query", "served.graphql", "--format", "json"];
      const { stdout } = await engine(["why", "reader", ...args, ...files("built")], folder);
      expect(JSON.parse(stdout)).toMatchObject({
        verdict: "depends",
        reason: "the types of values, and filters on rows, are checked only by a server",
      });
    });
  });

  it("refuses arguments that name nothing, or both a table and a request", async () => {
    expect((await why("reader")).stderr).toContain(
      "give either a table, or a root field with --field, or a GraphQL document with --query",
    );
    const pair = await why("reader", "loan", "--row", "id");
    expect(pair).toMatchObject({ code: 1 });
    expect(pair.stderr).toContain('--row expects name=value, not "id"');
    expect((await why("reader", "lone")).stderr).toContain('table "lone" does not exist');
  });
});
