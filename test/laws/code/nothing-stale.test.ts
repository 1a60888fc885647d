/**
 * What is kept from change to change with many tables (groups of tables, what follows from a group for a role, the
 * parts of a role's fields) is never out of date: whatever changes, analysis and modules are those that somebody without
 * a past makes of the same metadata. A stale one would show a role what it may not see.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Analysis } from "../../../compiler/2-analyze/analysis.ts";
import { dependentsOf } from "../../../compiler/2-analyze/dependencies.ts";
import type { ObjectId } from "../../../compiler/2-analyze/object-id.ts";
import { viewPath } from "../../../compiler/4-emit/paths.ts";
import type { Source } from "../../../compiler/catalog/model.ts";
import { compile, type Program } from "../../../compiler/index.ts";
import { analysisOf, rowType } from "../../unit/analyze/sample.ts";
import {
  add,
  addColumn,
  column,
  columns,
  customize,
  drop,
  dropColumn,
  dropKey,
  type Edit,
  filter,
  found,
  functions,
  inDatabase,
  inherit,
  inherited_roles,
  insert,
  inserts,
  inTable,
  known,
  label,
  nameOf,
  others,
  primaryKey,
  rekey,
  relate,
  relateBack,
  relateRemotely,
  remove,
  rename,
  replaceByView,
  reread,
  restore,
  retypeColumn,
  select,
  selects,
  start,
  statuses,
  tracked,
  trigger,
  uniqueKey,
  type World,
} from "./kept/edits.ts";

function analysed({ catalog, shape }: World, previous?: Analysis): Analysis {
  const introspections = new Map([["default", { shape }]]);
  return analysisOf(catalog, { introspections, ...(previous && { previous }) });
}

/** What requests load, and what that is made of. */
function modulesOf(program: Program): ReadonlyMap<string, string> {
  const paths = program.paths().filter((path) => /^(roles|sources)\/.*\.ts$/.test(path));
  return new Map(paths.map((path) => [path, program.module(path).text]));
}

interface Made {
  readonly world: World;
  readonly analysis: Analysis;
  readonly program: Program;
}

