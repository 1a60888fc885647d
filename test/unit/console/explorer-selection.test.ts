/** Check boxes of the explorer: they write valid operations, and unchecking restores what checking changed. */
import fc from "fast-check";
import {
  buildSchema,
  type GraphQLSchema,
  isNonNullType,
  Kind,
  type OperationTypeNode,
  parse,
  print,
  stripIgnoredCharacters,
  validate,
  visit,
} from "graphql";
import { describe, expect, it } from "vitest";
import {
  childSteps,
  rootSteps,
  type SchemaPath,
  type Step,
} from "../../../runtime/console/pages/api/explorer/paths.ts";
import { addPath, hasPath, readDocument, removePath } from "../../../runtime/console/pages/api/explorer/selection.ts";

const schema: GraphQLSchema = buildSchema(`
  enum order_by { asc desc }
  input int_comparison { _eq: Int _in: [Int!] _is_null: Boolean }
  input book_bool_exp { _and: [book_bool_exp!] id: int_comparison author: author_bool_exp }
  input author_bool_exp { id: int_comparison books: book_bool_exp }
  input book_order_by { id: order_by title: order_by }
  input conflict { constraint: order_by! where: book_bool_exp }
  input book_insert { id: Int title: String }
  type author { id: Int! name: String! books(where: book_bool_exp, limit: Int): [book!]! }
  type book { id: Int! title: String! author: author page(number: Int!): String }
  type aggregate { aggregate: counts nodes: [book!]! }
  type counts { count(distinct: Boolean): Int! }
  type magazine { issue: Int! }
  union item = book | magazine
  type changes { affected_rows: Int! returning: [book!]! }
  type query_root {
    book(where: book_bool_exp, order_by: [book_order_by!], limit: Int, distinct_on: order_by): [book!]!
    book_by_pk(id: Int!): book
    book_aggregate(where: book_bool_exp): aggregate!
    item: [item!]!
    now: String
  }
  type mutation_root {
    insert_book(objects: [book_insert!]!, on_conflict: conflict): changes
    delete_book(where: book_bool_exp!): changes
  }
  type subscription_root { book(limit: Int): [book!]! }
  schema { query: query_root mutation: mutation_root subscription: subscription_root }
`);

const operations = ["query", "mutation", "subscription"] as OperationTypeNode[];

/** Walks from a root field, and ends at a leaf or after the last choice if that is an object. */
function pathOf(operation: OperationTypeNode, choices: readonly number[]): SchemaPath {
  const steps: Step[] = [];
  for (const choice of choices) {
    const last = steps.at(-1);
    const next = last ? childSteps(schema, last) : rootSteps(schema, operation);
    if (next.length === 0) break;
    steps.push(next[choice % next.length] as Step);
  }
  // Values end at a leaf, so that documents have no empty objects.
  for (let last = steps.at(-1); last?.kind === "argument" || last?.kind === "input"; last = steps.at(-1)) {
    const next = childSteps(schema, last);
    if (next.length === 0) break;
    steps.push(next.find((each) => childSteps(schema, each).length === 0) ?? (next[1] as Step));
  }
  return { operation, steps };
}

const path: fc.Arbitrary<SchemaPath> = fc
  .tuple(fc.constantFrom(...operations), fc.array(fc.nat(50), { minLength: 1, maxLength: 6 }))
  .map(([operation, choices]) => pathOf(operation, choices));

const built = fc
  .array(path, { maxLength: 6 })
  .map((paths) => paths.reduce((text, each) => addPath(text, each, null).text, ""));

/** Documents in several layouts. */
const document = fc
  .tuple(
    built,
    fc.constantFrom<(text: string) => string>(
      (text) => text,
      stripIgnoredCharacters,
      (text) => text.replace(/\n\s*/g, " "),
      (text) => text.replace(/, /g, ",\n      "),
      (text) => text.replace(/([{(])/g, "$1 # opens\n").replace(/([)}])/g, "\n$1"),
      (text) => text.replace(/\n/g, " # line\n"),
    ),
  )
  .map(([text, layout]) => layout(text));

/** Returns true for a path that a valid operation needs. */
function isRequired({ steps }: SchemaPath): boolean {
  const last = steps.at(-1);
  return (last?.kind === "argument" || last?.kind === "input") && isNonNullType(last.type);
}

/** Returns the document without names of operations, order of variables and layout. */
function selectionOf(text: string): string {
  const found = readDocument(text);
  if (!found) throw new Error(`syntax error in ${text}`);
  const plain = visit(found, {
    OperationDefinition: ({ variableDefinitions = [], ...node }) => ({
      ...node,
      name: undefined,
      variableDefinitions: [...variableDefinitions].sort((a, b) => print(a).localeCompare(print(b))),
    }),
  });
  return print(plain);
}

