import { buildSchema, introspectionFromSchema } from "graphql";
import { describe, expect, it } from "vitest";
import { readRemoteShape } from "../../../compiler/1-introspect/read-remote-shape.ts";
import type { Analysis, AnalyzedSource } from "../../../compiler/2-analyze/analysis.ts";
import type { AnalyzedTable } from "../../../compiler/2-analyze/analyzed-table.ts";
import { compile, type Program } from "../../../compiler/index.ts";
import type { RoleDefinition } from "../../../runtime/model/definitions/roots.ts";
import { analysisOf, parsed } from "../analyze/sample.ts";
import { compileAndLoad, loaderOf } from "./load.ts";
import { analysis, builtIn, library, source, table } from "./sample-analysis.ts";

/** Returns the analysis with one table replaced. */
function withTable(before: Analysis, key: string, change: (table: AnalyzedTable) => AnalyzedTable): Analysis {
  const shelf = before.sources.get("shelf") as AnalyzedSource;
  const tables = shelf.tables.with([change(shelf.tables.get(key) as AnalyzedTable)]);
  return { ...before, sources: new Map([["shelf", { ...shelf, tables }]]) };
}

/** Returns the table without one column of a role's permission. */
function withoutColumn(table: AnalyzedTable, role: string, column: string): AnalyzedTable {
  const select = table.select.get(role);
  if (!select) throw new Error("no permission");
  const columns = select.columns.filter(({ name }) => name !== column);
  return { ...table, select: new Map(table.select).set(role, { ...select, columns }) };
}

const all = (program: Program) => new Map(program.paths().map((path) => [path, program.module(path)]));

function changed(before: Program, after: Program): string[] {
  const files = all(before);
  return after.paths().filter((path) => files.get(path) !== after.module(path));
}

function roots(program: Program, role: string, operation: "query" | "subscription" = "query"): string[] {
  const { role: definition } = loaderOf(program).require(program.roleModule(role)) as { role: RoleDefinition };
  return Object.keys(definition[operation]).sort();
}

