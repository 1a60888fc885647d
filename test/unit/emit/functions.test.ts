/**
 * The roles of each function, computed field and enum, and the modules that are emitted again when one of them changes.
 */
import { describe, expect, it } from "vitest";
import type { Analysis } from "../../../compiler/2-analyze/analysis.ts";
import { compile, type PlannedProgram, type Program } from "../../../compiler/index.ts";
import type { FunctionShape, TableShape } from "../../../compiler/shape/shape.ts";
import type { RoleDefinition } from "../../../runtime/model/definitions/roots.ts";
import type { TableView } from "../../../runtime/model/definitions/view.ts";
import {
  analysisOf,
  argument,
  functionShape,
  reasonsOf,
  rowType,
  type Setting,
  shape,
  table,
} from "../analyze/sample.ts";
import { compileAndLoad, loaderOf } from "./load.ts";

const public_ = (name: string) => ({ schema: "public", name });
const setOf = (name: string) => ({ returnsSet: true, returns: rowType("public", name), returnsTable: public_(name) });

const authorRow = argument("author_row", rowType("public", "author"));
const functions = [
  functionShape("full_name", { arguments: [authorRow] }),
  functionShape("friends", { arguments: [authorRow], ...setOf("author") }),
  functionShape("moods", { arguments: [authorRow], ...setOf("mood") }),
  functionShape("search", { arguments: [argument("word", "text")], ...setOf("author") }),
  functionShape("wreck", { ...setOf("author"), volatility: "volatile" }),
  functionShape("odd name", {
    arguments: [argument("session", "json"), authorRow],
    returns: rowType("public", "mood"),
  }),
];
const mood = table("mood", {
  columns: { value: "text!", comment: "text" },
  primaryKey: ["value"],
  enumValues: [
    { value: "glad", comment: null },
    { value: "sad", comment: "Not glad." },
  ],
});
const author = table("author", {
  columns: { id: "int4!", name: "text", mood: "text!", secret: "text" },
  primaryKey: ["id"],
  foreignKeys: [{ columns: ["mood"], foreignTable: public_("mood"), foreignColumns: ["value"] }],
});

const select = (role: string, columns: readonly string[], more: object = {}) => ({
  role,
  permission: { columns, filter: {}, ...more },
});

const computed = (name: string, fn = name) => ({ name, definition: { function: fn } });

const tables = [
  { table: "mood", is_enum: true },
  {
    table: "author",
    computed_fields: [computed("full_name"), computed("friends"), computed("moods")],
    select_permissions: [
      select("plain", ["id", "name"]),
      select("named", ["id"], { computed_fields: ["full_name"] }),
      select("moody", ["mood"]),
      select("child", ["id"]),
    ],
  },
];
const tracked = (name: string, ...roles: string[]) => ({
  function: name,
  permissions: roles.map((role) => ({ role })),
});
const metadata = {
  tables,
  functions: [tracked("search", "plain", "nobody"), tracked("wreck", "named")],
  inherited_roles: [
    { role_name: "child", role_set: ["middle", "moody"] },
    { role_name: "middle", role_set: ["plain", "named"] },
  ],
};

function analyzed(
  {
    changed = [],
    enumTable = mood,
    ...setting
  }: Omit<Setting, "shape"> & {
    readonly changed?: readonly FunctionShape[];
    readonly enumTable?: TableShape;
  } = {},
  document: Parameters<typeof analysisOf>[0] = metadata,
): Analysis {
  const others = functions.filter(({ name }) => !changed.some((each) => each.name === name));
  const analysis = analysisOf(document, { shape: shape([author, enumTable], [...others, ...changed]), ...setting });
  expect(reasonsOf(analysis)).toEqual([]);
  return analysis;
}

function queries(program: Program, role: string): string[] {
  const { role: definition } = loaderOf(program).require(program.roleModule(role)) as { role: RoleDefinition };
  return Object.keys(definition.query);
}

const fields = (program: Program, role: string): string[] => {
  const view = loaderOf(program).require(`roles/${role}/default/public.author.ts`).author as TableView;
  return Object.keys(view.computedFields);
};

const schema = (planned: PlannedProgram, role: string): string => planned.file(planned.roleSchema(role)).text;

const all = (program: Program) => new Map(program.paths().map((path) => [path, program.module(path)]));

function changes(before: Analysis, after: Analysis): string[] {
  const first = compile({ analysis: before });
  const files = all(first);
  const second = compile({ analysis: after, previous: first });
  return second.paths().filter((path) => files.get(path) !== second.module(path));
}

