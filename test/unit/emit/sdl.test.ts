import fc from "fast-check";
import { buildSchema, printSchema as printGraphqlSchema, validateSchema } from "graphql";
import { describe, expect, it } from "vitest";
import { defineRole } from "../../../runtime/model/definitions/roots.ts";
import { roleSchema } from "../../../runtime/model/schema/role-schema.ts";
import { printSchema } from "../../../runtime/model/schema/sdl.ts";
import { compileAndLoad } from "./load.ts";
import { analysis, builtIn, library, source, table } from "./sample-analysis.ts";

function schemaText(role: string, sample = library()): string {
  return compileAndLoad(sample).planned.module(`roles/${role}/schema.graphql`).text;
}

/** The schema of tables `book0`, `book1` and so on with these comments. */
function described(descriptions: readonly string[]): ReturnType<typeof buildSchema> {
  const books = descriptions.map((description, i) =>
    table("default", `book${i}`, { description, columns: { id: { type: builtIn("int4"), description } } }),
  );
  return buildSchema(schemaText("admin", analysis(source("default", books))));
}

describe("schema.graphql", () => {
  it.each(["admin", "member", "(none)"])("is a valid schema for role %s", (role) => {
    const schema = buildSchema(schemaText(role));
    expect(validateSchema(schema)).toEqual([]);
    expect(schema.getQueryType()?.name).toBe("query_root");
  });

  it("says the same as graphql-js would print", () => {
    const text = schemaText("admin");
    expect(printGraphqlSchema(buildSchema(printGraphqlSchema(buildSchema(text))))).toBe(
      printGraphqlSchema(buildSchema(text)),
    );
    expect(text).toContain("library_loan_by_pk(id: uuid!): library_loan\n");
  });

  it("lists the types by name", () => {
    const names = [...schemaText("admin").matchAll(/^(?:type|input|enum|scalar) (\w+)(?= \{$|$)/gm)].map(
      ([, name]) => name,
    );
    expect(names).toEqual([...names].sort());
    expect(new Set(names).size).toBe(names.length);
  });

  it("names nothing that the role may not read", () => {
    const text = schemaText("member");
    expect(text).not.toContain("withdrawn_at");
    expect(text).not.toContain("email");
    expect(text).toContain("returned_at");
  });

  it("tells a role without permissions that there is nothing", () => {
    expect(schemaText("(none)")).toContain("no_queries_available: String!");
  });

  it("prints what roleSchema says, and is not confused by introspection fields", () => {
    const schema = roleSchema(defineRole({ role: "x", query: {} }));
    expect(printSchema(schema)).not.toContain("__schema");
  });

  it("keeps every description as it is", () => {
    const lines = fc.string({
      unit: fc.constantFrom("a", " ", "\n", '"', "\\", "\r", "\t", "\u2028", "😀", "\u202e", "é"),
    });
    const description = fc.oneof(lines, fc.string({ unit: "grapheme" })).filter((text) => text !== "");
    // Most of a run is what all schemas have, whatever their tables.
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
