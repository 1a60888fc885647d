/** Changes of many permissions at once, inheritance, and settings of roles, as operations. */
import { describe, expect, it } from "vitest";
import type { Metadata, Source, Table } from "../../../runtime/console/http/metadata-types.ts";
import { copy, deletion, filterChange } from "../../../runtime/console/pages/permissions/cell-changes.ts";
import { checkSentence, filterSentence } from "../../../runtime/console/pages/permissions/filter-words.ts";
import { levelsOf, originsOf, parentsOf } from "../../../runtime/console/pages/permissions/inheritance.ts";
import { draftOf, roleOperations, withLimit } from "../../../runtime/console/pages/permissions/role-change.ts";

const nameOf = (name: string) => ({ schema: "public", name });

const book: Table = {
  table: nameOf("book"),
  computed_fields: [{ name: "headline", definition: { function: nameOf("headline") } }],
  select_permissions: [
    {
      role: "reader",
      comment: "Public",
      permission: { columns: ["id", "title"], filter: {}, computed_fields: ["headline"] },
    },
    { role: "writer", permission: { columns: "*", filter: {} } },
  ],
  insert_permissions: [
    { role: "writer", permission: { columns: ["title"], check: {}, set: { owner: "X-Engine-User-Id", rank: 1 } } },
  ],
};
const shelf: Table = { table: nameOf("shelf") };
const source: Source = { name: "shop", kind: "postgres", tables: [book, shelf], configuration: {} };

describe("Changes of many permissions", () => {
  const cells = [
    { table: book, role: "reader" },
    { table: book, role: "writer" },
    { table: shelf, role: "reader" },
  ];
  const typesOf = (change: { readonly operations: readonly { readonly type: string }[] }) =>
    change.operations.map(({ type }) => type);

  it("A deletion drops only the chosen kinds of the permissions that exist", () => {
    const change = deletion(source, cells, ["select", "delete"]);
    expect(typesOf(change)).toEqual(["pg_drop_select_permission", "pg_drop_select_permission"]);
    expect(change).toMatchObject({ roles: ["reader", "writer"], count: 2 });
  });

  it("A new filter replaces the check of an insert permission and keeps everything else", () => {
    const filter = { id: { _gt: 1 } };
    const { operations } = filterChange(source, cells, ["insert"], filter);
    expect(operations[1]?.args).toMatchObject({
      permission: { columns: ["title"], check: filter, set: { owner: "X-Engine-User-Id", rank: 1 } },
    });
  });

  it("A filter that every permission has already changes nothing", () => {
    expect(filterChange(source, cells, ["select"], {}).operations).toEqual([]);
  });

  it("A copy keeps the permissions of the target unless it replaces them", () => {
    const target = { role: "writer", table: null, columns: null, isReplacing: false };
    const reader = cells.slice(0, 1);
    expect(copy(source, reader, ["select"], target)).toMatchObject({ operations: [], kept: 1 });
    const replaced = copy(source, reader, ["select"], { ...target, isReplacing: true });
    expect(typesOf(replaced)).toEqual(["pg_drop_select_permission", "pg_create_select_permission"]);
    expect(replaced.operations[1]?.args).toMatchObject({ role: "writer", comment: "Public" });
  });

  it("A copy to another table omits the columns, presets and computed fields that the table lacks", () => {
    const target = { role: null, table: shelf, columns: new Set(["id", "owner"]), isReplacing: false };
    const change = copy(source, cells.slice(0, 2), ["select", "insert"], target);
    expect(change.missing).toEqual(["headline", "rank", "title"]);
    expect(change.operations.map(({ args }) => (args as { readonly permission: unknown }).permission)).toEqual([
      { columns: ["id"], filter: {}, computed_fields: [] },
      { columns: "*", filter: {} },
      { columns: [], check: {}, set: { owner: "X-Engine-User-Id" } },
    ]);
  });
});

describe("Inheritance of roles", () => {
  const parents = parentsOf([
    { role_name: "staff", role_set: ["reader", "writer"] },
    { role_name: "chief", role_set: ["staff", "guest"] },
  ]);

  it("A permission comes from the nearest ancestors that have one", () => {
    expect(originsOf(book, "select", "chief", parents)).toEqual(["reader", "writer"]);
    expect(originsOf(book, "insert", "chief", parents)).toEqual(["writer"]);
    expect(originsOf(book, "select", "reader", parents)).toEqual(["reader"]);
    expect(originsOf(shelf, "select", "chief", parents)).toEqual([]);
  });

  it("The levels of a role have its ancestors before it and its heirs after it", () => {
    expect(levelsOf("staff", parents)).toEqual([["reader", "writer"], ["staff"], ["chief"]]);
    expect(levelsOf("chief", parents)).toEqual([["reader", "writer"], ["guest", "staff"], ["chief"]]);
  });

  it("A cycle of roles ends", () => {
    const cyclic = parentsOf([
      { role_name: "a", role_set: ["b"] },
      { role_name: "b", role_set: ["a"] },
    ]);
    expect(levelsOf("a", cyclic)).toEqual([["b"], ["a"], ["b"]]);
    expect(originsOf(book, "select", "a", cyclic)).toEqual([]);
  });
});

