import { buildSchema, type OperationDefinitionNode, parse } from "graphql";
import { describe, expect, it } from "vitest";
import { actionOfOperation } from "../../../runtime/console/pages/api/derived-action.ts";

const schema = buildSchema(`
  scalar numeric
  enum mood { calm busy }
  type author { id: Int! name: String! }
  type book { id: Int! price: numeric mood: mood author: author tags: [String!] }
  input author_insert { id: Int }
  input book_insert { id: Int! price: numeric mood: mood author: author_insert }
  type Query { book(id: Int): [book!]! count: Int! }
  type Mutation { insert_book(object: book_insert!): book }
  type Subscription { book: [book!]! }
`);

const derived = (text: string): string | null => {
  const [definition] = parse(text).definitions;
  return actionOfOperation(definition as OperationDefinitionNode, schema);
};

describe("Actions derived from operations", () => {
  it("Variables become arguments, and the selection becomes the output with types of its own", () => {
    expect(
      derived("query FindBooks($id: Int!) { book(id: $id) { id cost: price mood author { name } tags } }"),
    ).toBe(`type Query {
  findBooks(id: Int!): [FindBooksOutput!]!
}

type FindBooksOutput {
  id: Int!
  cost: numeric
  mood: FindBooksMood
  author: FindBooksOutputAuthor
  tags: [String!]
}

enum FindBooksMood {
  calm
  busy
}

type FindBooksOutputAuthor {
  name: String!
}
`);
  });

  it("An input type is copied without nested rows", () => {
    expect(derived("mutation Add($object: book_insert!) { insert_book(object: $object) { id } }")).toBe(`type Mutation {
  add(object: AddBookInsert!): AddOutput
}

input AddBookInsert {
  id: Int!
  price: numeric
  mood: AddMood
}

enum AddMood {
  calm
  busy
}

type AddOutput {
  id: Int!
}
`);
  });

  it("An action has another name than the root fields", () => {
    expect(derived("{ count }")).toBe("type Query {\n  countAction: Int!\n}\n");
    expect(derived("query Book { count }")).toBe("type Query {\n  bookAction: Int!\n}\n");
  });

  it("Subscriptions, unknown fields and selections of fragments only have no action", () => {
    expect(derived("subscription { book { id } }")).toBeNull();
    expect(derived("{ unknown }")).toBeNull();
    expect(derived("{ book { ...f } } fragment f on book { id }")).toBeNull();
  });
});