const comments = (text: string): readonly string[] => text.match(/#.*/g) ?? [];

function pathIn(of: GraphQLSchema, operation: string, names: readonly string[]): SchemaPath {
  const steps: Step[] = [];
  for (const name of names) {
    const last = steps.at(-1);
    const next = last ? childSteps(of, last) : rootSteps(of, operation as OperationTypeNode);
    const found = next.find((each) => each.name === name);
    if (!found) throw new Error(`no ${name} in ${next.map((each) => each.name).join(", ")}`);
    steps.push(found);
  }
  return { operation: operation as OperationTypeNode, steps };
}

describe("The explorer's changes of an operation", () => {
  it("Adding a path to any valid document makes a valid document that has the path", () => {
    fc.assert(
      fc.property(document, path, (text, added) => {
        const { text: written, operationName } = addPath(text, added, null);
        expect(hasPath(parse(written), added, operationName)).toBe(true);
        expect(validate(schema, parse(written)).map(({ message }) => `${message} in ${written}`)).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  it("Removing an added path restores the selection, the arguments and the variables", () => {
    fc.assert(
      fc.property(document, path, (text, added) => {
        const before = readDocument(text);
        fc.pre(before !== null && !hasPath(before, added, null));
        // An argument is added with its field, which stays.
        const field = added.steps.findLastIndex(({ kind }) => kind === "field" || kind === "type");
        const steps = added.steps.slice(0, field + 1);
        fc.pre(field === added.steps.length - 1 || hasPath(before, { ...added, steps }, null));
        // A new object has its required fields, which stay.
        fc.pre(field === added.steps.length - 1 || added.steps.every(({ name }) => name !== "on_conflict"));
        const { text: written, operationName } = addPath(text, added, null);
        const restored = removePath(written, added, operationName).text;
        expect(selectionOf(restored), written).toBe(selectionOf(text));
      }),
      { numRuns: 150 },
    );
  });

  it("Removing a path of any document leaves a valid document without it", () => {
    fc.assert(
      fc.property(document, path, (text, removed) => {
        const before = readDocument(text);
        fc.pre(before !== null && hasPath(before, removed, null) && !isRequired(removed));
        const { text: written, operationName } = removePath(text, removed, null);
        const after = readDocument(written);
        if (!after) throw new Error(`syntax error in ${written}`);
        if (operationName !== null || after.definitions.length === 1) {
          expect(hasPath(after, removed, operationName)).toBe(false);
        }
        if (after.definitions.length > 0) {
          expect(validate(schema, after).map(({ message }) => `${message} in ${written}`)).toEqual([]);
        }
      }),
      { numRuns: 150 },
    );
  });

  it("Adding a path keeps every comment", () => {
    fc.assert(
      fc.property(document, path, (text, added) => {
        expect(comments(addPath(text, added, null).text)).toEqual(comments(text));
      }),
      { numRuns: 150 },
    );
  });

  const at = (operation: string, ...names: string[]): SchemaPath => pathIn(schema, operation, names);

  it("A new operation selects the id of a table, and required arguments become variables", () => {
    expect(addPath("", at("query", "book"), null).text).toBe("query {\n  book {\n    id\n  }\n}");
    expect(addPath("", at("query", "book_by_pk", "title"), null).text).toBe(
      "query ($id: Int!) {\n  book_by_pk(id: $id) {\n    title\n  }\n}",
    );
    expect(addPath("", at("query", "book_aggregate"), null).text).toContain("aggregate {\n      count");
  });

  it("Fields, arguments and conditions are added within the layout of the text", () => {
    const text = "query Books {\n\tbook { # the books\n\t\tid # key\n\t}\n}";
    const titled = addPath(text, at("query", "book", "title"), "Books").text;
    expect(titled).toBe("query Books {\n\tbook { # the books\n\t\tid # key\n\t\ttitle\n\t}\n}");
    const filtered = addPath(titled, at("query", "book", "where", "id", "_eq"), "Books").text;
    expect(filtered).toBe(
      "query Books($id: Int) {\n\tbook(where: {id: {_eq: $id}}) { # the books\n\t\tid # key\n\t\ttitle\n\t}\n}",
    );
    expect(removePath(filtered, at("query", "book", "where", "id", "_eq"), "Books").text).toBe(titled);
    expect(removePath(titled, at("query", "book", "title"), "Books").text).toBe(text);
    expect(addPath("{ book { id } }", at("query", "book", "author", "name"), null).text).toBe(
      "{ book { id author { name } } }",
    );
  });

  it("A required filter is a variable until it has conditions, so that no operation changes all rows by accident", () => {
    const text = addPath("", at("mutation", "delete_book"), null).text;
    expect(text).toContain("mutation ($where: book_bool_exp!) {\n  delete_book(where: $where) {");
    const filtered = addPath(text, at("mutation", "delete_book", "where", "id", "_eq"), null).text;
    expect(filtered).toContain("mutation ($id: Int) {\n  delete_book(where: {id: {_eq: $id}}) {");
    expect(removePath(filtered, at("mutation", "delete_book", "where", "id", "_eq"), null).text).toBe(text);
  });

  it("A second operation and the first are named, and the named one is the current operation", () => {
    const { text, operationName } = addPath("{ now }", at("mutation", "insert_book"), null);
    expect(operationName).toBe("Mutation1");
    expect(text).toMatch(/^query Query1 \{ now \}\n\nmutation Mutation1\(\$objects: \[book_insert!\]!\) \{/);
    expect(removePath(text, at("mutation", "insert_book"), operationName)).toEqual({
      text: "query Query1 { now }",
      operationName: null,
    });
  });

  it("A text with a syntax error stays as it is", () => {
    const text = "query { book(";
    expect(addPath(text, at("query", "now"), null).text).toBe(text);
    expect(removePath(text, at("query", "now"), null).text).toBe(text);
  });

  it("The last field of the operation leaves an empty editor", () => {
    expect(removePath("# only a comment\n{ now }\n", at("query", "now"), null).text).toBe("# only a comment");
    expect(readDocument("# only a comment")?.kind).toBe(Kind.DOCUMENT);
  });
});

describe("The explorer's groups and writes of related rows", () => {
  const related = buildSchema(`
    enum column { author_id id }
    input by { column: column related: by_related width: Float }
    input by_related { author: by magazine: by }
    input where { id: Int }
    input related { books: books_update }
    input books_update { update: [updates!] insert: books_insert }
    input updates { _set: book where: where! }
    input books_insert { data: [book!]! }
    input book { title: String }
    type group { aggregate: counts! key: key! }
    type counts { count: Int! }
    type key { _bucket(column: column!): Float author: key! magazine: key! author_id: Int id: Int }
    type author { id: Int! name: String! books_group(by: [by!]!): [group!]! }
    type query_root { author: [author!]! book_group(by: [by!]!): [group!]! }
    type mutation_root { update_author(where: where!, _related: related): author }
    schema { query: query_root mutation: mutation_root }
  `);
  const adding = (text: string, operation: string, ...names: string[]) => {
    const added = addPath(text, pathIn(related, operation, names), null).text;
    expect(validate(related, parse(added))).toEqual([]);
    return added;
  };

  it("A new field with groups has the key that its check box selects first, and more keys are added to it", () => {
    const groups = adding("", "query", "book_group");
    expect(groups).toBe("query {\n  book_group(by: [{column: id}]) {\n    aggregate {\n      count\n    }\n  }\n}");
    expect(adding(groups, "query", "book_group", "key")).toContain("key {\n      id\n    }");
    expect(adding(groups, "query", "book_group", "by", "width")).toContain("by: [{column: id, width: $width}]");
    expect(adding("", "query", "book_group", "by", "related", "author", "column")).toContain(
      "by: [{related: {author: {column: author_id}}}]",
    );
    expect(adding("", "query", "author", "books_group")).toContain("books_group(by: [{column: id}]) {");
  });

  it("A key of a related row replaces the key that it excludes, and the selection of that key", () => {
    const groups = adding(adding("", "query", "book_group"), "query", "book_group", "key");
    const ofAuthor = adding(groups, "query", "book_group", "by", "related");
    expect(ofAuthor).toContain("by: [{related: {author: {column: author_id}}}]");
    expect(ofAuthor).toContain("key {\n      author { author_id }\n    }");
    expect(adding(ofAuthor, "query", "book_group", "by", "related", "magazine")).toContain(
      "by: [{related: {magazine: {column: author_id}}}]",
    );
    const own = adding(ofAuthor, "query", "book_group", "by", "column");
    expect(own).toContain("by: [{column: author_id}]");
    expect(own).toContain("key {\n      author_id\n    }");
    // Selections that do not belong to the replaced key stay as they are.
    const wide = adding(adding("", "query", "book_group", "by", "width"), "query", "book_group", "key");
    expect(adding(wide, "query", "book_group", "by", "related")).toContain("key {\n      id\n    }");
  });

  it("Writes of related rows have required members and variables for values", () => {
    const titled = adding("", "mutation", "update_author", "_related", "books", "update", "_set", "title");
    expect(titled).toContain("mutation ($where: where!, $where2: where!, $title: String) {");
    expect(titled).toContain("_related: {books: {update: [{where: $where2, _set: {title: $title}}]}}");
    expect(adding(titled, "mutation", "update_author", "_related", "books", "insert", "data", "title")).toContain(
      "insert: {data: [{title: $title2}]}",
    );
  });
});