describe("Programs", () => {
  it("Compiling the same analysis twice yields the same program", () => {
    const texts = () => [...all(compile({ analysis: library() })).values()].map(({ path, text }) => [path, text]);
    expect(texts()).toEqual(texts());
  });

  it("A program lists its files in order", () => {
    const { paths } = { paths: compile({ analysis: library() }).paths() };
    expect(paths).toEqual([...paths].sort());
    expect(paths).toContain("roles/member/shelf/library.loan.ts");
  });

  it("A program has one empty module for unknown roles", () => {
    const program = compile({ analysis: library() });
    expect(program.roleModule("nobody")).toBe("roles/unnamed/root-fields.ts");
    expect(program.roleModule("unnamed")).toBe("roles/unnamed/root-fields.ts");
    expect(roots(program, "nobody")).toEqual([]);
    expect(program.roles()).toEqual(["admin", "member"]);
  });

  it("A program has a module for every role, even for a role named like the empty module", () => {
    const book = table("default", "book", { columns: { id: {} }, select: { unnamed: {} } });
    const program = compile({ analysis: analysis(source("default", [book])) });
    expect(program.roleModule("unnamed")).toBe("roles/unnamed+/root-fields.ts");
    expect(roots(program, "unnamed")).toEqual(["book"]);
    expect(roots(program, "other")).toEqual([]);
  });

  it("A program has distinct folders for sources and for a role's other modules", () => {
    const book = table("operations", "book", { columns: { id: {} }, select: { member: {} } });
    const program = compile({ analysis: analysis(source("operations", [book])) });
    expect(program.paths()).toContain("roles/member/operations+/public.book.ts");
    expect(roots(program, "member")).toEqual(["book"]);
  });

  it("A program offers the root fields that a role may use", () => {
    const int4 = builtIn("int4");
    const book = table("default", "book", {
      columns: { id: { type: int4 }, title: {} },
      key: ["id"],
      select: {
        all: { aggregations: true },
        noKey: { columns: ["title"] },
        onlyByKey: { queryRootFields: ["select_by_pk"] },
        nothing: { queryRootFields: [] },
      },
    });
    const program = compile({ analysis: analysis(source("default", [book])) });
    expect(roots(program, "admin")).toEqual(["book", "book_aggregate", "book_by_pk", "book_group"]);
    expect(roots(program, "all")).toEqual(["book", "book_aggregate", "book_by_pk", "book_group"]);
    expect(roots(program, "noKey")).toEqual(["book"]);
    expect(roots(program, "onlyByKey")).toEqual(["book_by_pk"]);
    expect(roots(program, "nothing")).toEqual([]);
  });

  it("A program offers the subscription fields that a role may use", () => {
    const book = table("default", "book", {
      columns: { id: { type: builtIn("int4") }, title: {} },
      key: ["id"],
      select: {
        all: { aggregations: true },
        blind: { columns: [], aggregations: true },
        onlyStream: { subscriptionRootFields: ["select_stream"] },
        onlyQuery: { subscriptionRootFields: [] },
        onlySubscription: { queryRootFields: [], subscriptionRootFields: ["select"] },
      },
    });
    const sample = analysis(source("default", [book]));
    const { program, planned } = compileAndLoad(sample);
    const all = ["book", "book_aggregate", "book_by_pk", "book_group", "book_stream"];
    expect(roots(program, "admin", "subscription")).toEqual(all);
    expect(roots(program, "all", "subscription")).toEqual(all);
    expect(roots(program, "blind", "subscription")).toEqual(["book", "book_aggregate"]);
    expect(roots(program, "onlyStream", "subscription")).toEqual(["book_stream"]);
    expect(roots(program, "onlyStream")).toEqual(["book", "book_by_pk"]);
    expect(roots(program, "onlyQuery", "subscription")).toEqual([]);
    expect(roots(program, "onlySubscription", "subscription")).toEqual(["book"]);
    const schema = (role: string) => planned.file(planned.roleSchema(role)).text;
    expect(schema("onlyStream")).toContain("cursor: [book_stream_cursor_input]!");
    expect(schema("onlyQuery")).not.toContain("subscription");
    const options = { ...sample.options, experimentalFeatures: new Set(["hide_stream_fields"]) };
    const hidden = compile({ analysis: { ...sample, options } });
    expect(roots(hidden, "admin", "subscription")).toEqual(["book", "book_aggregate", "book_by_pk", "book_group"]);
  });

  it("A program offers filters by aggregates unless a feature hides them", () => {
    const sample = library();
    const schema = (given: Analysis) => compileAndLoad(given).planned.file("roles/admin/schema.graphql").text;
    expect(schema(sample)).toContain("_aggregate_bool_exp");
    const options = { ...sample.options, experimentalFeatures: new Set(["hide_aggregation_predicates"]) };
    expect(schema({ ...sample, options })).not.toContain("_aggregate_bool_exp");
  });

  it("Lists have no first rows of each group where another type has the name of the argument's type", () => {
    const columns = { id: {} };
    const sample = analysis(source("default", [table("default", "book", { columns })]));
    const collides = analysis(
      source("default", [table("default", "book", { columns }), table("default", "book_top_per", { columns })]),
    );
    const schema = (given: Analysis) => compileAndLoad(given).planned.file("roles/admin/schema.graphql").text;
    expect(schema(sample)).toContain("top_per: book_top_per");
    expect(schema(collides)).not.toContain("top_per: book_top_per\n");
    expect(schema(collides)).toContain("type book_top_per {");
    expect(schema(collides)).toContain("top_per: book_top_per_top_per");
  });

  it("Mutations have no changes where another type has the name of the type of changes", () => {
    const book = table("default", "book", { columns: { id: {} }, key: ["id"] });
    const schema = (...others: readonly AnalyzedTable[]) =>
      compileAndLoad(analysis(source("default", [book, ...others]))).planned.file("roles/admin/schema.graphql").text;
    expect(schema()).toContain("changes: [book_change!]!");
    const collides = schema(table("default", "book_change", { columns: { id: {} }, key: ["id"] }));
    expect(collides).not.toContain("changes: [book_change!]!");
    expect(collides).toContain("changes: [book_change_change!]!");
  });

  it("A program omits tables and columns without a GraphQL name", () => {
    const book = table("default", "my book", { graphqlName: null, columns: { id: {} }, select: { user: {} } });
    const page = table("default", "page", {
      columns: { id: { field: null }, text: {} },
      key: ["id"],
      select: { user: {} },
    });
    const program = compile({ analysis: analysis(source("default", [book, page])) });
    expect(roots(program, "admin")).toEqual(["page", "page_aggregate", "page_group"]);
    expect(program.paths().filter((path) => path.includes("book"))).toEqual([]);
    expect(program.module("sources/default/public.page.ts").text).not.toContain(`column("id"`);
  });

  it("A program names root fields and comments as the metadata configures them", () => {
    const book = table("default", "book", {
      columns: { id: {} },
      key: ["id"],
      configuration: {
        custom_root_fields: {
          select: "books",
          select_by_pk: { name: "one", comment: "" },
          select_aggregate: { comment: "Counts." },
        },
      },
    });
    const { program, planned } = compileAndLoad(analysis(source("default", [book])));
    const schema = planned.file(planned.roleSchema("admin")).text;
    expect(roots(program, "admin")).toEqual(["book_aggregate", "book_group", "books", "one"]);
    expect(schema).toContain(`"""Counts."""\n  book_aggregate`);
    expect(schema).not.toContain("using primary key columns");
  });

  it.each([
    [200, ["roles/clerk/root-fields.ts"]],
    [201, expect.arrayContaining(["roles/clerk/query/t0.ts"])],
  ])("The root fields of a role are in one module for up to 200 tables: %i", (count, modules) => {
    const tables = Array.from({ length: count }, (_, i) => {
      return table("default", `t${i}`, { columns: { id: {} }, select: { clerk: {} } });
    });
    const paths = compile({ analysis: analysis(source("default", tables)) }).paths();
    expect(paths.filter((path) => /^roles\/clerk\/(root-fields|query)/.test(path))).toEqual(modules);
  });

  it("The root fields of a role are in one module with Apollo federation, however many tables there are", () => {
    const tables = Array.from({ length: 201 }, (_, i) => {
      return table("default", `t${i}`, { columns: { id: {} }, select: { clerk: {} } });
    });
    const large = analysis(source("default", tables));
    const options = { ...large.options, experimentalFeatures: new Set(["apollo_federation"]) };
    const paths = compile({ analysis: { ...large, options } }).paths();
    expect(paths.filter((path) => path.startsWith("roles/clerk/query/"))).toEqual([]);
  });

  it("Without permissions of remote schemas, unknown roles have their fields and none of their relationships", () => {
    const remoteField = { user: { arguments: { id: "$id" } } };
    const to_remote_schema = { remote_schema: "users", lhs_fields: ["id"], remote_field: remoteField };
    const remote_relationships = [
      { type_name: "User", relationships: [{ name: "again", definition: { to_remote_schema } }] },
    ];
    const users = { name: "users", definition: { url: "http://users" }, remote_relationships };
    const { __schema } = introspectionFromSchema(
      buildSchema("type Query { user(id: ID!): User } type User { id: ID! }"),
    );
    const found = analysisOf(parsed({ version: 3, sources: [], remote_schemas: [users] }), {
      introspections: new Map(),
      remoteIntrospections: new Map([["users", readRemoteShape(JSON.parse(JSON.stringify(__schema)))]]),
      options: { remoteSchemaPermissions: false },
    });
    const program = compile({ analysis: found });
    expect(program.module("roles/admin/root-fields.ts").text).toContain(`from "./remotes/users.js"`);
    expect(program.module("roles/unnamed/root-fields.ts").text).toContain(`from "../../remotes/users/schema.js"`);
  });

  it("The error about an unknown file names it", () => {
    expect(() => compile({ analysis: library() }).module("roles/x/y.ts")).toThrow("no file roles/x/y.ts");
  });
});

