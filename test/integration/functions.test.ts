/** Computed fields and tracked functions, from metadata to answers. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { query } from "../support/database.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

const schema = `
  create table author (id integer primary key, first_name text not null, last_name text, "t1" text, details jsonb);
  create table article (
    id integer primary key, title text not null, words integer, author_id integer not null references author
  );
  insert into author values
    (1, 'Ada', 'Lovelace', null, '{"a": {"b": 1}}'), (2, 'Bo', null, 'x', null), (3, 'Cy', 'Twombly', null, null);
  insert into article values (1, 'Notes', 300, 1), (2, 'More notes', 50, 1), (3, 'Blue', 10, 3), (4, 'Secret', null, 3);

  create function full_name(a author) returns text language sql stable as
    $$ select coalesce(a.first_name || ' ' || a.last_name, a.first_name, 'nobody') $$;
  create function total_words(factor integer, a author, plus integer default 0) returns bigint language sql stable as
    $$ select factor * sum(words) + plus from article where author_id = a.id $$;
  create function words_with_session(a author, session json) returns integer language sql stable as
    $$ select length(a.first_name) + (session ->> 'x-engine-add')::integer $$;
  create function facts(a author) returns jsonb language sql stable as $$ select a.details $$;
  comment on function facts is 'What is known.';
  create function articles_like(search text, a author) returns setof article language sql stable as
    $$ select * from article where author_id = a.id and title ilike '%' || search || '%' $$;
  create function articles_of(a author) returns setof article language sql stable as
    $$ select * from article where author_id = a.id $$;
  create function first_article(a author) returns article language sql stable as
    $$ select * from article where author_id = a.id order by id limit 1 $$;

  create function search_articles(search text, least_words integer default 0, most_words integer default 1000)
    returns setof article language sql stable as
    $$ select * from article where title ilike '%' || search || '%' and coalesce(words, 0) between least_words and most_words order by id desc $$;
  create function own_articles(session json, more text default '') returns setof article language sql stable as
    $$ select * from article where author_id = (session ->> 'x-engine-user-id')::integer $$;
  create function article_by_title(text) returns article language sql stable as
    $$ select * from article where title = $1 $$;
  create function unnamed_then_named(integer, plus integer default 1, text default 'x') returns setof article
    language sql stable as $$ select * from article where id = $1 + plus $$;
  create function add_article(title text) returns setof article language sql volatile as
    $$ insert into article select max(id) + 1, $1, 1, 1 from article returning * $$;
  create table call (n integer);
  create function noisy_articles() returns setof article language sql volatile as
    $$ insert into call values (1); select * from article order by id desc $$;
  create function set_articles() returns setof article language sql stable as
    $$ select * from article where author_id = (current_setting('engine.user')::json ->> 'x-engine-user-id')::integer $$;
`;

const table = (name: string, more: object = {}) => ({ table: { schema: "public", name }, ...more });
const computed = (name: string, fn: string, definition: object = {}, more: object = {}) => ({
  name,
  definition: { function: { schema: "public", name: fn }, ...definition },
  ...more,
});
const fn = (name: string, more: object = {}) => ({ function: { schema: "public", name }, ...more });

const tables = [
  table("author", {
    array_relationships: [
      {
        name: "articles",
        using: { foreign_key_constraint_on: { column: "author_id", table: { schema: "public", name: "article" } } },
      },
    ],
    computed_fields: [
      computed("full_name", "full_name"),
      computed("total_words", "total_words", { table_argument: "a" }),
      computed("greeting", "words_with_session", { session_argument: "session" }, { comment: "" }),
      computed("facts", "facts"),
      computed("articles_like", "articles_like", { table_argument: "a" }),
      computed("own_articles", "articles_of"),
      computed("first_article", "first_article"),
    ],
    select_permissions: [
      {
        role: "user",
        permission: { columns: ["id"], filter: {}, computed_fields: ["full_name"], allow_aggregations: true },
      },
      { role: "lonely", permission: { columns: ["id"], filter: {}, computed_fields: [] } },
      {
        role: "filtered",
        permission: {
          columns: ["id"],
          filter: {
            _or: [
              { full_name: { _like: "Bo%" } },
              { _and: [{ greeting: { _eq: 12 } }, { own_articles: { words: { _gt: 100 } } }] },
              { first_article: { title: { _eq: "Blue" }, author: { full_name: "X-Engine-Name" } } },
            ],
          },
        },
      },
    ],
  }),
  table("article", {
    object_relationships: [
      { name: "author", using: { foreign_key_constraint_on: "author_id" } },
      {
        name: "writer",
        using: {
          manual_configuration: { remote_table: { schema: "public", name: "author" }, column_mapping: { title: "t1" } },
        },
      },
    ],
    select_permissions: [
      {
        role: "user",
        permission: {
          columns: ["id", "title"],
          filter: { title: { _neq: "Secret" } },
          limit: 2,
          allow_aggregations: true,
        },
      },
      {
        role: "reader",
        permission: { columns: ["title"], filter: {}, allow_aggregations: true, query_root_fields: ["select"] },
      },
    ],
  }),
];

const functions = [
  fn("search_articles", { comment: "Finds articles." }),
  fn("own_articles", { configuration: { session_argument: "session", custom_name: "mine" } }),
  fn("article_by_title"),
  fn("unnamed_then_named"),
  fn("add_article"),
  fn("noisy_articles", { configuration: { exposed_as: "query" } }),
  fn("set_articles"),
];

let server: TestServer;

async function setUp(environment: Record<string, string> = {}): Promise<TestServer> {
  const started = await startTestServer({ environment });
  await started.post("/v2/query", { type: "run_sql", args: { sql: schema } });
  await replace(started, functions);
  return started;
}

async function replace(on: TestServer, tracked: readonly unknown[]): Promise<void> {
  const configuration = { connection_info: { database_url: { from_env: "ENGINE_GRAPHQL_DATABASE_URL" } } };
  await on.metadata("replace_metadata", {
    metadata: {
      version: 3,
      sources: [{ name: "default", kind: "postgres", tables, functions: tracked, configuration }],
    },
  });
}

beforeAll(async () => {
  server = await setUp();
});

afterAll(() => server.close());

/** The data of an answer without errors. */
async function ask(query: string, headers?: Record<string, string>, variables?: unknown): Promise<unknown> {
  const answer = (await server.graphql(query, headers, variables)) as { data?: unknown; errors?: unknown };
  expect(answer.errors).toBeUndefined();
  return answer.data;
}

