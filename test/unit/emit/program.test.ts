import { describe, expect, it } from "vitest";
import type { Analysis, AnalyzedSource } from "../../../compiler/2-analyze/analysis.ts";
import type { AnalyzedTable } from "../../../compiler/2-analyze/analyzed-table.ts";
import { compile, type Program } from "../../../compiler/index.ts";
import type { RoleDefinition } from "../../../runtime/model/definitions/roots.ts";
import { compileAndLoad, loaderOf } from "./load.ts";
import { analysis, builtIn, library, source, table } from "./sample-analysis.ts";

/** The analysis with another table in the place of one. */
function withTable(before: Analysis, key: string, change: (table: AnalyzedTable) => AnalyzedTable): Analysis {
  const shelf = before.sources.get("shelf") as AnalyzedSource;
  const tables = shelf.tables.with([change(shelf.tables.get(key) as AnalyzedTable)]);
  return { ...before, sources: new Map([["shelf", { ...shelf, tables }]]) };
}

/** The same table without one column of a role's permission. */
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

describe("a program", () => {
  it("is the same for the same analysis", () => {
    const texts = () => [...all(compile({ analysis: library() })).values()].map(({ path, text }) => [path, text]);
    expect(texts()).toEqual(texts());
  });

  it("lists its files in order", () => {
    const { paths } = { paths: compile({ analysis: library() }).paths() };
    expect(paths).toEqual([...paths].sort());
    expect(paths).toContain("roles/member/shelf/library.loan.ts");
  });

  it("gives unknown roles one empty module", () => {
    const program = compile({ analysis: library() });
    expect(program.roleModule("nobody")).toBe("roles/(none)/resolvers.ts");
    expect(program.roleModule("(none)")).toBe("roles/(none)/resolvers.ts");
    expect(roots(program, "nobody")).toEqual([]);
    expect(program.roles()).toEqual(["admin", "member"]);
  });

  it("has a module for every role, also one called like the empty one", () => {
    const book = table("default", "book", { columns: { id: {} }, select: { "(none)": {} } });
    const program = compile({ analysis: analysis(source("default", [book])) });
    expect(program.roleModule("(none)")).toBe("roles/-none-==28-29/resolvers.ts");
    expect(roots(program, "(none)")).toEqual(["book"]);
    expect(roots(program, "other")).toEqual([]);
  });

  it("offers the root fields that a role may use", () => {
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
    expect(roots(program, "admin")).toEqual(["book", "book_aggregate", "book_by_pk"]);
    expect(roots(program, "all")).toEqual(["book", "book_aggregate", "book_by_pk"]);
    expect(roots(program, "noKey")).toEqual(["book"]);
    expect(roots(program, "onlyByKey")).toEqual(["book_by_pk"]);
    expect(roots(program, "nothing")).toEqual([]);
  });

  it("offers the fields of subscriptions that a role may use", () => {
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
    const all = ["book", "book_aggregate", "book_by_pk", "book_stream"];
    expect(roots(program, "admin", "subscription")).toEqual(all);
    expect(roots(program, "all", "subscription")).toEqual(all);
    expect(roots(program, "blind", "subscription")).toEqual(["book", "book_aggregate"]);
    expect(roots(program, "onlyStream", "subscription")).toEqual(["book_stream"]);
    expect(roots(program, "onlyStream")).toEqual(["book", "book_by_pk"]);
    expect(roots(program, "onlyQuery", "subscription")).toEqual([]);
    expect(roots(program, "onlySubscription", "subscription")).toEqual(["book"]);
    const schema = (role: string) => planned.module(planned.roleSchema(role)).text;
    expect(schema("onlyStream")).toContain("cursor: [book_stream_cursor_input]!");
    expect(schema("onlyQuery")).not.toContain("subscription");
    const options = { ...sample.options, experimentalFeatures: new Set(["hide_stream_fields"]) };
    const hidden = compile({ analysis: { ...sample, options } });
    expect(roots(hidden, "admin", "subscription")).toEqual(["book", "book_aggregate", "book_by_pk"]);
  });

  it("offers filters by aggregates unless a feature hides them", () => {
    const sample = library();
    const schema = (given: Analysis) => compileAndLoad(given).planned.module("roles/admin/schema.graphql").text;
    expect(schema(sample)).toContain("_aggregate_bool_exp");
    const options = { ...sample.options, experimentalFeatures: new Set(["hide_aggregation_predicates"]) };
    expect(schema({ ...sample, options })).not.toContain("_aggregate_bool_exp");
  });

  it("leaves out what has no name in the schema", () => {
    const book = table("default", "my book", { graphqlName: null, columns: { id: {} }, select: { user: {} } });
    const page = table("default", "page", {
      columns: { id: { field: null }, text: {} },
      key: ["id"],
      select: { user: {} },
    });
    const program = compile({ analysis: analysis(source("default", [book, page])) });
    expect(roots(program, "admin")).toEqual(["page", "page_aggregate"]);
    expect(program.paths().filter((path) => path.includes("book"))).toEqual([]);
    expect(program.module("sources/default/public.page.ts").text).not.toContain(`column("id"`);
  });

  it("names root fields and comments as the metadata says", () => {
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
    const schema = planned.module(planned.roleSchema("admin")).text;
    expect(roots(program, "admin")).toEqual(["book_aggregate", "books", "one"]);
    expect(schema).toContain(`"""Counts."""\n  book_aggregate`);
    expect(schema).not.toContain("using primary key columns");
  });

  it("names an unknown file in its error", () => {
    expect(() => compile({ analysis: library() }).module("roles/x/y.ts")).toThrow("no file roles/x/y.ts");
  });
});