describe("Incremental programs", () => {
  it("Recompiling the same analysis emits no module", () => {
    const before = compile({ analysis: library() });
    all(before);
    expect(changed(before, compile({ analysis: library(), previous: before }))).toEqual([]);
  });

  it("A permission change emits exactly the modules that it affects", () => {
    const first = library();
    const before = compile({ analysis: first });
    all(before);
    const second = withTable(first, "library.loan", (loan) => withoutColumn(loan, "member", "due_on"));
    const after = compile({ analysis: second, previous: before });
    expect(changed(before, after)).toEqual([
      // The permission determines whether there is a field by primary key.
      "roles/member/root-fields.ts",
      "roles/member/shelf/library.loan.ts",
    ]);
    const texts = (program: Program) => program.module("roles/member/root-fields.ts").text;
    expect(texts(after)).toBe(texts(before));
    expect(all(after)).toEqual(all(compile({ analysis: second })));
  });

  it("A table change emits its shared module and no module of a role", () => {
    const first = library();
    const before = compile({ analysis: first });
    all(before);
    const second = withTable(first, "library.loan", (loan) => ({ ...loan, description: "Borrowed." }));
    expect(changed(before, compile({ analysis: second, previous: before }))).toEqual(["sources/shelf/library.loan.ts"]);
  });

  it("A new relationship emits the modules that show it", () => {
    const first = withTable(library(), "library.member", (member) => ({ ...member, select: new Map() }));
    const before = compile({ analysis: first });
    expect(before.module("roles/member/shelf/library.loan.ts").text).not.toContain("toOne");
    const after = compile({ analysis: library(), previous: before });
    expect(after.module("roles/member/shelf/library.loan.ts").text).toContain("toOne(joins.member");
  });

  it("The root fields of a role follow a new name and a new namespace of the source", () => {
    const named = (name: string, customization?: AnalyzedSource["source"]["customization"]) => {
      const tables = Array.from({ length: 201 }, (_, i) => {
        return table(name, `t${i}`, { columns: { id: {} }, select: { clerk: {} } });
      });
      return analysis(source(name, tables, customization));
    };
    const fields = (program: Program) => {
      const paths = program.paths().filter((path) => /^roles\/clerk\/(root-fields|query)/.test(path));
      return paths.map((path) => program.module(path).text);
    };
    let previous = compile({ analysis: named("north") });
    fields(previous);
    for (const each of [named("south"), named("south", { root_fields: { namespace: "far" } }), named("south")]) {
      const program = compile({ analysis: each, previous });
      expect(fields(program)).toEqual(fields(compile({ analysis: each })));
      previous = program;
    }
  });

  it("The slice in a header is unchanged if only another table changed", () => {
    const slice = (program: Program, path: string) => /Slice {2}sha256:(\w+)/.exec(program.module(path).text)?.[1];
    const path = "sources/shelf/library.member.ts";
    const before = compile({ analysis: library() });
    const other = withTable(library(), "library.loan", (loan) => ({ ...loan, description: "Borrowed." }));
    expect(slice(compile({ analysis: other }), path)).toBe(slice(before, path));
    const own = withTable(library(), "library.member", (member) => ({ ...member, description: "Readers." }));
    expect(slice(compile({ analysis: own }), path)).not.toBe(slice(before, path));
  });
});
