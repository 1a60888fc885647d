/** Rules of advice on small metadata: their conditions, and cases in which they find nothing. */
import { describe, expect, it } from "vitest";
import { adviceOf } from "../../../compiler/advice/advice.ts";
import type { Advice, AdviceInput } from "../../../compiler/advice/model.ts";
import type { IndexFact, ReviewFacts } from "../../../compiler/shape/review-facts.ts";
import type { DistributionShape } from "../../../compiler/shape/shape.ts";
import { readAdvice } from "../../../runtime/control/advise.ts";
import { runToCompletion } from "../../../runtime/values/interruptible.ts";
import { select } from "../access/metadata.ts";
import { analysisOf, argument, functionShape, type MetadataInput, rowType, shape, table } from "../analyze/sample.ts";

const note = { schema: "public", name: "note" };
const author = { schema: "public", name: "author" };
const own = { owner: { _eq: "X-Engine-User-Id" } };
const search = functionShape("search", {
  returnsSet: true,
  returns: rowType("public", "note"),
  returnsTable: note,
  arguments: [argument("word", "text"), argument("session", "json")],
});
const database = shape(
  [
    table("note", {
      columns: { id: "int4!", owner: "text", author_id: "int4", api_key: "text", token_count: "int4", hidden: "bool" },
      primaryKey: ["id"],
      foreignKeys: [{ columns: ["author_id"], foreignTable: author, foreignColumns: ["id"] }],
    }),
    table("author", { columns: { id: "int4!", name: "text" }, primaryKey: ["id"] }),
  ],
  [search],
);

const index = (columns: readonly string[], condition?: string, on = note): IndexFact => ({
  table: on,
  name: columns.join("_"),
  columns,
  ...(condition !== undefined && { condition }),
});
const keys = [index(["id"]), index(["id"], undefined, author)];

interface Setting extends Partial<Pick<AdviceInput, "unauthorizedRole" | "limitsOf">> {
  readonly facts?: ReviewFacts | undefined;
}

function adviceFor(metadata: MetadataInput, setting: Setting = {}): Advice {
  const { facts = { indexes: keys, ownerFunctions: [] }, unauthorizedRole = null, limitsOf = () => ({}) } = setting;
  const analysis = analysisOf(metadata, { shape: database });
  return runToCompletion(adviceOf({ analysis, facts: new Map([["default", facts]]), unauthorizedRole, limitsOf }));
}

const found = (metadata: MetadataInput, setting?: Setting): readonly string[] =>
  adviceFor(metadata, setting).findings.map(({ severity, rule, place }) => `${severity} ${rule} ${place}`);

const notes = (permissions: readonly object[], more: object = {}, others: MetadataInput = {}) => ({
  tables: [{ table: note, select_permissions: permissions, ...more }],
  ...others,
});