/** One change after the other, each with what its roles load, as a server makes them. */
function afterAll(edits: readonly Edit[]): Made {
  let analysis = analysed(start);
  let program = compile({ analysis });
  let world = start;
  for (const edit of [undefined, ...edits]) {
    if (edit !== undefined) {
      world = edit(world);
      analysis = analysed(world, analysis);
      program = compile({ analysis, previous: program });
    }
    for (const role of program.roles()) program.hasBackendSchema(role);
    for (const path of program.paths()) {
      if (path.endsWith("/resolvers.ts") || /\/\((query|mutation)\)\//.test(path)) program.module(path);
    }
  }
  return { world, analysis, program };
}

/** Tables that functions and relationships lead to. */
const neighbours = [20, 21, 22, 23, 24, 99, 100, 101, 102];

/** Like `afterAll`, and the same as without a past. */
function checked(...edits: readonly Edit[]): Made {
  const made = afterAll(edits);
  const alone = analysed(made.world);
  expect(made.analysis).toEqual(alone);
  expect([...(made.analysis.sources.get("default")?.tables.keys() ?? [])]).toEqual([
    ...(alone.sources.get("default")?.tables.keys() ?? []),
  ]);
  for (const index of neighbours) {
    const id: ObjectId = { kind: "table", source: "default", table: { schema: "public", name: nameOf(index) } };
    expect(dependentsOf(made.analysis, [id])).toEqual(dependentsOf(alone, [id]));
  }
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

  it("columns come, go and get other types", () => {
    expect(names(afterAll([addColumn(101)]), "admin", "extra")).toBe(true);
    expect(names(checked(addColumn(101), dropColumn(101, "extra")), "admin", "extra")).toBe(false);
    const gone = checked(dropColumn(101, "name"));
    expect(gone.analysis.inconsistencies).toHaveLength(1);
    expect(names(gone, "clerk", "table_101")).toBe(false);
    expect(checked(dropColumn(101, "name"), restore(101)).analysis.inconsistencies).toEqual([]);
    // The row filter of another table compares the column.
    const through = { role: "clerk", permission: { columns, filter: { parent: { id: { _gt: 1 } } } } };
    const related = [relate(100), selects(100, through)];
    const filterOf = ({ program }: Made) =>
      program.module(viewPath("clerk", { source: "default", schema: "public", name: nameOf(100) })).text;
    expect(filterOf(checked(...related))).toContain("int4");
    expect(filterOf(checked(...related, retypeColumn(101, "id", "int8!")))).toContain("int8");
    expect(checked(...related, dropColumn(101, "id"), primaryKey(101)).analysis.inconsistencies).not.toEqual([]);
    // Far away: rows of any table, or of the one that the next one leads to.
    const exists = { _exists: { _table: nameOf(22), _where: { id: { _gt: 1 } } } };
    const grandparent = { parent: { parent: { id: { _gt: 1 } } } };
    for (const far of [exists, grandparent]) {
      const filtered = selects(100, { role: "clerk", permission: { columns, filter: far } });
      const retyped = [retypeColumn(22, "id", "int8!"), retypeColumn(102, "id", "int8!")];
      expect(filterOf(checked(relate(100), relate(101), filtered, ...retyped))).toContain("int8");
    }
    // A filter of a table that looks at the same table again.
    checked(selects(22, { role: "clerk", permission: { columns, filter: exists } }), addColumn(22));
  });

  it("foreign keys come, go, and lead elsewhere", () => {
    expect(names(checked(relate(100), dropKey(100)), "clerk", "parent")).toBe(false);
    expect(names(checked(relate(100), dropKey(100), rekey(100, 101)), "clerk", "parent")).toBe(true);
    const elsewhere = checked(relate(100), rekey(100, 30));
    const target = ({ analysis }: Made) =>
      analysis.sources.get("default")?.tables.get("public.table_100")?.relationships.get("parent")?.target;
    expect(target(elsewhere)).toBe("public.table_30");
    // The relationship stays as it is, and rests on a key of another name; so does that from the other side.
    checked(relate(100), rekey(100, 101, "another"));
    checked(relateBack(101), rekey(100, 101, "another"));
    expect(checked(relateBack(101), dropKey(100)).analysis.inconsistencies).toHaveLength(1);
    // A second key between the same columns.
    const twice = inTable(100, (each) => ({ ...each, foreignKeys: each.foreignKeys.flatMap((key) => [key, key]) }));
    expect(checked(relateBack(101), twice).analysis.inconsistencies).toHaveLength(1);
  });

  it("keys of a table change", () => {
    const by = ({ program }: Made) => program.module("roles/clerk/resolvers.ts").text + [...modulesOf(program)].join();
    expect(by(checked(primaryKey(101)))).not.toContain("table_101_by_pk");
    expect(by(checked(primaryKey(101), primaryKey(101, "id", "parent_id")))).toContain("table_101_by_pk");
    const children = ({ analysis }: Made) =>
      analysis.sources.get("default")?.tables.get("public.table_101")?.relationships.get("children");
    expect(children(checked(relateBack(101)))?.unique).toBe(false);
    expect(children(checked(relateBack(101), uniqueKey(100, "parent_id")))?.unique).toBe(true);
    expect(children(checked(relateBack(101), uniqueKey(100, "parent_id"), uniqueKey(100)))?.unique).toBe(false);
    expect(children(checked(relateBack(101), primaryKey(100, "parent_id")))?.unique).toBe(true);
  });

  it("a table is dropped, made again, or replaced by a view", () => {
    const gone = checked(drop(101));
    expect(names(gone, "clerk", "table_101")).toBe(false);
    expect(gone.analysis.inconsistencies).toHaveLength(1);
    expect(names(checked(drop(101), restore(101)), "clerk", "table_101")).toBe(true);
    expect(checked(relate(100), drop(101)).analysis.inconsistencies).toHaveLength(2);
    expect(checked(drop(101), remove(101)).analysis.inconsistencies).toEqual([]);
    checked(drop(260), replaceByView(265));
    const view = checked(replaceByView(90));
    expect(names(view, "admin", "seen")).toBe(true);
    expect(names(view, "clerk", "insert_table_90")).toBe(false);
    expect(checked(relate(90), replaceByView(90)).analysis.inconsistencies).toHaveLength(1);
    expect(checked(relateBack(91), replaceByView(90), restore(90)).analysis.inconsistencies).toEqual([]);
  });

  it("the rows of an enum table change", () => {
    expect(checked(statuses("open", "shut")).analysis.inconsistencies).toEqual([]);
    const { program } = checked(statuses("open", "shut"));
    expect([...modulesOf(program).values()].filter((text) => text.includes("shut"))).not.toEqual([]);
    checked(statuses("not a name"), statuses("open"));
    const nulls = inDatabase("ticket", (each) => ({ ...each, foreignKeys: [] }));
    checked(nulls);
    checked(inDatabase("ticket", (each) => ({ ...each, columns: [...each.columns, ...column("extra", "int4", 9)] })));
  });

  it("functions change", () => {
    expect(names(afterAll([]), "admin", "found")).toBe(true);
    expect(names(checked(functions("found", { ...found, returnsTable: null })), "admin", "found")).toBe(false);
    expect(names(checked(functions("found", { ...found, volatility: "volatile" })), "admin", "found")).toBe(true);
    const target = { schema: "public", name: nameOf(30) };
    const another = functions("found", { ...found, returns: rowType("public", nameOf(30)), returnsTable: target });
    expect(checked(another).analysis.sources.get("default")?.functions.get("public.found")?.target).toBe(
      "public.table_30",
    );
    const twice = functions("label", label, { ...label, id: 9999 });
    expect(checked(twice).analysis.inconsistencies).toHaveLength(1);
    expect(checked(twice, functions("label", label)).analysis.inconsistencies).toEqual([]);
    checked(
      functions("others", {
        ...others,
        returns: rowType("public", nameOf(24)),
        returnsTable: { ...target, name: nameOf(24) },
      }),
    );
    checked(functions("others"));
    checked(drop(23));
    checked(addColumn(20), addColumn(21), addColumn(23));
    checked(remove(20));
    checked(remove(23));
  });

  it("metadata and database change at once", () => {
    const both =
      (...edits: readonly Edit[]): Edit =>
      (world) =>
        edits.reduce((made, edit) => edit(made), world);
    expect(checked(both(drop(101), remove(101))).analysis.inconsistencies).toEqual([]);
    const configuration = { column_config: { extra: { custom_name: "more" } } };
    expect(names(checked(both(addColumn(101), rename(101, configuration))), "admin", "more")).toBe(true);
    checked(relate(100), both(rekey(100, 30), addColumn(101), selects(30)));
    checked(both(addColumn(260), add(260)), both(addColumn(30), remove(260), reread));
  });
}, 480_000);

