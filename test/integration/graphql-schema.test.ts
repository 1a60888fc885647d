/** Schemas for other executors: graphql-js returns the same results with them as the engine itself. */
import {
  type ExecutionResult,
  execute,
  GraphQLError,
  GraphQLList,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
  graphql,
  isObjectType,
  parse,
  print,
  printSchema,
  subscribe,
} from "graphql";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse as parseYaml } from "yaml";
import { selectMany } from "../../runtime/model/definitions/roots.ts";
import type { Engine, EngineSchemaOptions } from "../../runtime/server/embedding/engine.d.mts";
import { openLiveEngine } from "../../runtime/server/live/open-engine.ts";
import { caseNames, casesOf, type GoldenCase, readCase, readFixture, readResult } from "../golden/cases.ts";
import { query as runSql } from "../support/database.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

let server: TestServer;
let engine: Engine;
let fixture: string;

const federated = { ENGINE_GRAPHQL_ENABLE_APOLLO_FEDERATION: "true" };

interface Metadata {
  readonly sources: readonly [{ readonly tables: readonly TableEntry[] }];
}

interface TableEntry {
  readonly table: { readonly name: string };
  readonly select_permissions?: readonly unknown[];
}

/**
 * Returns the metadata of the cases, with entities, limits for a role `limited`, and the operations that role `reader`
 * may send.
 */
function withMore(metadata: Metadata): object {
  const [source] = metadata.sources;
  const limited = { role: "limited", permission: { columns: ["id", "name"], filter: {} } };
  const tables = source.tables.map((entry) => {
    const { select_permissions = [] } = entry;
    if (entry.table.name !== "author") return entry;
    const permissions = [...select_permissions, limited];
    return { ...entry, apollo_federation_config: { enable: "v1" }, select_permissions: permissions };
  });
  return {
    ...metadata,
    sources: [{ ...source, tables }],
    query_collections: [{ name: "allowed", definition: { queries: [{ name: "names", query: allowed }] } }],
    allowlist: [{ collection: "allowed", scope: { global: true } }],
    api_limits: {
      disabled: false,
      node_limit: { global: 100, per_role: { limited: 2 } },
      rate_limit: {
        global: { max_reqs_per_min: 100_000, unique_params: null },
        per_role: { limited: { max_reqs_per_min: 2, unique_params: ["x-engine-user"] } },
      },
    },
  };
}

const allowed =
  "fragment parts on author { id name } query names { first: author(limit: 1) { ...parts } author { name } }";

const reset = () => runSql(server.databaseUrl, `drop schema public cascade; create schema public; ${fixture}`);

beforeAll(async () => {
  server = await startTestServer({ environment: federated, sealed: false });
  fixture = await readFixture("schema.postgres.sql");
  await reset();
  await server.metadata("replace_metadata", withMore(parseYaml(await readFixture("metadata.yaml"))));
  engine = await openEngine();
}, 60_000);

/** Opens another instance on the databases of the server. */
function openEngine(environment: Readonly<Record<string, string>> = {}): Promise<Engine> {
  const databases = {
    ENGINE_GRAPHQL_DATABASE_URL: server.databaseUrl,
    ENGINE_GRAPHQL_METADATA_DATABASE_URL: server.metadataUrl,
  };
  const settings = { environment: { ...databases, ...federated, ...environment }, log: () => undefined };
  return openLiveEngine(settings, "test");
}

afterAll(async () => {
  await engine.close();
  await server.close();
});

interface Execution {
  readonly query: string;
  readonly role?: string;
  readonly session?: Readonly<Record<string, string>>;
  readonly variables?: Readonly<Record<string, unknown>> | null;
  readonly options?: EngineSchemaOptions;
}

const viewOfNothing = () => {
  throw new Error("nothing is looked at");
};

const schemas = new Map<string, GraphQLSchema>();

function schemaOf(role: string, options: EngineSchemaOptions = {}): GraphQLSchema {
  const key = JSON.stringify([role, options]);
  const schema = schemas.get(key) ?? engine.engineSchema(role, options);
  schemas.set(key, schema);
  return schema;
}