/** Code, path and message of the only error. */
async function failure(query: string, headers?: Record<string, string>, variables?: unknown): Promise<unknown> {
  const { errors } = (await server.graphql(query, headers, variables)) as {
    errors: { message: string; extensions: { code: string; path: string } }[];
  };
  expect(errors).toHaveLength(1);
  const [error] = errors;
  return [error?.extensions.code, error?.extensions.path, error?.message];
}

const user = { "x-engine-role": "user" };
const reader = { "x-engine-role": "reader", "x-engine-user-id": "1" };

interface FieldType {
  readonly name: string;
  readonly description: string | null;
  readonly args: readonly { readonly name: string; readonly description: string | null; readonly type: object }[];
  readonly type: object;
}

async function fieldsOf(type: string, headers?: Record<string, string>): Promise<ReadonlyMap<string, FieldType>> {
  const query = `{ __type(name: "${type}") {
    fields { name description args { name description type { ...t } } type { ...t } }
    inputFields { name type { ...t } } } }
    fragment t on __Type { kind name ofType { kind name ofType { kind name ofType { name } } } }`;
  const { __type: found } = (await ask(query, headers)) as {
    __type: { fields: FieldType[] | null; inputFields: FieldType[] | null };
  };
  return new Map((found.fields ?? found.inputFields ?? []).map((field) => [field.name, field]));
}