describe("Missing indexes", () => {
  const missing = (filter: object, ...indexes: readonly IndexFact[]) =>
    found(notes([select({ filter })]), { facts: { indexes, ownerFunctions: [] } });
  const ownerFinding = ["warning unindexed-filter default.public.note.owner"];

  it.each([
    ["an index that begins with the column", own, [index(["owner", "id"])], []],
    ["an index of which the column is not the first", own, [index(["id", "owner"])], ownerFinding],
    ["an index on the rows with a value", own, [index(["owner"], "(owner IS NOT NULL)")], []],
    ["an index on other rows", own, [index(["owner"], "(hidden)")], ownerFinding],
    ["a list of values", { owner: { _in: "X-Engine-Owners" } }, [], ownerFinding],
    ["a second condition with an index", { _and: [own, { id: { _eq: "X-Engine-Id" } }] }, keys, []],
    ["an alternative that reads many rows", { _or: [own, { hidden: { _eq: false } }] }, [], []],
    ["an alternative with an index", { _or: [own, { id: { _eq: "X-Engine-Id" } }] }, keys, ownerFinding],
    ["a negation", { _not: own }, [], []],
    ["a constant", { owner: { _eq: "Ann" } }, [], []],
    ["another operator", { owner: { _gt: "X-Engine-User-Id" } }, [], []],
  ] as const)("A row filter with %s", (_, filter, indexes, expected) => {
    expect(missing(filter, ...indexes)).toEqual(expected);
  });

  it("A condition on another table needs an index of that table", () => {
    const filter = { _exists: { _table: author, _where: { name: { _eq: "X-Engine-User-Id" } } } };
    const tables = [{ table: author }, { table: note, select_permissions: [select({ filter })] }];
    expect(found({ tables })).toEqual(["warning unindexed-filter default.public.author.name"]);
  });

  it("A relationship needs an index of the other table, and a missing one is reported once for all permissions", () => {
    const of = (name: string) => ({ name, using: { foreign_key_constraint_on: "author_id" } });
    const using = { foreign_key_constraint_on: { table: note, column: "author_id" } };
    const tables = [
      { table: author, array_relationships: [{ name: "notes", using }] },
      {
        table: note,
        object_relationships: [of("author")],
        select_permissions: [select({ filter: own }), select({ filter: own }, "editor")],
        delete_permissions: [{ role: "user", permission: { filter: own } }],
      },
    ];
    const { findings } = adviceFor({ tables });
    expect(findings.map(({ rule, place }) => `${rule} ${place}`)).toEqual([
      "unindexed-join default.public.author.notes",
      "unindexed-filter default.public.note.owner",
    ]);
    expect(findings[1]?.reason).toContain(
      "select permission of editor on note, select permission of user on note, and delete permission of user on note",
    );
    expect(
      found({ tables }, { facts: { indexes: [...keys, index(["author_id"]), index(["owner"])], ownerFunctions: [] } }),
    ).toEqual([]);
  });
});

describe("Readable columns and rows", () => {
  it("A secret is an error without credentials, a warning for all rows, and no finding in rows of the user", () => {
    const columns = ["id", "api_key", "token_count"];
    const place = (role: string) => `readable-secret default.public.note.select.${role}.api_key`;
    const indexed = { facts: { indexes: [index(["owner"])], ownerFunctions: [] } };
    expect(found(notes([select({ columns, filter: own })]), indexed)).toEqual([]);
    expect(found(notes([select({ columns, filter: { hidden: { _eq: false } } })]))).toEqual([
      `warning ${place("user")}`,
    ]);
    const limits = Object.fromEntries(["depth", "node", "rate", "time"].map((name) => [`${name}_limit`, 1]));
    const open = { ...indexed, unauthorizedRole: "user", limitsOf: () => limits };
    expect(found(notes([select({ columns, filter: own, limit: 1 })]), open)).toEqual([`error ${place("user")}`]);
  });

  it("The parents of an inherited unauthorized role are public", () => {
    const metadata = notes(
      [select({ columns: ["api_key"], filter: { hidden: { _eq: false } } })],
      {},
      {
        inherited_roles: [{ role_name: "visitor", role_set: ["user"] }],
      },
    );
    expect(found(metadata, { unauthorizedRole: "visitor" })).toEqual([
      "error readable-secret default.public.note.select.user.api_key",
      "warning missing-limits api_limits.visitor",
      "warning unlimited-list default.public.note.select.user",
    ]);
  });

  it("All rows of a table with an owner are a warning for a role of users, and a note for a role without filters", () => {
    const place = "unfiltered-owner default.public.note.select.user";
    const indexed = { facts: { indexes: [index(["owner"])], ownerFunctions: [] } };
    expect(found(notes([select({ filter: {} })]), indexed)).toEqual([`note ${place}`]);
    const update = { update_permissions: [{ role: "user", permission: { columns: ["hidden"], filter: own } }] };
    expect(found(notes([select({ filter: { _and: [{}] } })], update), indexed)).toEqual([`warning ${place}`]);
    expect(found(notes([select({ filter: { hidden: { _eq: false } } })], update), indexed)).toEqual([]);
  });
});

