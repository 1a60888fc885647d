import fc from "fast-check";
import { buildSchema, printSchema as printGraphqlSchema, validateSchema } from "graphql";
import { describe, expect, it } from "vitest";
import { defineRole } from "../../../runtime/model/definitions/roots.ts";
import { roleSchema } from "../../../runtime/model/schema/role-schema.ts";
import { printSchema } from "../../../runtime/model/schema/sdl.ts";
import { compileAndLoad } from "./load.ts";
import { analysis, builtIn, library, source, table } from "./sample-analysis.ts";

function schemaText(role: string, sample = library()): string {
  return compileAndLoad(sample).planned.file(`roles/${role}/schema.graphql`).text;
}

/** Returns the schema of tables `book0`, `book1` and so on with these comments. */
function described(descriptions: readonly string[]): ReturnType<typeof buildSchema> {
  const books = descriptions.map((description, i) =>
    table("default", `book${i}`, { description, columns: { id: { type: builtIn("int4"), description } } }),
  );
  return buildSchema(schemaText("admin", analysis(source("default", books))));
}

describe("Generated schema.graphql", () => {
  it.each(["admin", "member", "unnamed"])("The generated SDL is a valid schema for role %s", (role) => {
    const schema = buildSchema(schemaText(role));
    expect(validateSchema(schema)).toEqual([]);
    expect(schema.getQueryType()?.name).toBe("query_root");
  });

  it("The generated SDL matches the printer of graphql-js", () => {
    const text = schemaText("admin");
    expect(printGraphqlSchema(buildSchema(printGraphqlSchema(buildSchema(text))))).toBe(
      printGraphqlSchema(buildSchema(text)),
    );
    expect(text).toContain("library_loan_by_pk(id: uuid!): library_loan\n");
  });

  it("The generated SDL lists types by name", () => {
    const names = [...schemaText("admin").matchAll(/^(?:type|input|enum|scalar) (\w+)(?= \{$|$)/gm)].map(
      ([, name]) => name,
    );
    expect(names).toEqual([...names].sort());
    expect(new Set(names).size).toBe(names.length);
  });

  it("The generated SDL names no columns that the role may not select", () => {
    const text = schemaText("member");
    expect(text).not.toContain("withdrawn_at");
    expect(text).not.toContain("email");
    expect(text).toContain("returned_at");
  });

  it("The generated SDL of a role without permissions has the field no_queries_available", () => {
    expect(schemaText("unnamed")).toContain("no_queries_available: String!");
  });

  it("The generated SDL contains no introspection fields", () => {
    const schema = roleSchema(defineRole({ role: "x", query: {} }));
    expect(printSchema(schema)).not.toContain("__schema");
  });

  it("The generated SDL keeps every description unchanged", () => {
    const lines = fc.string({
      unit: fc.constantFrom("a", " ", "\n", '"', "\\", "\r", "\t", "\u2028", "😀", "\u202e", "é"),
    });
    const description = fc.oneof(lines, fc.string({ unit: "grapheme" })).filter((text) => text !== "");
    // Each run spends most of its time on the parts common to all schemas, so it covers several descriptions.
    const several = fc.array(description, { minLength: 1, maxLength: 20, size: "max" });
    fc.assert(
      fc.property(several, (descriptions) => {
        const schema = described(descriptions);
        expect(descriptions.map((_, i) => schema.getType(`book${i}`)?.description)).toEqual(descriptions);
      }),
      { numRuns: 20 },
    );
  });
});