describe("scalar computed fields", () => {
  it("are selected, filtered and ordered by", async () => {
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

  it("take arguments by position and by name, and nulls as values", async () => {
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

  it("say what is missing of their arguments", async () => {
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

  it("get the session variables", async () => {
    const headers = { "x-engine-role": "admin", "X-Engine-Add": "10" };
    expect(await ask("{ author(where: {greeting: {_gt: 12}}) { greeting } }", headers)).toEqual({
      author: [{ greeting: 13 }],
    });
  });

  it("take a path where they are JSON", async () => {
    expect(await ask('{ author_by_pk(id: 1) { facts part: facts(path: "$.a.b") } }')).toEqual({
      author_by_pk: { facts: { a: { b: 1 } }, part: 1 },
    });
  });

  it("are aggregated with their arguments", async () => {
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

  it("have no value for a related row that is not there", async () => {
    const query = "{ article(order_by: [{writer: {full_name: asc_nulls_first}}, {id: asc}], limit: 2) { id } }";
    expect(await ask(query)).toEqual({ article: [{ id: 1 }, { id: 2 }] });
    expect(
      await ask("{ article(order_by: [{author: {full_name: desc}}, {id: asc}], limit: 1) { author { full_name } } }"),
    ).toEqual({
      article: [{ author: { full_name: "Cy Twombly" } }],
    });
  });
});

describe("table computed fields", () => {
  it("are lists with arguments of lists", async () => {
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

  it("filter and order their table's rows", async () => {
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

  it("keep to the permission of the table whose rows they give", async () => {
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

describe("who sees computed fields", () => {
  it("is said by the permission, or by that of the returned table", async () => {
    expect([...(await fieldsOf("author", user)).keys()]).toEqual([
      "articles",
      "articles_aggregate",
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

  it("finds them described", async () => {
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
      "where",
    ]);
  });
});

describe("computed fields in a permission", () => {
  const filtered = (add: string, name: string) => ({
    "x-engine-role": "filtered",
    "x-engine-add": add,
    "x-engine-name": name,
  });
  const query = "{ author(order_by: {id: asc}) { id } }";

  it("decide which rows a role may see", async () => {
    const ids = (...list: number[]) => ({ author: list.map((id) => ({ id })) });
    expect(await ask(query, filtered("9", "Cy Twombly"))).toEqual(ids(1, 2, 3));
    expect(await ask(query, filtered("8", "Cy Twombly"))).toEqual(ids(2, 3));
    expect(await ask(query, filtered("8", "nobody"))).toEqual(ids(2));
  });
});

describe("tracked functions", () => {
  it("give rows, filtered and cut like those of a table", async () => {
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

  it("run once, also where they write", async () => {
    expect(await ask("{ noisy_articles(limit: 1) { id } }")).toEqual({ noisy_articles: [{ id: 4 }] });
    expect(await query(server.databaseUrl, "select n from call")).toEqual([{ n: 1 }]);
  });

  it("are aggregated over the rows that the role may see", async () => {
    const query = '{ search_articles_aggregate(args: {search: ""}) { aggregate { count } nodes { id } } }';
    expect(await ask(query, user)).toEqual({
      search_articles_aggregate: { aggregate: { count: 3 }, nodes: [{ id: 3 }, { id: 2 }] },
    });
  });

  it("get the session variables, under their custom name", async () => {
    expect(await ask("{ mine(order_by: {title: asc}) { title } }", reader)).toEqual({
      mine: [{ title: "More notes" }, { title: "Notes" }],
    });
    expect(await ask("{ mine(args: {more: null}, limit: 1, order_by: {title: asc}) { title } }", reader)).toEqual({
      mine: [{ title: "More notes" }],
    });
    expect([...(await fieldsOf("mine_args", reader)).keys()]).toEqual(["more"]);
  });

  it("find the session variables in a setting, too", async () => {
    expect(await ask("{ set_articles(order_by: {title: asc}) { title } }", reader)).toEqual({
      set_articles: [{ title: "More notes" }, { title: "Notes" }],
    });
  });

  it("give one row or none, where they give no set", async () => {
    expect(await ask('{ article_by_title(args: {arg_1: "Blue"}) { id } }')).toEqual({ article_by_title: { id: 3 } });
    expect(await ask('{ article_by_title(args: {arg_1: "none"}) { id } }')).toEqual({ article_by_title: { id: null } });
    expect(await ask('{ article_by_title(args: {arg_1: "Secret"}) { id } }', user)).toEqual({ article_by_title: null });
    expect(await ask('{ article_by_title(args: {arg_1: "Blue"}, where: {id: {_eq: 1}}) { id } }')).toEqual({
      article_by_title: null,
    });
  });

  it("cannot leave out what has no name and stands before others", async () => {
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

  it("are described", async () => {
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

  it("are there for whoever may read their rows, aggregates by the table's switches", async () => {
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
        .concat("article_by_pk", "author_by_pk")
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

describe("functions whose permissions are not inferred", () => {
  it("need one, and a permission to read their rows", async () => {
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
