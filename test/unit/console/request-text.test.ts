/** Texts of the API page: format of operations, example operations, and help for variables. */
import fc from "fast-check";
import { buildSchema, Kind, type OperationDefinitionNode, parse, print, validate } from "graphql";
import { describe, expect, it } from "vitest";
import { examplesOf } from "../../../runtime/console/pages/api/examples/example-operations.ts";
import { formatDocument } from "../../../runtime/console/pages/api/format-document.ts";
import { layOutJson } from "../../../runtime/console/pages/api/json-layout.ts";
import {
  completionsAt,
  problemsOf,
  variableTypes,
} from "../../../runtime/console/pages/api/variables/variable-types.ts";

const schema = buildSchema(`
  scalar uuid
  enum order_by { asc desc }
  input text_comparison { _eq: String _is_null: Boolean }
  input book_bool_exp { title: text_comparison _and: [book_bool_exp!] }
  input book_order_by { id: order_by title: order_by }
  input book_insert_input { id: Int title: String! code: uuid }
  type book { title: String! id: Int! page(number: Int!): String }
  type counts { count: Int! }
  type book_aggregate_fields { count: Int! }
  type book_aggregate { aggregate: book_aggregate_fields nodes: [book!]! }
  type book_mutation_response { affected_rows: Int! returning: [book!]! }
  type query_root {
    now: String
    book(where: book_bool_exp, order_by: [book_order_by!], limit: Int): [book!]!
    book_aggregate(where: book_bool_exp): book_aggregate!
    book_by_pk(id: Int!): book
  }
  type mutation_root { insert_book(objects: [book_insert_input!]!): book_mutation_response }
  type subscription_root { book(where: book_bool_exp, limit: Int): [book!]! }
  schema { query: query_root mutation: mutation_root subscription: subscription_root }
`);

