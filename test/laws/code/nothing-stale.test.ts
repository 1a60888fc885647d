/**
 * What is kept from change to change with many tables (groups of tables, what follows from a group for a role, the
 * parts of a role's fields) is never out of date: whatever changes, analysis and modules are those that somebody without
 * a past makes of the same metadata. A stale one would show a role what it may not see.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Analysis } from "../../../compiler/2-analyze/analysis.ts";
import { viewPath } from "../../../compiler/4-emit/paths.ts";
import type { Catalog } from "../../../compiler/catalog/catalog.ts";
import type { Source, Table } from "../../../compiler/catalog/model.ts";
import { compile, type Program } from "../../../compiler/index.ts";
import { analysisOf, library, parsed, table } from "../../unit/analyze/sample.ts";

/** More than stand in one module; the last twenty are not tracked at first. */
const known = 270;
const tracked = 250;
const nameOf = (index: number) => `table_${index}`;
const filter = { owner: { _eq: "X-Engine-User-Id" } };
const columns = ["id", "name", "owner"];

const shape = {
  ...library,
  tables: Array.from({ length: known }, (_, index) =>
    table(nameOf(index), {
      columns: { id: "int4!", parent_id: "int4", name: "text", owner: "text" },
      primaryKey: ["id"],
      foreignKeys: [
        {
          columns: ["parent_id"],
          foreignTable: { schema: "public", name: nameOf((index + 1) % known) },
          foreignColumns: ["id"],
        },
      ],
    }),
  ),
};

const select = (role: string, own: readonly string[] = columns) => ({ role, permission: { columns: own, filter } });
const insert = (role: string, check: object) => ({ role, permission: { check, columns: ["name"] } });

/** A table as the metadata has it. */
function given(index: number, more: object = {}): object {
  return {
    table: nameOf(index),
    select_permissions: [
      select("clerk"),
      ...(index % 5 === 0 ? [select("boss", ["id"])] : []),
      ...(index === 7 ? [select("lone")] : []),
    ],
    insert_permissions: index % 9 === 0 ? [insert("clerk", filter), insert("boss", filter)] : [],
    ...more,
  };
}

function catalogOf(tables: readonly object[], more: object = {}): Catalog {
  const configuration = { connection_info: { database_url: "postgres://x" } };
  return parsed({ version: 3, sources: [{ name: "default", configuration, tables }], ...more });
}

const inherited_roles = [{ role_name: "both", role_set: ["clerk", "boss"] }];
const start = catalogOf(
  Array.from({ length: tracked }, (_, index) => given(index)),
  { inherited_roles },
);

/** Parsed like any metadata: the table with this index. */
function tableOf(index: number, more: object = {}): Table {
  const [own] = catalogOf([given(index, more)]).sources[0]?.tables ?? [];
  if (own === undefined) throw new Error("there is a table");
  return own;
}

type Edit = (catalog: Catalog) => Catalog;

function inSource(change: (source: Source) => Source): Edit {
  return (catalog) => ({ ...catalog, sources: catalog.sources.map(change) });
}

const editTable = (index: number, change: (table: Table) => Table): Edit =>
  inSource((source) => ({
    ...source,
    tables: source.tables.map((each) => (each.table.name === nameOf(index) ? change(each) : each)),
  }));

/** Takes over some members of a table that was parsed with them. */
const withMembers = (index: number, more: object, ...members: readonly (keyof Table)[]): Edit => {
  const parsedTable = tableOf(index, more);
  const changed = Object.fromEntries(members.map((member) => [member, parsedTable[member]]));
  return editTable(index, (each) => ({ ...each, ...changed }));
};

const selects = (index: number, ...permissions: readonly object[]): Edit =>
  withMembers(index, { select_permissions: permissions }, "select_permissions");

const inserts = (index: number, ...permissions: readonly object[]): Edit =>
  withMembers(index, { insert_permissions: permissions }, "insert_permissions");

const rename = (index: number, configuration: object): Edit => withMembers(index, { configuration }, "configuration");

const add = (index: number): Edit =>
  inSource((source) =>
    source.tables.some((each) => each.table.name === nameOf(index))
      ? source
      : { ...source, tables: [...source.tables, tableOf(index)] },
  );

const remove = (index: number): Edit =>
  inSource((source) => ({ ...source, tables: source.tables.filter((each) => each.table.name !== nameOf(index)) }));

const relate = (index: number): Edit => {
  const parent = { name: "parent", using: { foreign_key_constraint_on: "parent_id" } };
  return withMembers(index, { object_relationships: [parent] }, "object_relationships");
};

/** The rows of the table before that belong to a row. */
const relateBack = (index: number): Edit => {
  const using = { foreign_key_constraint_on: { table: nameOf(index - 1), column: "parent_id" } };
  return withMembers(index, { array_relationships: [{ name: "children", using }] }, "array_relationships");
};

