import { describe, expect, it } from "vitest";
import type { FunctionShape } from "../../../compiler/shape/shape.ts";
import { analysisOf, argument, functionShape, library, reasonsOf, rowType, tableIn, type } from "./sample.ts";

const row = argument("author_row", rowType("public", "author"));
const text = functionShape("full_name", { arguments: [row] });
const articles = functionShape("articles_of", {
  arguments: [row],
  returns: rowType("public", "article"),
  returnsTable: { schema: "public", name: "article" },
  returnsSet: true,
});

function analyzed(functions: readonly FunctionShape[], definition: object, more: object = {}, tracked = ["article"]) {
  const computed_fields = [{ name: "f", definition, ...more }];
  const tables = [{ table: "author", computed_fields }, ...tracked.map((table) => ({ table }))];
  return analysisOf({ tables }, { shape: { ...library, functions } });
}

function fieldOf(functions: readonly FunctionShape[], definition: object, more: object = {}) {
  return tableIn(analyzed(functions, definition, more), "public.author").computedFields.get("f");
}

describe("Computed fields", () => {
  it("A computed field may be a scalar that a function computes from the row", () => {
    expect(fieldOf([text], { function: "full_name" })).toMatchObject({
      name: "f",
      description: 'A computed field, executes function "full_name"',
      tableArgument: 0,
      sessionArgument: undefined,
      returns: { kind: "scalar", type: type("text") },
    });
  });

  it("A computed field may return the rows of a table", () => {
    expect(fieldOf([articles], { function: "articles_of" })?.returns).toEqual({
      kind: "table",
      target: "public.article",
    });
  });

  it("A computed field finds its row and session arguments by name", () => {
    const given = functionShape("g", {
      arguments: [argument("session", "json"), argument("size", "int4"), argument("r", rowType("public", "author"))],
    });
    const definition = { function: "g", table_argument: "r", session_argument: "session" };
    expect(fieldOf([given], definition)).toMatchObject({ tableArgument: 2, sessionArgument: 0 });
  });

  it.each([
    ["its comment", { comment: "mine" }, "mine"],
    ["no text for an empty comment", { comment: "" }, undefined],
    ["the function's comment", {}, "of the function"],
  ])("A computed field is described by %s", (_, more, description) => {
    const commented = { ...text, comment: "of the function" };
    expect(fieldOf([commented], { function: "full_name" }, more)?.description).toBe(description);
  });

  const place = 'in table "author": in computed field "f": ';
  const refused = `${place}the computed field "f" cannot be added to table "author" because `;

  it.each<[string, readonly FunctionShape[], object, string]>([
    ["no function", [], { function: "g" }, `${place}no such function exists: "g"`],
    [
      "overloads",
      [text, { ...text, id: 0 }],
      { function: "full_name" },
      `${place}function "full_name" is overloaded. Overloaded functions are not supported`,
    ],
    [
      "unknown table argument",
      [text],
      { function: "full_name", table_argument: "x" },
      `${refused}"x" is not an input argument of the function "full_name"`,
    ],
    [
      "unknown session argument",
      [text],
      { function: "full_name", session_argument: "x" },
      `${refused}"x" is not an input argument of the function "full_name"`,
    ],
    [
      "session argument of another type",
      [{ ...text, arguments: [row, argument("size", "int4")] }],
      { function: "full_name", session_argument: "size" },
      `${refused}"size" argument of the function "full_name" is not of type JSON`,
    ],
    [
      "no arguments",
      [{ ...text, arguments: [] }],
      { function: "full_name" },
      `${refused}the function "full_name" has no input arguments`,
    ],
    [
      "row of another table",
      [{ ...text, arguments: [argument("a", rowType("public", "article"))] }],
      { function: "full_name" },
      `${refused}first argument of the function "full_name" of type "article" is not the table to which the computed field is being added`,
    ],
    [
      "result of another kind",
      [{ ...text, returns: { ...type("mood"), schema: "public", category: "enum" } }],
      { function: "full_name" },
      `${refused}the function "full_name" returning type mood is not a BASE type`,
    ],
    [
      "volatile",
      [{ ...text, volatility: "volatile" }],
      { function: "full_name" },
      `${refused}the function "full_name" is of type VOLATILE; cannot be added as a computed field`,
    ],
  ])("A computed field is inconsistent: %s", (_, functions, definition, reason) => {
    expect(reasonsOf(analyzed(functions, definition))).toEqual([reason]);
  });

  it("A computed field may not return rows of an untracked table", () => {
    expect(reasonsOf(analyzed([articles], { function: "articles_of" }, {}, []))).toEqual([
      `${refused}the function "articles_of" returning set of table "article" is not tracked or not found in database`,
    ]);
  });

  it("A computed field needs a valid GraphQL name", () => {
    const tables = [{ table: "author", computed_fields: [{ name: "a b", definition: { function: "full_name" } }] }];
    expect(reasonsOf(analysisOf({ tables }, { shape: { ...library, functions: [text] } }))).toEqual([
      'in table "author": in computed field "a b": the computed field "a b" cannot be added to table "author" because "a b" is not valid GraphQL name',
    ]);
  });

  it("An inconsistent computed field lists all its reasons", () => {
    const first = { ...text, arguments: [argument("search", "text"), row] };
    expect(reasonsOf(analyzed([first], { function: "full_name" }))).toEqual([
      `${place}the computed field "f" cannot be added to table "author" for the following reasons:\n` +
        '  • first argument of the function "full_name" is not COMPOSITE type\n' +
        '  • first argument of the function "full_name" of type "pg_catalog.text" is not the table to which the computed field is being added\n',
    ]);
    const named = { function: "full_name", table_argument: "search" };
    expect(reasonsOf(analyzed([first], named))[0]).toContain(
      '"search" argument of the function "full_name" is not COMPOSITE',
    );
    const volatile = { ...text, volatility: "volatile" } as const;
    expect(reasonsOf(analyzed([volatile], { function: "full_name", table_argument: "x" }))).toEqual([
      `${place}the computed field "f" cannot be added to table "author" for the following reasons:\n` +
        '  • the function "full_name" is of type VOLATILE; cannot be added as a computed field\n' +
        '  • "x" is not an input argument of the function "full_name"\n',
    ]);
  });

  it("A computed field may not have the name of a column", () => {
    const tables = [{ table: "author", computed_fields: [{ name: "name", definition: { function: "full_name" } }] }];
    expect(reasonsOf(analysisOf({ tables }, { shape: { ...library, functions: [text] } }))).toEqual([
      "field definition conflicts with postgres column",
    ]);
  });
});