async function ask({
  query,
  role = "admin",
  session = {},
  variables = null,
  options,
}: Execution): Promise<ExecutionResult> {
  return graphql({
    schema: schemaOf(role, options),
    source: query,
    variableValues: variables,
    contextValue: { session: engine.session(role, session) },
  });
}

/** Converts a result to JSON and back, as clients receive it. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

async function answerOf(goldenCase: GoldenCase): Promise<unknown> {
  const { data, errors } = await ask(goldenCase);
  return errors ? { error: { code: errors[0]?.extensions.code } } : plain(data);
}

const failure = ({ errors = [] }: ExecutionResult) =>
  errors.map(({ message, extensions }) => ({ message, extensions }));

describe("Golden cases through an external executor", async () => {
  it.each(await casesOf("query", "postgres"))("The golden query %s returns its result", async (name) => {
    const goldenCase = await readCase("query", name, "postgres");
    expect(await answerOf(goldenCase)).toEqual(await readResult(goldenCase));
  });

  it.each(await caseNames("mutation"))("The golden mutation %s returns its result", async (name) => {
    await reset();
    const goldenCase = await readCase("mutation", name, "postgres");
    expect(await answerOf(goldenCase)).toEqual(await readResult(goldenCase));
  });
});

const operations: readonly [string, string, Readonly<Record<string, unknown>>?][] = [
  [
    "aliases of root fields and below",
    "{ a: author(limit: 1, order_by: {id: asc}) { key: id id: name name: id } b: author_by_pk(id: 2) { name } }",
  ],
  [
    "fragments, which root fields stand in, too",
    `query { ...roots ... on query_root { again: author_aggregate { aggregate { count } } } }
     fragment roots on query_root { author(order_by: {id: asc}) { ...names } book(order_by: {id: asc}) { author { ...names } } }
     fragment names on author { name books(order_by: {id: asc}) { ...titles } }
     fragment titles on book { title }`,
  ],
  [
    "variables with defaults and without values",
    `query ($id: Int!, $limit: Int = 1, $where: book_bool_exp, $other: Int) {
       author_by_pk(id: $id) { name books(limit: $limit, where: $where, order_by: {id: asc}) { title } }
       author(offset: $other, order_by: {id: asc}) { id }
     }`,
    { id: 1, where: { price: { _gt: "0.5" } } },
  ],
  [
    "directives on root fields and below",
    `query ($yes: Boolean!, $no: Boolean!) {
       author(order_by: {id: asc}) { id name @include(if: $no) books(order_by: {id: asc}) @skip(if: $no) { id } }
       book @include(if: $no) { id }
       review(order_by: [{book_id: asc}, {reader: asc}]) @include(if: $yes) { stars }
     }`,
    { yes: true, no: false },
  ],
  [
    "fields that are merged",
    "{ author(order_by: {id: asc}) { id } author(order_by: {id: asc}) { books(order_by: {id: asc}) { id } } ...more } fragment more on query_root { author(order_by: {id: asc}) { books(order_by: {id: asc}) { title } name } }",
  ],
  ["names of types", "{ __typename author(limit: 1) { __typename books(limit: 1) { kind: __typename } } }"],
  [
    "one of several operations",
    "query other { author { id } } query selected { author(order_by: {id: asc}) { name } }",
  ],
  [
    "entities",
    `{ _entities(representations: [{__typename: "author", id: 2}, {__typename: "author", id: 1}]) { ... on author { called: name } } }`,
  ],
  [
    "entities with the names of their types",
    `{ _entities(representations: [{__typename: "author", id: 2}]) { __typename ... on author { id } } }`,
  ],
  ["the SDL for a gateway", "{ _service { text: sdl } }"],
];

const fieldsOf = (schema: GraphQLSchema, type: string): object => {
  const found = schema.getType(type);
  return isObjectType(found) ? found.getFields() : {};
};

describe("External GraphQL executors", () => {
  beforeAll(reset);

  it.each([...operations])(
    "An external executor returns the same result as the engine: %s",
    async (_, query, variables = {}) => {
      const operationName = query.includes("selected") ? "selected" : null;
      const answer = await server.post("/v1/graphql", { query, variables, operationName });
      expect(answer.json.errors).toBeUndefined();
      const contextValue = { session: engine.session("admin") };
      const given = await graphql({
        schema: schemaOf("admin"),
        source: query,
        contextValue,
        operationName,
        variableValues: variables,
      });
      expect(given.errors).toBeUndefined();
      expect(plain(given.data)).toEqual(answer.json.data);
    },
  );

  it("An external executor resolves the types of Relay nodes", async () => {
    const options = { api: "relay" } as const;
    const listed = await ask({
      query: "{ author_connection(first: 1, order_by: {id: asc}) { edges { node { id name } } } }",
      options,
    });
    const found = plain(listed.data) as { author_connection: { edges: { node: { id: string; name: string } }[] } };
    const node = found.author_connection.edges[0]?.node;
    const query =
      "query ($id: ID!) { same: node(id: $id) { id ... on author { called: name } ... on book { title } } }";
    const { data, errors } = await ask({ query, variables: { id: node?.id }, options });
    expect(errors).toBeUndefined();
    expect(plain(data)).toEqual({ same: { id: node?.id, called: node?.name } });
  });

  it("An external executor receives all digits of numbers", async () => {
    await runSql(server.databaseUrl, `update book set details = '{"n": 9007199254740993, "small": 1.5}' where id = 1`);
    const { data } = await ask({ query: "{ book_by_pk(id: 1) { details } }" });
    expect(JSON.stringify(data)).toBe('{"book_by_pk":{"details":{"n":"9007199254740993","small":1.5}}}');
  });

  it("An external executor's introspection shows only the role's schema", async () => {
    const guest = printSchema(schemaOf("guest"));
    expect(Object.keys(fieldsOf(schemaOf("guest"), "author"))).toEqual(["books", "cheap_books", "name"]);
    expect(guest).not.toMatch(/born|mutation_root|prize/);
    expect(printSchema(schemaOf("nobody"))).toContain("no_queries_available");
    const { errors } = await ask({ query: "{ author { id } }", role: "guest" });
    expect(errors?.map(({ message }) => message)).toEqual(['Cannot query field "id" on type "author".']);
    const { data } = await ask({ query: "{ __schema { queryType { name } } }", role: "guest" });
    expect(plain(data)).toEqual({ __schema: { queryType: { name: "query_root" } } });
  });

  it("An external executor refuses variables with __proto__", async () => {
    const query = "mutation ($set: book_set_input!) { update_book_by_pk(pk_columns: {id: 1}, _set: $set) { id } }";
    const variables = { set: { details: JSON.parse('{"a": {"__proto__": {"b": 1}}}') } };
    expect(failure(await ask({ query, variables }))).toEqual([
      {
        message: 'the key "__proto__" is not allowed',
        extensions: { path: "$.variables.set.details.a", code: "parse-failed" },
      },
    ]);
  });

  it("An external executor sees the rows of its session", async () => {
    const query = "{ author { name } }";
    const [row] = await runSql(server.databaseUrl, "select name from author where id = 2");
    const session = { "X-Engine-User": String(row?.name) };
    expect(plain((await ask({ query, role: "agent", session })).data)).toEqual({ author: [{ name: row?.name }] });
  });

  it("An external executor runs the fields of a mutation in order in separate transactions", async () => {
    const query = `mutation {
      first: insert_author_one(object: {id: 100, name: "Zoe"}) { id }
      again: insert_author_one(object: {id: 100, name: "Zoe"}) { id }
      last: update_author_by_pk(pk_columns: {id: 100}, _set: {name: "Zed"}) { name }
    }`;
    const answer = await ask({ query });
    expect(plain(answer.data)).toEqual({ first: { id: 100 }, again: null, last: { name: "Zed" } });
    expect(failure(answer)).toEqual([
      {
        message: 'Uniqueness violation. duplicate key value violates unique constraint "author_pkey"',
        extensions: { path: "$.selectionSet.insert_author_one.args.object", code: "constraint-violation" },
      },
    ]);
    expect(answer.errors?.[0]?.path).toEqual(["again"]);
  });
});

describe("Exported root fields", () => {
  const author = new GraphQLObjectType({ name: "author", fields: { name: { type: GraphQLString } } });
  const list = new GraphQLList(author);

  it("The exported root fields are the resolvers of the schema", () => {
    const { author: many, author_by_pk: one } = schemaOf("reader").getQueryType()?.getFields() ?? {};
    expect([{ ...many?.resolve }, { ...one?.resolve }]).toMatchObject([
      { kind: "select_many" },
      { kind: "select_by_pk" },
    ]);
    const { author: live } = schemaOf("reader").getSubscriptionType()?.getFields() ?? {};
    expect(live?.resolve).toBe(many?.resolve);
    expect({ ...live?.resolve }).toHaveProperty("subscribe", live?.subscribe);
  });

  it("An exported root field works in a custom schema within the permissions of the session", async () => {
    const fields = { author: { type: list, resolve: selectMany(viewOfNothing) }, own: { type: GraphQLString } };
    const schema = new GraphQLSchema({ query: new GraphQLObjectType({ name: "Query", fields }) });
    const run = (role: string) =>
      graphql({
        schema,
        source: "{ author { name } own }",
        rootValue: { own: "here" },
        contextValue: { session: engine.session(role) },
      });
    const rows = await runSql(server.databaseUrl, "select name from author order by id");
    const answer = await run("reader");
    expect(answer.errors).toBeUndefined();
    expect(plain(answer.data)).toMatchObject({ own: "here", author: expect.arrayContaining(rows) });
    expect(failure(await run("nobody"))).toMatchObject([{ extensions: { code: "validation-failed" } }]);
  });
});

describe("The context of an execution", () => {
  const query = "{ author { name } }";
  const run = async (contextValue: unknown): Promise<unknown> =>
    failure(await graphql({ schema: schemaOf("reader"), source: query, contextValue }));
  const refusal = (message: string) => [{ message, extensions: { path: "$", code: "access-denied" } }];

  it("An execution without a session of the engine is refused", async () => {
    const none = refusal(
      "the context of the execution has no session of an engine: its contextValue must be { session }, made by " +
        "engine.session(role, variables) or await engine.authenticate(headers)",
    );
    expect(await run(undefined)).toEqual(none);
    expect(await run({})).toEqual(none);
    expect(await run({ session: { role: "reader", variables: new Map(), backendOnly: false } })).toEqual(none);
    expect(await run({ session: { ...engine.session("reader") } })).toEqual(none);
    expect(await run({ session: engine.session("reader") })).toEqual([]);
    const derived = refusal("the context of the execution has no session of this engine");
    expect(await run({ session: Object.create(engine.session("reader")) })).toEqual(derived);
    expect(() => engine.session("reader", { user: "1" })).toThrow('"user" is not a session variable');
  });

  it("An execution whose session has another role than the schema is refused", async () => {
    const other = refusal('the schema belongs to role "reader", but the session has another role');
    expect(await run({ session: engine.session("admin") })).toEqual(other);
    expect(await run({ session: engine.session("admin", { "X-Engine-Role": "reader" }) })).toEqual(other);
  });

  it("An execution with the session of another engine is refused", async () => {
    const other = await openEngine();
    try {
      const refused = refusal("the context of the execution has no session of this engine");
      expect(await run({ session: other.session("reader") })).toEqual(refused);
    } finally {
      await other.close();
    }
  });

  it("An execution may use a session authenticated from headers", async () => {
    const session = await engine.authenticate({ "X-Engine-Role": "reader", host: "here" });
    expect(await run({ session })).toEqual([]);
    const fetched = await engine.authenticate(new Headers({ "x-engine-role": "guest" }));
    expect(fetched.role).toBe("guest");
    const wrong = engine.authenticate({ "x-engine-use-backend-only-permissions": "perhaps" });
    await expect(wrong).rejects.toBeInstanceOf(GraphQLError);
    const extensions = { path: "$", code: "bad-request", http: { status: 400 } };
    await expect(wrong).rejects.toMatchObject({ extensions });
  });

  it("An aborted execution cancels its queries", async () => {
    const other = new pg.Client({ connectionString: server.databaseUrl });
    await other.connect();
    try {
      await other.query("begin; lock table author in access exclusive mode");
      expect(await run({ session: engine.session("reader"), signal: AbortSignal.abort() })).toHaveLength(1);
    } finally {
      await other.end();
    }
  });
});

describe("Admission of external executions", () => {
  it("An execution counts once toward the rate limit and is refused above it", async () => {
    const request = {
      query: "{ a: author { id } b: author { id } }",
      role: "limited",
      session: { "x-engine-user": "rate" },
    };
    expect(failure(await ask(request))).toEqual([]);
    expect(failure(await ask(request))).toEqual([]);
    const { errors = [], data } = await ask(request);
    expect(errors.map(({ extensions }) => extensions.code)).toEqual(
      ["rate-limit-exceeded", "rate-limit-exceeded"].slice(0, errors.length),
    );
    expect(errors.length).toBeGreaterThan(0);
    expect(data).toBeNull();
  });

  it("The node limit measures the whole operation", async () => {
    const session = { "x-engine-user": "size" };
    const refused = await ask({
      query: "{ a: author { id } b: author { id } c: author { id } }",
      role: "limited",
      session,
    });
    expect(refused.errors?.[0]?.extensions).toEqual({ path: "$", code: "node-limit-exceeded" });
    expect(refused.data).toBeNull();
  });

  it("The allow-list admits whole operations and not parts of them", async () => {
    const strict = await openEngine({ ENGINE_GRAPHQL_ENABLE_ALLOWLIST: "true" });
    try {
      const schema = strict.engineSchema("reader");
      const run = async (source: string) => {
        const answer = await graphql({ schema, source, contextValue: { session: strict.session("reader") } });
        return answer.errors?.map(({ message }) => message) ?? Object.keys(answer.data ?? {});
      };
      expect(await run(allowed)).toEqual(["first", "author"]);
      // The root fields of this text are already planned, but the text is not on the allow-list.
      expect(await run(print(parse("{ author { name } }")))).toEqual(["query is not allowed"]);
      expect(await run("query names { author { name } }")).toEqual(["query is not allowed"]);
    } finally {
      await strict.close();
    }
  });

  it("An execution uses the current permissions", async () => {
    const document = parse("{ shelf { label } }");
    const schema = schemaOf("reader");
    const run = () => execute({ schema, document, contextValue: { session: engine.session("reader") } });
    expect((await run()).errors).toBeUndefined();
    const table = { source: "default", table: { schema: "public", name: "shelf" } };
    await server.metadata("pg_drop_select_permission", { ...table, role: "reader" });
    await expect
      .poll(async () => (await run()).errors?.[0]?.extensions.code, { timeout: 10_000 })
      .toBe("validation-failed");
  });
});

describe("External subscriptions", () => {
  const document = parse("subscription { who: author_by_pk(id: 1) { called: name } }");
  const start = async (opened: Engine) => {
    const schema = opened.engineSchema("admin");
    const results = await subscribe({ schema, document, contextValue: { session: opened.session("admin") } });
    if (!(Symbol.asyncIterator in results)) throw new Error(JSON.stringify(results));
    return results;
  };

  it("A subscription delivers changes until its iterator returns", async () => {
    await reset();
    const results = await start(engine);
    const [before] = await runSql(server.databaseUrl, "select name from author where id = 1");
    expect(plain((await results.next()).value)).toEqual({ data: { who: { called: before?.name } } });
    await runSql(server.databaseUrl, "update author set name = 'New' where id = 1");
    expect(plain((await results.next()).value)).toEqual({ data: { who: { called: "New" } } });
    const next = results.next();
    await results.return?.(undefined);
    expect((await next).done).toBe(true);
  });

  it("A subscription ends with the engine", async () => {
    const other = await openEngine();
    const results = await start(other);
    await results.next();
    const next = results.next();
    await other.close();
    expect((await next).done).toBe(true);
  });
});