const relateRemotely = (index: number, target: number): Edit => {
  const to_source = {
    source: "default",
    table: nameOf(target),
    relationship_type: "object",
    field_mapping: { name: "name" },
  };
  const remote_relationships = [{ name: "far", definition: { to_source } }];
  return withMembers(index, { remote_relationships }, "remote_relationships");
};

const trigger = (index: number): Edit => {
  const own = { name: `t${index}`, webhook_from_env: "NONE", definition: { insert: { columns: "*" } } };
  const retry_conf = { num_retries: 0, interval_sec: 1 };
  return withMembers(index, { event_triggers: [{ ...own, retry_conf }] }, "event_triggers");
};

const inherit = (...roles: readonly object[]): Edit => {
  const { inherited_roles } = catalogOf([], { inherited_roles: roles });
  return (catalog) => ({ ...catalog, inherited_roles });
};

const customize = (customization: Source["customization"]): Edit =>
  inSource(({ customization: _, ...source }) => ({ ...source, ...(customization && { customization }) }));

function analysed(catalog: Catalog, previous?: Analysis): Analysis {
  const introspections = previous
    ? new Map([...previous.sources].map(([name, { introspection }]) => [name, introspection]))
    : new Map([["default", { shape }]]);
  return analysisOf(catalog, { introspections, ...(previous && { previous }) });
}

/** What requests load. */
function modulesOf(program: Program): ReadonlyMap<string, string> {
  const paths = program.paths().filter((path) => path.startsWith("roles/") && path.endsWith(".ts"));
  return new Map(paths.map((path) => [path, program.module(path).text]));
}

interface Made {
  readonly analysis: Analysis;
  readonly program: Program;
}