describe("The format of an operation", () => {
  it("Comments stay beside their fields", () => {
    expect(
      formatDocument("# first\nquery Q($id:Int!){ # opens\nbook{id # key\n# before\ntitle\n# last\n}} # end\n# after"),
    ).toBe(`# first
query Q($id: Int!) { # opens
  book {
    id # key
    # before
    title
    # last
  }
} # end
# after`);
    expect(formatDocument("{ now }")).toBe("query {\n  now\n}");
    expect(formatDocument("# only")).toBe("# only");
  });

  it("The meaning and all comments of a document are kept, and formatting again changes nothing", () => {
    const token = fc.constantFrom(
      "{",
      "}",
      "id",
      "now",
      "(a: 1)",
      "(b: [1, {c: $d}])",
      '(s: """\n{\n x""")',
      "@x",
      "... on t",
      "...f",
    );
    const part = fc.tuple(token, fc.constantFrom(" ", "\n", " # note\n", "\n# note\n\n", ", "));
    fc.assert(
      fc.property(
        fc.array(part, { minLength: 1, maxLength: 14 }),
        fc.constantFrom("", "query ", "query Q($d: Int) "),
        (parts, head) => {
          const text = `${head}{ ${parts.map(([each, space]) => each + space).join("")} }`;
          let meaning: string | undefined;
          try {
            meaning = print(parse(text));
          } catch {
            fc.pre(false);
          }
          const formatted = formatDocument(text);
          expect(print(parse(formatted))).toBe(meaning);
          expect(formatted.match(/# note/g)?.length ?? 0).toBe(text.match(/# note/g)?.length ?? 0);
          expect(formatDocument(formatted)).toBe(formatted);
        },
      ),
      { numRuns: 300, maxSkipsPerRun: 10_000 },
    );
  });

  it("A document with a syntax error is refused", () => {
    expect(() => formatDocument("{ book {")).toThrow("Syntax Error");
  });

  it("Numbers of variables keep their digits", () => {
    expect(layOutJson('{"a":12345678901234567890.10,"b":[],"c":{"d":"x, {y}"}}')).toBe(
      '{\n  "a": 12345678901234567890.10,\n  "b": [],\n  "c": {\n    "d": "x, {y}"\n  }\n}',
    );
  });
});

describe("Example operations", () => {
  it("Examples of a table are valid and cover what the schema has", () => {
    const found = examplesOf(schema, ["shelf", "book"]);
    expect(found?.table).toBe("book");
    expect(found?.examples.map(({ title }) => title)).toEqual([
      "List rows",
      "Row by key",
      "Count rows",
      "Insert a row",
      "Subscribe",
    ]);
    for (const { title, query, variables } of found?.examples ?? []) {
      expect(validate(schema, parse(query)), title).toEqual([]);
      expect(formatDocument(query)).toBe(query);
      if (variables !== "") expect(problemsOf(variables, typesOf(query)), title).toEqual([]);
    }
    expect(found?.examples[0]?.query).toContain("(where: {title: {_is_null: false}}, ");
    expect(found?.examples[0]?.query).toContain("order_by: {id: asc}, limit: 10) {");
  });

  it("A table with custom names of root fields is found, and a schema without tables has no examples", () => {
    expect(examplesOf(schema, ["other"])?.table).toBe("book");
    expect(examplesOf(buildSchema("type Query { now: String }"), ["book"])).toBeNull();
    const readOnly = buildSchema(`
      input exp { a: Int } input ord { a: Int } type book { a: Int }
      type Query { book(where: exp, order_by: ord): [book!]! }
    `);
    expect(examplesOf(readOnly, [])?.examples.map(({ title }) => title)).toEqual(["List rows"]);
    const grouped = buildSchema(`
      input exp { a: Int } input ord { a: Int } type book { a: Int } type group { nodes: [book!]! }
      type Query { book_group(by: [exp!]!, where: exp, order_by: ord): [group!]! volumes(where: exp, order_by: ord): [book!]! }
    `);
    expect(examplesOf(grouped, [])?.table).toBe("volumes");
  });
});

function typesOf(query: string) {
  const found = parse(query).definitions.find((each) => each.kind === Kind.OPERATION_DEFINITION);
  return variableTypes(schema, found as OperationDefinitionNode);
}

describe("Help for variables", () => {
  const types = typesOf(
    "query ($id: Int!, $where: book_bool_exp, $order: [book_order_by!], $objects: [book_insert_input!], $on: Boolean = true) { now }",
  );

  /** Completes at the bar. */
  const complete = (marked: string) => {
    const position = marked.indexOf("|");
    const text = marked.replace("|", "");
    const result = completionsAt(text, position, types);
    return result?.options.map(({ label }) => label) ?? null;
  };

  it.each([
    ["{|}", ['"id"', '"where"', '"order"', '"objects"', '"on"']],
    ['{"id": 1, "|"}', ['"where"', '"order"', '"objects"', '"on"']],
    ['{"where": {"|"}}', ['"title"', '"_and"']],
    ['{"where": {"_and": [{"title": {|', ['"_eq"', '"_is_null"']],
    ['{"where": {"title": {"_is_null": |}}}', ["true", "false", "null"]],
    ['{"order": [{"id": 1}, {"title": "|"}]}', ['"asc"', '"desc"', "null"]],
    ['{"order": {"|', ['"id"', '"title"']],
    ['{"order": {"id": |}}', ['"asc"', '"desc"', "null"]],
    ['{"on": t|', ["true", "false", "null"]],
    ['{"id": |}', null],
    ['{"id": 1|}', null],
    ['{"nothing": {"|"}}', null],
    ["|", null],
    ['"\\"{|', null],
  ])("%s", (marked, expected) => {
    expect(complete(marked)).toEqual(expected);
  });

  it("A name that replaces quotes replaces both, and a name before a colon adds no second one", () => {
    const result = completionsAt('{"wh": {}}', 4, types);
    expect(result).toMatchObject({ from: 1, to: 5 });
    expect(result?.options[0]?.apply).toBe('"id"');
  });

  it("Problems name the variable and its type, and mark the value", () => {
    const text = '{"where": {"title": {"_eq": 1}}, "titel": 2, "order": [{"id": "up"}]}';
    const found = problemsOf(text, types).map(({ from, to, message }) => [text.slice(from, to), message]);
    expect(found).toEqual([
      ["1", expect.stringContaining("String cannot represent a non string value: 1")],
      ["2", "The operation has no variable $titel. It has $id, $where, $order, $objects, $on."],
      ['"up"', expect.stringContaining('Value "up" does not exist in "order_by" enum.')],
      [text, "The variable $id of type Int! is missing."],
    ]);
    expect(problemsOf("[1]", types)[0]?.message).toBe("Write the variables as a JSON object.");
    expect(problemsOf('{"id": 1}', types)).toEqual([]);
    expect(problemsOf("{}", typesOf("{ now }"))).toEqual([]);
  });
});