describe("a program after another", () => {
  it("emits nothing again for the same analysis", () => {
    const before = compile({ analysis: library() });
    all(before);
    expect(changed(before, compile({ analysis: library(), previous: before }))).toEqual([]);
  });

  it("emits again what a permission changes, and nothing else", () => {
    const first = library();
    const before = compile({ analysis: first });
    all(before);
    const second = withTable(first, "library.loan", (loan) => withoutColumn(loan, "member", "due_on"));
    const after = compile({ analysis: second, previous: before });
    expect(changed(before, after)).toEqual([
      // The permission decides whether there is a field by primary key.
      "roles/member/resolvers.ts",
      "roles/member/shelf/library.loan.ts",
    ]);
    const texts = (program: Program) => program.module("roles/member/resolvers.ts").text;
    expect(texts(after)).toBe(texts(before));
    expect(all(after)).toEqual(all(compile({ analysis: second })));
  });

  it("emits again the shared module of a changed table, and no role's", () => {
    const first = library();
    const before = compile({ analysis: first });
    all(before);
    const second = withTable(first, "library.loan", (loan) => ({ ...loan, description: "Borrowed." }));
    expect(changed(before, compile({ analysis: second, previous: before }))).toEqual(["sources/shelf/library.loan.ts"]);
  });

  it("emits again what shows a relationship that appears", () => {
    const first = withTable(library(), "library.member", (member) => ({ ...member, select: new Map() }));
    const before = compile({ analysis: first });
    expect(before.module("roles/member/shelf/library.loan.ts").text).not.toContain("toOne");
    const after = compile({ analysis: library(), previous: before });
    expect(after.module("roles/member/shelf/library.loan.ts").text).toContain("toOne(joins.member");
  });

  it("keeps the slice in the header where only another table changed", () => {
    const slice = (program: Program, path: string) => /Slice {2}sha256:(\w+)/.exec(program.module(path).text)?.[1];
    const path = "sources/shelf/library.member.ts";
    const before = compile({ analysis: library() });
    const other = withTable(library(), "library.loan", (loan) => ({ ...loan, description: "Borrowed." }));
    expect(slice(compile({ analysis: other }), path)).toBe(slice(before, path));
    const own = withTable(library(), "library.member", (member) => ({ ...member, description: "Readers." }));
    expect(slice(compile({ analysis: own }), path)).not.toBe(slice(before, path));
  });
});