/** One change after the other, each with what its roles load, as a server makes them. */
function afterAll(edits: readonly Edit[]): Made {
  let analysis = analysed(start);
  let program = compile({ analysis });
  let catalog = start;
  for (const edit of [undefined, ...edits]) {
    if (edit !== undefined) {
      catalog = edit(catalog);
      analysis = analysed(catalog, analysis);
      program = compile({ analysis, previous: program });
    }
    for (const role of program.roles()) program.hasBackendSchema(role);
    for (const path of program.paths()) {
      if (path.endsWith("/resolvers.ts") || /\/\((query|mutation)\)\//.test(path)) program.module(path);
    }
  }
  return { analysis, program };
}

/** Like `afterAll`, and the same as without a past. */
function checked(...edits: readonly Edit[]): Made {
  const made = afterAll(edits);
  const alone = analysed(made.analysis.catalog);
  expect(made.analysis).toEqual(alone);
  expect([...(made.analysis.sources.get("default")?.tables.keys() ?? [])]).toEqual([
    ...(alone.sources.get("default")?.tables.keys() ?? []),
  ]);
  const fresh = compile({ analysis: alone });
  expect(made.program.roles()).toEqual(fresh.roles());
  expect(modulesOf(made.program)).toEqual(modulesOf(fresh));
  return made;
}

/** Whether some module that a role's requests load names the field. */
function names({ program }: Made, role: string, field: string): boolean {
  const own = new RegExp(`\\b${field}\\b`);
  const folder = program.roleModule(role).replace("resolvers.ts", "");
  return [...modulesOf(program)].some(([path, text]) => path.startsWith(folder) && own.test(text));
}

describe("with many tables, nothing stale remains when", () => {
  it("a role loses its only permission on a table, and gets it back", () => {
    expect(names(afterAll([]), "clerk", "table_101")).toBe(true);
    expect(names(checked(selects(101)), "clerk", "table_101")).toBe(false);
    expect(names(checked(selects(101), selects(101, select("clerk", ["id"]))), "clerk", "table_101")).toBe(true);
  });

  it("a role gets its first permission on a table", () => {
    expect(names(afterAll([]), "boss", "table_101")).toBe(false);
    expect(names(checked(selects(101, select("boss"))), "boss", "table_101")).toBe(true);
  });

  it("the last permission of a role goes", () => {
    expect(afterAll([]).program.roles()).toContain("lone");
    const made = checked(selects(7, select("clerk")));
    expect(made.program.roles()).not.toContain("lone");
    expect(names(made, "lone", "table_7")).toBe(false);
  });

  it("a permission turns inconsistent", () => {
    const made = checked(selects(7, select("clerk", ["nothing"]), select("lone", ["nothing"])));
    expect(made.analysis.inconsistencies).toHaveLength(2);
    expect(names(made, "clerk", "table_7")).toBe(false);
    expect(checked(selects(7, select("clerk", ["nothing"])), selects(7)).analysis.inconsistencies).toEqual([]);
  });

  it("inherited roles change", () => {
    expect(names(afterAll([]), "both", "insert_table_90")).toBe(true);
    const boss = { role_name: "both", role_set: ["boss"] };
    expect(names(checked(inherit(boss)), "both", "table_101")).toBe(false);
    expect(names(checked(inherit({ ...boss, role_set: ["clerk"] })), "both", "insert_table_90")).toBe(true);
    expect(checked(inherit()).program.roles()).not.toContain("both");
  });

  it("parents of an inherited role do not agree any more", () => {
    const made = checked(inserts(90, insert("clerk", filter), insert("boss", {})));
    expect(made.analysis.inconsistencies).toHaveLength(1);
    expect(names(made, "both", "insert_table_90")).toBe(false);
  });

  it("the last permission of a parent of an inherited role goes", () => {
    const lone = { role_name: "heir", role_set: ["lone", "clerk"] };
    expect(checked(inherit(lone)).program.roles()).toContain("heir");
    const made = checked(inherit(lone), selects(7));
    expect(made.program.roles()).not.toContain("heir");
    expect(made.analysis.inconsistencies).toHaveLength(1);
  });

  it("root fields get other names", () => {
    const custom = { custom_root_fields: { select: "another" } };
    const made = checked(rename(101, custom));
    expect(names(made, "clerk", "another")).toBe(true);
    expect(names(checked(rename(101, custom), rename(101, {})), "clerk", "another")).toBe(false);
    expect(names(checked(customize({ root_fields: { prefix: "p_" } })), "clerk", "p_table_101")).toBe(true);
    checked(customize({ root_fields: { namespace: "ns" } }), selects(101), customize(undefined));
  });

  it("tables come and go", () => {
    expect(names(checked(add(260)), "clerk", "table_260")).toBe(true);
    const gone = checked(add(260), remove(101), remove(260));
    for (const field of ["table_260", "table_101"]) expect(names(gone, "clerk", field)).toBe(false);
    expect(names(checked(remove(101), add(101)), "clerk", "table_101")).toBe(true);
  });

  it("the permission of a related table follows, or follows no more", () => {
    const through = (where: object) =>
      selects(100, { role: "clerk", permission: { columns, filter: { parent: where } } });
    const related = [relate(100), relateBack(101)];
    const isLeftOut = ({ program }: Made) =>
      program
        .module(viewPath("clerk", { source: "default", schema: "public", name: nameOf(101) }))
        .text.includes("visibleWithRow");
    expect(isLeftOut(checked(...related))).toBe(false);
    expect(isLeftOut(checked(...related, through(filter)))).toBe(true);
    expect(isLeftOut(checked(...related, through(filter), through({ ...filter, id: { _gt: 1 } })))).toBe(false);
    const narrow = { role: "clerk", permission: { columns, filter: { id: { _gt: 1 } } } };
    expect(isLeftOut(checked(...related, through(filter), selects(101, narrow)))).toBe(false);
  });

  it("relationships come and go", () => {
    expect(names(checked(relate(101)), "clerk", "parent")).toBe(true);
    expect(checked(relateRemotely(101, 3)).analysis.remoteRelationships.size).toBe(1);
    // One to a table that is not there, and one whose table went.
    expect(checked(relateRemotely(101, 260)).analysis.remoteRelationships.size).toBe(0);
    expect(checked(relateRemotely(101, 3), remove(101)).analysis.remoteRelationships.size).toBe(0);
    expect(checked(relateRemotely(101, 3), remove(3)).analysis.remoteRelationships.size).toBe(0);
  });
}, 240_000);

const anyIndex = fc.oneof(fc.nat(known - 1), fc.constantFrom(7, 90, 101));
const anyEdit: fc.Arbitrary<Edit> = fc.oneof(
  anyIndex.map((index) => selects(index)),
  fc
    .tuple(anyIndex, fc.constantFrom("clerk", "boss", "lone", "new"))
    .map(([index, role]) => selects(index, select(role))),
  anyIndex.map((index) => selects(index, select("clerk", ["id"]), select("boss", ["nothing"]))),
  anyIndex.map((index) => inserts(index, insert("clerk", filter), insert("boss", {}))),
  anyIndex.map((index) => inserts(index, insert("boss", filter))),
  anyIndex.map((index) => rename(index, { custom_name: `renamed_${index}` })),
  anyIndex.map(add),
  anyIndex.map(remove),
  anyIndex.map(relate),
  anyIndex.map(trigger),
  fc.tuple(anyIndex, anyIndex).map(([index, target]) => relateRemotely(index, target)),
  fc.constantFrom(
    inherit(),
    inherit(...inherited_roles),
    inherit({ role_name: "both", role_set: ["clerk", "lone"] }, { role_name: "all", role_set: ["both", "boss"] }),
  ),
  fc
    .constantFrom<Source["customization"]>(
      undefined,
      { root_fields: { namespace: "ns" } },
      { root_fields: { prefix: "p_" } },
    )
    .map(customize),
);

it("any changes one after the other give what their result gives alone", () => {
  fc.assert(
    fc.property(fc.array(anyEdit, { minLength: 1, maxLength: 8 }), (edits) => {
      checked(...edits);
    }),
    { numRuns: 10 },
  );
}, 240_000);
