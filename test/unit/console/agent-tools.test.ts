/** The form of a tool's arguments from its schema, and changes of tools. */
import { describe, expect, it } from "vitest";
import {
  type Argument,
  argumentsOf,
  argumentsText,
  nothing,
  problemOf,
} from "../../../runtime/console/pages/assistants/arguments.ts";
import {
  concernedRoles,
  creation,
  draftOf,
  limitProblem,
  nameProblem,
  newDraft,
  replacement,
  scopesProblem,
  suggestedName,
} from "../../../runtime/console/pages/assistants/tool-change.ts";

const properties = {
  id: { type: ["integer", "string"], description: "Primary key" },
  title: { type: ["string", "null"] },
  note: { type: "string" },
  price: { type: ["number", "string"] },
  limit: { type: ["integer", "null"], minimum: 0, maximum: 100, default: 10 },
  kind: { anyOf: [{ $ref: "#/$defs/kind" }, { type: "null" }] },
  where: { $ref: "#/$defs/filter" },
  tags: { type: "array", items: { type: "string" } },
  facts: {},
  day: { type: "string", format: "date" },
  at: { type: "string", format: "date-time" },
  loud: { type: "boolean" },
};
const schema = {
  type: "object",
  properties,
  required: ["id", "note"],
  additionalProperties: false,
  $defs: { kind: { type: "string", enum: ["a", "b"], description: "Kind" }, filter: { type: "object" } },
};

const found = argumentsOf(schema);
const named = (name: string): Argument => {
  const argument = found.find((each) => each.name === name);
  if (!argument) throw new Error(`the schema has ${name}`);
  return argument;
};
const enter = (text: string) => ({ text, isNull: false });

describe("The form of a tool's arguments", () => {
  it("Each argument has a kind by its type, also behind references and beside null", () => {
    expect(found.map(({ name, kind }) => [name, kind])).toEqual([
      ["id", "integer"],
      ["title", "text"],
      ["note", "text"],
      ["price", "number"],
      ["limit", "integer"],
      ["kind", "enum"],
      ["where", "json"],
      ["tags", "json"],
      ["facts", "json"],
      ["day", "date"],
      ["at", "datetime"],
      ["loud", "boolean"],
    ]);
    expect(found.filter(({ isNullable }) => isNullable).map(({ name }) => name)).toEqual(["title", "limit", "kind"]);
    expect(found.filter(({ isRequired }) => isRequired).map(({ name }) => name)).toEqual(["id", "note"]);
    expect(named("kind")).toMatchObject({ choices: ["a", "b"], description: "Kind" });
    expect(named("limit")).toMatchObject({ standard: "10", minimum: 0, maximum: 100 });
  });

  it("A schema without properties has no arguments, and an unknown reference accepts JSON", () => {
    expect(argumentsOf({ type: "object" })).toEqual([]);
    const [argument] = argumentsOf({ properties: { a: { $ref: "#/$defs/missing" } } });
    expect(argument).toMatchObject({ kind: "json", isNullable: false });
  });

  it("Values that a schema refuses have a problem", () => {
    const wrong: readonly (readonly [string, string, string])[] = [
      ["id", "", "Enter a value."],
      ["id", "1.5", "Enter a whole number."],
      ["price", "1,5", "Enter a number."],
      ["limit", "-1", "The minimum is 0."],
      ["limit", "101", "The maximum is 100."],
      ["where", "{", "Enter JSON."],
      ["day", "tomorrow", "Enter a date, such as 2026-01-31."],
      ["at", "2026-01-31", "Enter a date and time with its offset, such as 2026-01-31T12:00:00Z."],
    ];
    for (const [name, text, problem] of wrong)
      expect([name, problemOf(named(name), enter(text))]).toEqual([name, problem]);
    for (const [name, text] of [
      ["id", "9007199254740993"],
      ["note", ""],
      ["title", ""],
      ["price", "1.50"],
      ["where", '{"a": 1}'],
      ["at", "2026-01-31T12:00:00.5+01:00"],
    ] as const)
      expect([name, problemOf(named(name), enter(text))]).toEqual([name, null]);
    expect(problemOf(named("limit"), { text: "x", isNull: true })).toBeNull();
  });

  it("Arguments keep the digits of numbers, and empty fields are not sent except a required text", () => {
    const values = {
      id: enter("0009007199254740993"),
      title: { text: "kept", isNull: true },
      price: enter("1.50"),
      kind: enter("b"),
      where: enter('{"id": {"_eq": 12345678901234567890}}'),
      day: enter("2026-01-31"),
      loud: enter("false"),
      limit: nothing,
    };
    expect(argumentsText(found, values)).toBe(
      '{"id":9007199254740993,"title":null,"note":"","price":1.50,"kind":"b",' +
        '"where":{"id": {"_eq": 12345678901234567890}},"day":"2026-01-31","loud":false}',
    );
  });

  it("An argument may have the name of an inherited member", () => {
    const odd = argumentsOf({ properties: { constructor: { type: "string" }, ["__proto__"]: { type: "integer" } } });
    expect(odd.map(({ name }) => name)).toEqual(["constructor", "__proto__"]);
    expect(argumentsText(odd, {})).toBe("{}");
    expect(argumentsText(odd, { ["__proto__"]: enter("1"), constructor: enter("a") })).toBe(
      '{"constructor":"a","__proto__":1}',
    );
  });
});

