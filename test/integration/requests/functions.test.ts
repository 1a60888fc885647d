/** Tracked functions, from metadata to results. */
import { describe, expect, it } from "vitest";
import { query } from "../../support/database.ts";
import {
  ask,
  failure,
  fieldsOf,
  fn,
  reader,
  replace,
  server,
  setUp,
  useFunctionServer,
  user,
} from "../../support/function-server.ts";

useFunctionServer();

describe("Tracked functions", () => {
  it("A tracked function returns rows that can be filtered and limited like those of a table", async () => {
    expect(await ask('{ search_articles(args: {search: "note"}) { id author { full_name } } }')).toEqual({
      search_articles: [
        { id: 2, author: { full_name: "Ada Lovelace" } },
        { id: 1, author: { full_name: "Ada Lovelace" } },
      ],
    });
    const query = `{ search_articles(args: {search: "", most_words: 100}, where: {id: {_lt: 4}}, order_by: {id: asc}, limit: 1) { id } }`;
    expect(await ask(query)).toEqual({ search_articles: [{ id: 2 }] });
    expect(await ask('{ search_articles(args: {search: "e"}) { title } }', user)).toEqual({
      search_articles: [{ title: "Blue" }, { title: "More notes" }],
    });
  });

  it("A tracked function runs once, even if it writes", async () => {
    expect(await ask("{ noisy_articles(limit: 1) { id } }")).toEqual({ noisy_articles: [{ id: 4 }] });
    expect(await query(server.databaseUrl, "select n from call")).toEqual([{ n: 1 }]);
  });

  it("Aggregates of a function cover only rows that the role may select", async () => {
    const query = '{ search_articles_aggregate(args: {search: ""}) { aggregate { count } nodes { id } } }';
    expect(await ask(query, user)).toEqual({
      search_articles_aggregate: { aggregate: { count: 3 }, nodes: [{ id: 3 }, { id: 2 }] },
    });
  });

  it("A tracked function with a custom name receives the session variables", async () => {
    expect(await ask("{ mine(order_by: {title: asc}) { title } }", reader)).toEqual({
      mine: [{ title: "More notes" }, { title: "Notes" }],
    });
    expect(await ask("{ mine(args: {more: null}, limit: 1, order_by: {title: asc}) { title } }", reader)).toEqual({
      mine: [{ title: "More notes" }],
    });
    expect([...(await fieldsOf("mine_args", reader)).keys()]).toEqual(["more"]);
  });

  it("A tracked function can read the session variables from a setting", async () => {
    expect(await ask("{ set_articles(order_by: {title: asc}) { title } }", reader)).toEqual({
      set_articles: [{ title: "More notes" }, { title: "Notes" }],
    });
  });

  it("A function without SETOF returns one row or null", async () => {
    expect(await ask('{ article_by_title(args: {arg_1: "Blue"}) { id } }')).toEqual({ article_by_title: { id: 3 } });
    expect(await ask('{ article_by_title(args: {arg_1: "none"}) { id } }')).toEqual({ article_by_title: null });
    const aggregate = (title: string) =>
      `{ article_by_title_aggregate(args: {arg_1: "${title}"}) { aggregate { count } nodes { id } } }`;
    expect(await ask(aggregate("none"))).toEqual({
      article_by_title_aggregate: { aggregate: { count: 0 }, nodes: [] },
    });
    expect(await ask(aggregate("Blue"))).toEqual({
      article_by_title_aggregate: { aggregate: { count: 1 }, nodes: [{ id: 3 }] },
    });
    expect(await ask('{ article_by_title(args: {arg_1: "Secret"}) { id } }', user)).toEqual({ article_by_title: null });
    expect(await ask('{ article_by_title(args: {arg_1: "Blue"}, where: {id: {_eq: 1}}) { id } }')).toEqual({
      article_by_title: null,
    });
  });

  it("An unnamed argument before others cannot be omitted", async () => {
    expect(await ask("{ unnamed_then_named(args: {arg_1: 1}) { id } }")).toEqual({ unnamed_then_named: [{ id: 2 }] });
    expect(await ask('{ unnamed_then_named(args: {arg_1: 1, plus: 2, arg_2: "y"}) { id } }')).toEqual({
      unnamed_then_named: [{ id: 3 }],
    });
    expect(await failure('{ unnamed_then_named(args: {arg_1: 1, arg_2: "y"}) { id } }')).toEqual([
      "not-supported",
      "$.selectionSet.unnamed_then_named.args.args",
      "Only last set of positional arguments can be omitted",
    ]);
    expect(await failure("{ search_articles(args: {least_words: 1}) { id } }")).toEqual([
      "not-supported",
      "$.selectionSet.search_articles.args.args",
      "Non default arguments cannot be omitted",
    ]);
  });

  it("Tracked functions are described in introspection", async () => {
    const fields = await fieldsOf("query_root");
    const nonNullList = (name: string) => ({
      kind: "NON_NULL",
      ofType: { kind: "LIST", ofType: { kind: "NON_NULL", ofType: { name } } },
    });
    expect(fields.get("search_articles")).toMatchObject({
      description: "Finds articles.",
      type: nonNullList("article"),
    });
    expect(fields.get("search_articles_aggregate")).toMatchObject({
      description: 'execute function "search_articles" and query aggregates on result of table type "article"',
      type: { kind: "NON_NULL", ofType: { kind: "OBJECT", name: "article_aggregate" } },
    });
    expect(fields.get("mine")).toMatchObject({
      description: 'execute function "own_articles" which returns "article"',
    });
    expect(fields.get("mine")?.args.find(({ name }) => name === "args")).toEqual({
      name: "args",
      description: 'input parameters for function "own_articles"',
      type: { kind: "INPUT_OBJECT", name: "mine_args", ofType: null },
    });
    expect(fields.get("article_by_title")).toMatchObject({ type: { kind: "OBJECT", name: "article" } });
    expect(fields.get("noisy_articles")?.args.map(({ name }) => name)).not.toContain("args");
    expect(fields.has("add_article")).toBe(false);
  });

  it("A function field exists for roles that may select its rows, and its aggregate as the table permits", async () => {
    const names = async (headers: Record<string, string>) =>
      [...(await fieldsOf("query_root", headers)).keys()].filter(
        (name) => !/^a(uthor|rticle)(_aggregate)?$/.test(name),
      );
    expect(await names(user)).toEqual(
      [
        "article_by_title",
        "article_by_title_aggregate",
        "mine",
        "mine_aggregate",
        "noisy_articles",
        "noisy_articles_aggregate",
        "search_articles",
        "search_articles_aggregate",
        "set_articles",
        "set_articles_aggregate",
        "unnamed_then_named",
        "unnamed_then_named_aggregate",
      ]
        .concat("article_by_pk", "article_group", "author_by_pk", "author_group")
        .sort(),
    );
    expect(await names(reader)).toEqual([
      "article_by_title",
      "mine",
      "noisy_articles",
      "search_articles",
      "set_articles",
      "unnamed_then_named",
    ]);
    expect(await names({ "x-engine-role": "lonely" })).toEqual(["author_by_pk"]);
  });
});

describe("Functions without inferred permissions", () => {
  it("A function without inferred permissions needs its own permission and that of its table", async () => {
    const strict = await setUp({ ENGINE_GRAPHQL_INFER_FUNCTION_PERMISSIONS: "false" });
    try {
      const query = '{ search_articles(args: {search: "blue"}) { title } }';
      const refused = {
        errors: [
          {
            message: "field 'search_articles' not found in type: 'query_root'",
            extensions: { path: "$.selectionSet.search_articles", code: "validation-failed" },
          },
        ],
      };
      expect(await strict.graphql(query, user)).toEqual(refused);
      await replace(strict, [fn("search_articles", { permissions: [{ role: "user" }] })]);
      expect(await strict.graphql(query, user)).toEqual({ data: { search_articles: [{ title: "Blue" }] } });
      expect(await strict.graphql(query, reader)).toEqual(refused);
      expect(await strict.graphql(query)).toEqual({ data: { search_articles: [{ title: "Blue" }] } });
    } finally {
      await strict.close();
    }
  });
});