describe("Settings of a role", () => {
  const metadata: Metadata = {
    version: 3,
    sources: [],
    query_collections: [
      { name: "app", definition: { queries: [] } },
      { name: "desk", definition: { queries: [] } },
    ],
    allowlist: [{ collection: "app", scope: { global: true } }],
    graphql_schema_introspection: { disabled_for_roles: ["guest"] },
  };
  const operationsOf = (collection: string, allowance: "none" | "role" | "all", roles = ["reader", "guest"]) => {
    const draft = draftOf(metadata, "reader");
    const allowances = new Map([...draft.allowances, [collection, allowance] as const]);
    return roleOperations(metadata, "reader", { ...draft, allowances }, roles);
  };

  it("Unchanged settings need no operation", () => {
    expect(roleOperations(metadata, "reader", draftOf(metadata, "reader"), ["reader"])).toEqual([]);
  });

  it("A role without introspection is added to the others", () => {
    const draft = { ...draftOf(metadata, "reader"), introspection: false };
    expect(roleOperations(metadata, "reader", draft, [])).toEqual([
      { type: "set_graphql_schema_introspection_options", args: { disabled_for_roles: ["guest", "reader"] } },
    ]);
  });

  it("A role that loses a collection of all roles leaves it to the other roles", () => {
    const scope = { global: false, roles: ["guest"] };
    expect(operationsOf("app", "none")).toEqual([
      { type: "update_scope_of_collection_in_allowlist", args: { collection: "app", scope } },
    ]);
    expect(operationsOf("app", "none", ["reader"])).toEqual([
      { type: "drop_collection_from_allowlist", args: { collection: "app" } },
    ]);
  });

  it("A collection outside of the allow-list is added for the role", () => {
    const scope = { global: false, roles: ["reader"] };
    expect(operationsOf("desk", "role")).toEqual([
      { type: "add_collection_to_allowlist", args: { collection: "desk", scope } },
    ]);
  });

  it("A limit disappears with its last value", () => {
    const limits = withLimit(withLimit({}, "depth_limit", null, 8), "depth_limit", "reader", 3);
    expect(limits).toEqual({ depth_limit: { global: 8, per_role: { reader: 3 } } });
    expect(withLimit(withLimit(limits, "depth_limit", "reader", undefined), "depth_limit", null, undefined)).toEqual(
      {},
    );
  });
});

describe("Filters in words", () => {
  it.each([
    [{}, "reader can read all rows."],
    [{ _or: [] }, "reader can read no rows."],
    [{ id: { _eq: "X-Engine-Id" } }, "reader can read rows where id equals the session variable x-engine-id."],
    [
      { _or: [{ hidden: { _is_null: true } }, { _and: [{ a: { _gt: 1 } }, { b: { _ceq: "a" } }] }] },
      "reader can read rows where hidden is null or (a is greater than 1 and b equals column a).",
    ],
    [{ _not: { a: { _in: [1, 2] } } }, "reader can read rows where not (a is in [1,2])."],
    [{ copies: {} }, "reader can read rows where a related row of copies exists."],
    [
      { _exists: { _table: nameOf("author"), _where: { name: { _eq: "x" } } } },
      'reader can read rows where a row of author matches (name equals "x").',
    ],
    [
      { copies: { _permitted: { relationship: "branch", operation: "select" } } },
      "reader can read rows where a related row of copies matches (a related row of branch is readable).",
    ],
    [{ _and: [{}, { _not: { _or: [] } }] }, "reader can read all rows."],
  ])("The filter %j has words", (filter, sentence) => {
    expect(filterSentence("reader", "select", filter)).toBe(sentence);
  });

  it("The check of an update describes the row after it", () => {
    expect(checkSentence(null)).toBe("Updated rows may have any values.");
    expect(checkSentence({ a: { _gt: 0 } })).toBe("After an update, the row must match: a is greater than 0.");
  });
});