describe("Fields of functions", () => {
  it("With inferred permissions, a function's field exists for roles that may select its rows", () => {
    const { program } = compileAndLoad(analyzed());
    expect(queries(program, "admin")).toContain("search");
    for (const role of ["plain", "named", "moody", "child"]) expect(queries(program, role)).toContain("search");
    expect(queries(program, "nobody")).toEqual([]);
  });

  it("Without inferred permissions, a function's field exists for roles with a direct or inherited permission", () => {
    const { program } = compileAndLoad(analyzed({ options: { inferFunctionPermissions: false } }));
    expect(queries(program, "admin")).toContain("search");
    expect(queries(program, "plain")).toContain("search");
    expect(queries(program, "child")).toContain("search");
    expect(queries(program, "named")).not.toContain("search");
    expect(queries(program, "nobody")).toEqual([]);
  });

  it("A mutation function is not a query field", () => {
    const { program } = compileAndLoad(analyzed());
    for (const role of program.roles()) expect(queries(program, role)).not.toContain("wreck");
  });

  it("A function whose table has no GraphQL name has no field", () => {
    const shapes = shape(
      [table("my table", { columns: { id: "int4!" } }), table("t", { columns: { id: "int4!" } })],
      [
        functionShape("search", setOf("my table")),
        functionShape("of_t", { arguments: [argument("r", rowType("public", "t"))], ...setOf("my table") }),
      ],
    );
    const analysis = analysisOf(
      {
        tables: [{ table: "my table" }, { table: "t", computed_fields: [computed("of_t")] }],
        functions: [{ function: "search" }],
      },
      { shape: shapes },
    );
    const { program, planned } = compileAndLoad(analysis);
    expect(queries(program, "admin")).toEqual(["t", "t_aggregate", "t_group"]);
    expect(program.paths().filter((path) => /function|my/.test(path))).toEqual([]);
    expect(schema(planned, "admin")).not.toContain("of_t");
  });
});

describe("Computed fields", () => {
  it("Computed fields exist if a permission lists them or the role may select from their table", () => {
    const { program, planned } = compileAndLoad(analyzed());
    expect(fields(program, "admin")).toEqual(["friends", "full_name", "moods"]);
    expect(fields(program, "plain")).toEqual(["friends"]);
    expect(fields(program, "named")).toEqual(["friends", "full_name"]);
    for (const name of ["full_name", "moods"]) {
      expect(schema(planned, "plain")).not.toContain(name);
      expect(program.module("roles/plain/default/public.author.ts").text).not.toContain(name);
    }
  });
});

describe("Enum tables", () => {
  it("An enum type exists for roles that may select a column of it", () => {
    const { planned } = compileAndLoad(analyzed());
    expect(schema(planned, "moody")).toContain(`enum mood_enum {\n  glad\n  """Not glad."""\n  sad\n}\n`);
    expect(schema(planned, "moody")).toContain("mood: mood_enum!");
    expect(schema(planned, "plain")).not.toContain("mood");
  });

  it("An enum table without a GraphQL name has no enum type", () => {
    const feeling = { ...mood, name: "my mood" };
    const teller = {
      ...author,
      foreignKeys: author.foreignKeys.map((key) => ({ ...key, foreignTable: public_("my mood") })),
    };
    const analysis = analysisOf(
      { tables: [{ table: "my mood", is_enum: true }, { table: "author" }] },
      { shape: shape([teller, feeling]) },
    );
    const { program, planned } = compileAndLoad(analysis);
    expect(schema(planned, "admin")).toContain("mood: String!");
    expect(program.paths().filter((path) => path.endsWith(".enum.ts"))).toEqual([]);
  });
});

describe("Incremental emission of functions and enums", () => {
  it("A change of a function's arguments emits only the modules that call it", () => {
    const search = functionShape("search", {
      arguments: [argument("word", "text"), argument("n", "int4")],
      ...setOf("author"),
    });
    expect(changes(analyzed(), analyzed({ changed: [search] }))).toEqual(["sources/default/public.search.function.ts"]);
  });

  it("A change of a computed field's function emits only the modules that show it", () => {
    const fullName = functionShape("full_name", { arguments: [authorRow, argument("n", "int4")] });
    expect(changes(analyzed(), analyzed({ changed: [fullName] }))).toEqual([
      "roles/admin/default/public.author.ts",
      "roles/middle/default/public.author.ts",
      "roles/middle/root-fields.ts",
      "roles/named/default/public.author.ts",
      // The permission of `named` lists the field by name, so its root fields depend on the function.
      "roles/named/root-fields.ts",
      "sources/default/public.author.ts",
      "sources/default/public.full_name.function.ts",
    ]);
  });

  it("A change of an enum table's rows emits its values and no modules of other tables", () => {
    const more = { ...mood, enumValues: [...(mood.enumValues ?? []), { value: "wild", comment: null }] };
    const changed = changes(analyzed(), analyzed({ enumTable: more }));
    expect(changed).toContain("sources/default/public.mood.enum.ts");
    expect(changed.filter((path) => /author|root-fields/.test(path))).toEqual([]);
  });

  it("A change of a function's permission emits only the fields of that role", () => {
    const strict = { options: { inferFunctionPermissions: false } };
    const after = {
      ...metadata,
      functions: [tracked("search", "plain", "nobody", "moody"), tracked("wreck", "named")],
    };
    expect(changes(analyzed(strict), analyzed(strict, after))).toEqual([
      "roles/moody/relay.ts",
      "roles/moody/root-fields.ts",
    ]);
  });
});