describe("Changes of tools", () => {
  it("The name of a tool is derived from its operation", () => {
    expect(["BooksByAuthor", "add book", "get-books.v2", "Ünder 1!", "a".repeat(80)].map(suggestedName)).toEqual([
      "books_by_author",
      "add_book",
      "get-books.v2",
      "nder_1",
      "a".repeat(64),
    ]);
  });

  it("Names, scopes and limits that the server would refuse have a problem", () => {
    expect(nameProblem("a b", [])).toContain("only letters");
    expect(nameProblem("x".repeat(65), [])).toContain("at most 64");
    expect(nameProblem("taken", ["taken"])).toBe("There is a tool taken already.");
    expect(nameProblem("books.list-1_a", ["taken"])).toBeNull();
    expect(scopesProblem('read "quoted"')).toContain('"quoted"');
    expect(scopesProblem("read  read")).toBe("The scope read occurs twice.");
    expect(scopesProblem(" books:read books:write ")).toBeNull();
    expect(limitProblem("seconds", "3601")).toContain("3,600");
    expect([limitProblem("rows", "0"), limitProblem("rows", "1.5")].every((problem) => problem !== null)).toBe(true);
    expect([limitProblem("bytes", ""), limitProblem("bytes", "67108864")]).toEqual([null, null]);
  });

  const tool = {
    name: "books",
    title: "Books",
    description: "Lists books.",
    definition: { query: { collection_name: "shop", query_name: "Books" } },
    roles: ["reader"],
    scopes: ["books:read", "all"],
    limits: { rows: 5, seconds: 2 },
    comment: "For support",
  };

  it("A tool that is edited without a change stays the same", () => {
    expect(creation(draftOf(tool))).toEqual({ type: "create_agent_tool", args: tool });
    expect(replacement("books", draftOf(tool))).toEqual({
      type: "bulk",
      args: [
        { type: "drop_agent_tool", args: { name: "books" } },
        { type: "create_agent_tool", args: tool },
      ],
    });
  });

  it("A new tool has only its name and operation", () => {
    expect(creation(newDraft("shop", "Books")).args).toEqual({
      name: "books",
      definition: { query: { collection_name: "shop", query_name: "Books" } },
    });
  });

  it("The preview compares the roles that gain or lose the tool, or all roles if any may call it", () => {
    const draft = { ...draftOf(tool), roles: ["writer"] };
    expect(concernedRoles(draft, tool)).toEqual(["writer", "reader"]);
    expect(concernedRoles(draft, null)).toEqual(["writer"]);
    expect(concernedRoles({ ...draft, roles: null }, tool)).toBeUndefined();
    const { roles: _, ...forAll } = tool;
    expect(concernedRoles(draft, forAll)).toBeUndefined();
  });
});
