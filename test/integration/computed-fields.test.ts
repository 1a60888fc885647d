/** Computed fields, from metadata to results. */
import { describe, expect, it } from "vitest";
import { ask, failure, fieldsOf, useFunctionServer, user } from "../support/function-server.ts";

useFunctionServer();

describe("Scalar computed fields", () => {
  it("Scalar computed fields can be selected, filtered and ordered by", async () => {
    expect(await ask("{ author(order_by: {full_name: desc}) { full_name } }")).toEqual({
      author: [{ full_name: "Cy Twombly" }, { full_name: "Bo" }, { full_name: "Ada Lovelace" }],
    });
    expect(await ask('{ author(where: {full_name: {_like: "%o%"}}, order_by: {full_name: asc}) { id } }')).toEqual({
      author: [{ id: 1 }, { id: 2 }, { id: 3 }],
    });
    expect(
      await ask('{ article(where: {author: {full_name: {_eq: "Cy Twombly"}}}, order_by: {id: asc}) { id } }'),
    ).toEqual({
      article: [{ id: 3 }, { id: 4 }],
    });
  });

  it("Scalar computed fields accept arguments by position and by name, and nulls as values", async () => {
    const query = `query ($n: Int) { author_by_pk(id: 1) {
      a: total_words(args: {factor: 2}) b: total_words(args: {factor: 1, plus: 5})
      c: total_words(args: {factor: null}) d: total_words(args: {factor: $n}) } }`;
    expect(await ask(query, {}, { n: 3 })).toEqual({ author_by_pk: { a: 700, b: 355, c: null, d: 1050 } });
    expect(await ask(query, {}, { n: null })).toEqual({ author_by_pk: { a: 700, b: 355, c: null, d: null } });
    expect(await ask(query, {})).toEqual({ author_by_pk: { a: 700, b: 355, c: null, d: null } });
    const whole = "query ($args: total_words_author_args!) { author_by_pk(id: 1) { total_words(args: $args) } }";
    expect(await ask(whole, {}, { args: { factor: 1, plus: 1 } })).toEqual({ author_by_pk: { total_words: 351 } });
    expect(await ask(whole, {}, { args: { factor: 1 } })).toEqual({ author_by_pk: { total_words: 350 } });
  });

  it("Missing arguments of a scalar computed field are reported", async () => {
    const at = "$.selectionSet.author.selectionSet.total_words";
    expect(await failure("{ author { total_words } }")).toEqual([
      "validation-failed",
      `${at}.args.args`,
      "missing required field 'args'",
    ]);
    expect(await failure("{ author { total_words(args: {plus: 1}) } }")).toEqual([
      "not-supported",
      `${at}.args.args`,
      "Non default arguments cannot be omitted",
    ]);
    expect(await failure('{ author { total_words(args: {factor: 1, a: "x"}) } }')).toEqual([
      "validation-failed",
      `${at}.args.args.a`,
      "field 'a' not found in type: 'total_words_author_args'",
    ]);
  });

  it("Scalar computed fields receive the session variables", async () => {
    const headers = { "x-engine-role": "admin", "X-Engine-Add": "10" };
    expect(await ask("{ author(where: {greeting: {_gt: 12}}) { greeting } }", headers)).toEqual({
      author: [{ greeting: 13 }],
    });
  });

  it("JSON computed fields accept a path", async () => {
    expect(await ask('{ author_by_pk(id: 1) { facts part: facts(path: "$.a.b") } }')).toEqual({
      author_by_pk: { facts: { a: { b: 1 } }, part: 1 },
    });
  });

  it("Scalar computed fields are aggregated with their arguments", async () => {
    const query = `{ author_aggregate { aggregate {
      max { full_name } sum { one: total_words(args: {factor: 1}) two: total_words(args: {factor: 2}) }
      avg { total_words(args: {factor: 1}) } } nodes { full_name } } }`;
    const { author_aggregate: found } = (await ask(query)) as {
      author_aggregate: { aggregate: unknown; nodes: unknown[] };
    };
    expect(found.aggregate).toEqual({
      max: { full_name: "Cy Twombly" },
      sum: { one: 360, two: 720 },
      avg: { total_words: 180 },
    });
    expect(found.nodes).toHaveLength(3);
  });

  it("Scalar computed fields of a missing related row have no value", async () => {
    const query = "{ article(order_by: [{writer: {full_name: asc_nulls_first}}, {id: asc}], limit: 2) { id } }";
    expect(await ask(query)).toEqual({ article: [{ id: 1 }, { id: 2 }] });
    expect(
      await ask("{ article(order_by: [{author: {full_name: desc}}, {id: asc}], limit: 1) { author { full_name } } }"),
    ).toEqual({
      article: [{ author: { full_name: "Cy Twombly" } }],
    });
  });
});