describe("Functions with the rights of their owner", () => {
  const facts = {
    indexes: [...keys, index(["owner"])],
    ownerFunctions: [{ schema: "public", name: "search", id: search.id }],
  };
  const metadata = (tracked: object, permissions: readonly object[]) =>
    notes(permissions, {}, { functions: [{ function: { schema: "public", name: "search" }, ...tracked }] });

  it("A function that roles call is a warning, and a note if it receives the session", () => {
    const place = "owner-function default.public.search";
    expect(found(metadata({}, [select({ filter: own })]), { facts })).toEqual([`warning ${place}`]);
    const session = { configuration: { session_argument: "session" } };
    expect(found(metadata(session, [select({ filter: own })]), { facts })).toEqual([`note ${place}`]);
    expect(found(metadata({}, []), { facts })).toEqual([]);
  });
});

describe("Roles", () => {
  it("Roles without permissions are found in inherited roles, limits and the allow-list", () => {
    const metadata = notes(
      [select({ filter: own })],
      {},
      {
        inherited_roles: [{ role_name: "editor", role_set: ["user", "author"] }],
        api_limits: {
          depth_limit: { global: 3, per_role: { user: 4, guest: 2 } },
          node_limit: { global: 3, per_role: { guest: 2 } },
        },
        graphql_schema_introspection: { disabled_for_roles: ["user", "bot"] },
      },
    );
    expect(found(metadata, { facts: { indexes: [index(["owner"])], ownerFunctions: [] } })).toEqual([
      "warning unused-role inherited_roles.editor.author",
      "note unused-role api_limits.guest",
      "note unused-role graphql_schema_introspection.bot",
    ]);
  });

  it("A relationship is found whose tables no server of Citus can join", () => {
    const tables = [
      {
        table: author,
        array_relationships: [
          { name: "notes", using: { foreign_key_constraint_on: { table: note, column: "author_id" } } },
        ],
      },
      { table: note, object_relationships: [{ name: "author", using: { foreign_key_constraint_on: "author_id" } }] },
    ];
    const placed = (places: Readonly<Record<string, DistributionShape>>): readonly string[] => {
      const distributed = {
        ...database,
        citus: { version: "13.2-1" },
        tables: database.tables.map((each) => ({
          ...each,
          ...(places[each.name] && { distribution: places[each.name] }),
        })),
      };
      const analysis = analysisOf({ tables }, { shape: distributed });
      const { findings } = runToCompletion(
        adviceOf({ analysis, facts: new Map(), unauthorizedRole: null, limitsOf: () => ({}) }),
      );
      return findings.filter(({ rule }) => rule === "not-colocated").map(({ place }) => place);
    };
    const by = (column: string, colocation: number): DistributionShape => ({ kind: "distributed", column, colocation });
    const [toNotes, toAuthor] = ["default.public.author.notes", "default.public.note.author"];
    expect(placed({ note: by("author_id", 2), author: by("id", 2) })).toEqual([]);
    expect(placed({ note: by("author_id", 2), author: { kind: "reference" } })).toEqual([toNotes]);
    expect(placed({ note: by("id", 2), author: by("id", 2) })).toEqual([toNotes, toAuthor]);
    expect(placed({ note: by("author_id", 3), author: by("id", 2) })).toEqual([toNotes, toAuthor]);
    expect(placed({ author: by("id", 2) })).toEqual([toNotes, toAuthor]);
  });

  it("Rules without their facts are listed as skipped, and disabled limits do not count", async () => {
    const analysis = analysisOf(
      notes([select({ limit: 1 })], {}, { api_limits: { disabled: true, depth_limit: { global: 1 } } }),
      { shape: database },
    );
    const { skipped } = await readAdvice(analysis, { facts: new Map() }, undefined);
    expect(skipped.map(({ rule }) => rule)).toEqual([
      "owner-function",
      "unlimited-list",
      "missing-limits",
      "unindexed-filter",
      "unindexed-join",
    ]);
    const { findings } = await readAdvice(analysis, { facts: new Map() }, "user");
    expect(findings.find(({ rule }) => rule === "missing-limits")?.fix).toBe("remove `disabled` from api_limits");
  });
});