const anyIndex = fc.oneof(fc.nat(known - 1), fc.constantFrom(7, 90, 101));
const someIndex = fc.oneof(anyIndex, fc.constantFrom(...neighbours), fc.constantFrom(...neighbours));
const anyColumn = fc.constantFrom("id", "parent_id", "name", "owner", "extra");
const anyEditOfDatabase: fc.Arbitrary<Edit> = fc.oneof(
  fc.tuple(someIndex, anyColumn).map(([index, name]) => addColumn(index, name)),
  fc.tuple(someIndex, anyColumn).map(([index, name]) => dropColumn(index, name)),
  fc.tuple(someIndex, anyColumn, fc.constantFrom("int8", "text!", "jsonb")).map((given) => retypeColumn(...given)),
  someIndex.map(dropKey),
  fc.tuple(someIndex, someIndex, fc.constantFrom("key", "another")).map((given) => rekey(...given)),
  fc.tuple(someIndex, fc.subarray(["id", "parent_id"])).map(([index, names]) => primaryKey(index, ...names)),
  fc.tuple(someIndex, fc.subarray(["parent_id", "name"])).map(([index, names]) => uniqueKey(index, ...names)),
  someIndex.map(replaceByView),
  someIndex.map(drop),
  someIndex.map(restore),
  fc.constantFrom(
    statuses("open", "shut"),
    statuses("open"),
    functions("found", { ...found, volatility: "volatile" }),
    functions("found", { ...found, strict: true }),
    functions("label", { ...label, strict: true }),
    functions("others", { ...others, comment: "Others" }),
    functions("others"),
    functions("others", others),
    reread,
  ),
);
const anyEdit: fc.Arbitrary<Edit> = fc.oneof(
  anyEditOfDatabase,
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

/** No entry keeps the analysis from being made in part: whoever drops something puts it back. */
const anyConsistentEdit: fc.Arbitrary<Edit> = fc.oneof(
  someIndex.map((index) => addColumn(index)),
  fc.tuple(someIndex, fc.constantFrom("int8!", "int4!")).map(([index, type]) => retypeColumn(index, "id", type)),
  fc.tuple(someIndex, fc.constantFrom("text", "varchar")).map(([index, type]) => retypeColumn(index, "name", type)),
  fc
    .tuple(someIndex, fc.nat(tracked - 1), fc.constantFrom("key", "another"))
    .map(([index, target, name]) => rekey(index, target, name)),
  fc.tuple(someIndex, fc.subarray(["id", "parent_id"])).map(([index, names]) => primaryKey(index, ...names)),
  fc.tuple(someIndex, fc.subarray(["parent_id", "name"])).map(([index, names]) => uniqueKey(index, ...names)),
  someIndex.map(relate),
  someIndex.map((index) => selects(index, select("clerk"), select("boss", ["id"]))),
  someIndex.map((index) =>
    selects(index, {
      role: "clerk",
      permission: { columns, filter: { _exists: { _table: "table_22", _where: filter } } },
    }),
  ),
  fc.constantFrom(
    statuses("open", "shut"),
    functions("found", { ...found, strict: true }),
    functions("label", { ...label, strict: true }),
    functions("others", { ...others, comment: "Others" }),
    relateRemotely(100, 22),
    reread,
  ),
);

it("any changes of the database that break nothing give what their result gives alone", () => {
  const related = [relate(98), relate(99), relate(100), relate(101), relate(20), relate(21), relate(22), relate(23)];
  fc.assert(
    fc.property(fc.array(anyConsistentEdit, { minLength: 1, maxLength: 8 }), (edits) => {
      checked(...related, ...edits);
    }),
    { numRuns: 10 },
  );
}, 480_000);
