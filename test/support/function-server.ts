/** A server with computed fields and tracked functions. */
import { afterAll, beforeAll, expect } from "vitest";
import { startTestServer, type TestServer } from "./server.ts";

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
export const fn = (name: string, more: object = {}) => ({ function: { schema: "public", name }, ...more });

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

export let server: TestServer;

export async function setUp(environment: Record<string, string> = {}): Promise<TestServer> {
  const started = await startTestServer({ environment });
  await started.post("/v2/query", { type: "run_sql", args: { sql: schema } });
  await replace(started, functions);
  return started;
}

export async function replace(on: TestServer, tracked: readonly unknown[]): Promise<void> {
  const configuration = { connection_info: { database_url: { from_env: "ENGINE_GRAPHQL_DATABASE_URL" } } };
  await on.metadata("replace_metadata", {
    metadata: {
      version: 3,
      sources: [{ name: "default", kind: "postgres", tables, functions: tracked, configuration }],
    },
  });
}

/** Starts the server before the tests of the calling file, and closes it after them. */
export function useFunctionServer(): void {
  beforeAll(async () => {
    server = await setUp();
  });

  afterAll(() => server.close());
}

/** Returns the data of a response without errors. */
export async function ask(query: string, headers?: Record<string, string>, variables?: unknown): Promise<unknown> {
  const answer = (await server.graphql(query, headers, variables)) as { data?: unknown; errors?: unknown };
  expect(answer.errors).toBeUndefined();
  return answer.data;
}

/** Returns code, path and message of the only error. */
export async function failure(query: string, headers?: Record<string, string>, variables?: unknown): Promise<unknown> {
  const { errors } = (await server.graphql(query, headers, variables)) as {
    errors: { message: string; extensions: { code: string; path: string } }[];
  };
  expect(errors).toHaveLength(1);
  const [error] = errors;
  return [error?.extensions.code, error?.extensions.path, error?.message];
}

export const user = { "x-engine-role": "user" };
export const reader = { "x-engine-role": "reader", "x-engine-user-id": "1" };

interface FieldType {
  readonly name: string;
  readonly description: string | null;
  readonly args: readonly { readonly name: string; readonly description: string | null; readonly type: object }[];
  readonly type: object;
}

export async function fieldsOf(
  type: string,
  headers?: Record<string, string>,
): Promise<ReadonlyMap<string, FieldType>> {
  const query = `{ __type(name: "${type}") {
    fields { name description args { name description type { ...t } } type { ...t } }
    inputFields { name type { ...t } } } }
    fragment t on __Type { kind name ofType { kind name ofType { kind name ofType { name } } } }`;
  const { __type: found } = (await ask(query, headers)) as {
    __type: { fields: FieldType[] | null; inputFields: FieldType[] | null };
  };
  return new Map((found.fields ?? found.inputFields ?? []).map((field) => [field.name, field]));
}