describe("Table computed fields", () => {
  it("Table computed fields accept the arguments of lists", async () => {
    const query = `{ author(order_by: {id: asc}) { id
      articles_like(args: {search: "note"}, order_by: {words: asc}, limit: 1, where: {id: {_gt: 0}}) { id author { id } }
      own_articles(distinct_on: author_id, order_by: [{author_id: asc}, {id: desc}]) { id } first_article { id } } }`;
    expect(await ask(query)).toEqual({
      author: [
        { id: 1, articles_like: [{ id: 2, author: { id: 1 } }], own_articles: [{ id: 2 }], first_article: [{ id: 1 }] },
        { id: 2, articles_like: [], own_articles: [], first_article: [] },
        { id: 3, articles_like: [], own_articles: [{ id: 4 }], first_article: [{ id: 3 }] },
      ],
    });
  });

  it("Table computed fields filter and order the rows of their table", async () => {
    expect(await ask('{ author(where: {own_articles: {title: {_ilike: "%blue%"}}}) { id } }')).toEqual({
      author: [{ id: 3 }],
    });
    expect(await ask("{ author(where: {_not: {own_articles: {}}}) { id } }")).toEqual({ author: [{ id: 2 }] });
    expect(await ask("{ author(where: {first_article: {}}, order_by: {id: asc}) { id } }")).toEqual({
      author: [{ id: 1 }, { id: 3 }],
    });
    const query = "{ author(order_by: [{own_articles_aggregate: {max: {words: desc_nulls_last}}}]) { id } }";
    expect(await ask(query)).toEqual({ author: [{ id: 1 }, { id: 3 }, { id: 2 }] });
    expect(
      await ask("{ author(order_by: [{own_articles_aggregate: {count: asc}}, {id: asc}], limit: 1) { id } }"),
    ).toEqual({
      author: [{ id: 2 }],
    });
    expect(await failure('{ author(where: {articles_like: {title: {_eq: "x"}}}) { id } }')).toEqual([
      "validation-failed",
      "$.selectionSet.author.args.where.articles_like",
      "field 'articles_like' not found in type: 'author_bool_exp'",
    ]);
  });

  it("Table computed fields apply the permission of the returned table", async () => {
    expect(await ask("{ author(order_by: {id: asc}) { own_articles { id } } }", user)).toEqual({
      author: [{ own_articles: [{ id: 1 }, { id: 2 }] }, { own_articles: [] }, { own_articles: [{ id: 3 }] }],
    });
    expect(await ask('{ author(where: {own_articles: {title: {_eq: "Secret"}}}) { id } }', user)).toEqual({
      author: [],
    });
    const query = "{ author(order_by: [{own_articles_aggregate: {count: desc}}], limit: 1) { id } }";
    expect(await ask(query, user)).toEqual({ author: [{ id: 1 }] });
  });
});

describe("Visibility of computed fields", () => {
  it("The permission, or that of the returned table, determines which computed fields a role has", async () => {
    expect([...(await fieldsOf("author", user)).keys()]).toEqual([
      "articles",
      "articles_aggregate",
      "articles_group",
      "articles_like",
      "first_article",
      "full_name",
      "id",
      "own_articles",
    ]);
    expect([...(await fieldsOf("author", { "x-engine-role": "lonely" })).keys()]).toEqual(["id"]);
    expect([...(await fieldsOf("author_bool_exp", user)).keys()]).toEqual([
      "_and",
      "_not",
      "_or",
      "articles",
      "articles_aggregate",
      "first_article",
      "full_name",
      "id",
      "own_articles",
    ]);
    expect(await failure("{ author { greeting } }", user)).toEqual([
      "validation-failed",
      "$.selectionSet.author.selectionSet.greeting",
      "field 'greeting' not found in type: 'author'",
    ]);
  });

  it("Computed fields have descriptions in introspection", async () => {
    const fields = await fieldsOf("author");
    expect(fields.get("full_name")).toMatchObject({
      description: 'A computed field, executes function "full_name"',
      type: { kind: "SCALAR", name: "String" },
      args: [],
    });
    expect(fields.get("facts")).toMatchObject({
      description: "What is known.",
      args: [{ name: "path", description: "JSON select path" }],
    });
    expect(fields.get("greeting")).toMatchObject({ description: null });
    expect(fields.get("total_words")?.args).toEqual([
      {
        name: "args",
        description: 'input parameters for computed field "total_words" defined on table "author"',
        type: {
          kind: "NON_NULL",
          name: null,
          ofType: { kind: "INPUT_OBJECT", name: "total_words_author_args", ofType: null },
        },
      },
    ]);
    expect(fields.get("own_articles")).toMatchObject({
      type: { kind: "LIST", ofType: { kind: "NON_NULL", ofType: { kind: "OBJECT", name: "article" } } },
    });
    expect(fields.get("articles_like")?.args.map(({ name }) => name)).toEqual([
      "args",
      "distinct_on",
      "limit",
      "offset",
      "order_by",
      "top_per",
      "where",
    ]);
  });
});

describe("Computed fields in permissions", () => {
  const filtered = (add: string, name: string) => ({
    "x-engine-role": "filtered",
    "x-engine-add": add,
    "x-engine-name": name,
  });
  const query = "{ author(order_by: {id: asc}) { id } }";

  it("Computed fields in a permission restrict the rows of a role", async () => {
    const ids = (...list: number[]) => ({ author: list.map((id) => ({ id })) });
    expect(await ask(query, filtered("9", "Cy Twombly"))).toEqual(ids(1, 2, 3));
    expect(await ask(query, filtered("8", "Cy Twombly"))).toEqual(ids(2, 3));
    expect(await ask(query, filtered("8", "nobody"))).toEqual(ids(2));
  });
});
