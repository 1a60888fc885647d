/** Root fields of remote schemas: the requests that the server receives, and the handling of its responses. */
import { graphql } from "graphql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openLiveEngine } from "../../../runtime/server/live/open-engine.ts";
import { type RemoteGraphql, startRemoteGraphql } from "../../support/remote-graphql.ts";
import { isSealed, startTestServer, type TestServer } from "../../support/server.ts";

const sdl = `
  "Everything with a name."
  interface Named { name(upper: Boolean = false): String! }
  type Cat implements Named { name(upper: Boolean = false): String! lives: Int! friends: [[Named!]]! }
  type Dog implements Named { name(upper: Boolean = false): String! barks: Boolean old: Int @deprecated(reason: "too old") }
  union Pet = Cat | Dog
  enum Size { SMALL LARGE }
  input Where { size: Size names: [String!] deep: Where limit: Int = 3 }
  scalar Anything
  type Query {
    pets(where: Where, first: Int! = 2): [Pet!]!
    named(name: ID!): Named
    echo(value: Anything, text: String): String
    size: Size
  }
  type Mutation { rename(from: String!, to: String!): Dog }
`;
const named =
  (name: string) =>
  ({ upper }: { upper: boolean }) =>
    upper ? name.toUpperCase() : name;
const tom = {
  __typename: "Cat",
  name: named("Tom"),
  lives: 9,
  friends: [[{ __typename: "Dog", name: named("Rex") }], null],
};
const rex = { __typename: "Dog", name: named("Rex"), barks: true };
const root = {
  pets: ({ first }: { first: number }) => [tom, rex].slice(0, first),
  named: ({ name }: { name: string }) => (name === "Tom" ? tom : name === "Rex" ? rex : null),
  echo: (args: unknown) => JSON.stringify(args),
  rename: ({ to }: { to: string }) => ({ ...rex, name: named(to) }),
};

let remote: RemoteGraphql;
let engine: TestServer;

beforeAll(async () => {
  remote = await startRemoteGraphql(sdl, 0, { root, headers: { "set-cookie": "seen=1" } });
  engine = await startTestServer({ environment: { PETS: `http://127.0.0.1:${remote.port}/graphql` } });
  await engine.metadata("add_remote_schema", { name: "pets", definition: { url_from_env: "PETS" } });
});

afterAll(async () => {
  await engine?.close();
  await remote?.close();
});

const ask = async (query: string, variables?: object, headers?: Record<string, string>) =>
  (await engine.post("/v1/graphql", { query, variables }, headers)).json;
const lastRequest = () => remote.requests.at(-1);

describe("Remote fields in requests", () => {
  it("A remote field supports fragments, aliases and directives", async () => {
    const query = `query Pets($on: Boolean!, $first: Int!) {
      all: pets(first: $first) { ...cat ... on Dog { name barks @include(if: $on) } __typename }
    }
    fragment cat on Cat { loud: name(upper: true) lives friends { name } }`;
    expect(await ask(query, { on: false, first: 2 })).toEqual({
      data: {
        all: [
          { loud: "TOM", lives: 9, friends: [[{ name: "Rex" }], null].map((each) => each), __typename: "Cat" },
          { name: "Rex", __typename: "Dog" },
        ],
      },
    });
    expect(lastRequest()).toEqual({
      query:
        "query Pets($first: Int!) { all: pets(first: $first) { " +
        "... on Cat { loud: name(upper: true) lives friends { name } } ... on Dog { name } __typename } }",
      variables: { first: 2 },
      operationName: "Pets",
    });
  });

  it("A fragment without included fields is omitted from the request", async () => {
    const query = "{ pets { ... on Cat { lives } ... on Dog { name @skip(if: true) } } }";
    expect(await ask(query)).toEqual({ data: { pets: [{ lives: 9 }, {}] } });
    expect(lastRequest()?.query).toBe("query { pets { ... on Cat { lives } } }");
  });

  it("A remote field outside of the schema is refused without a request", async () => {
    const refused = async (query: string, variables?: object) => {
      const before = remote.requests.length;
      const { errors } = await ask(query, variables);
      expect(remote.requests).toHaveLength(before);
      return `${errors[0].extensions.path}: ${errors[0].message}`;
    };
    expect(await refused("{ pets { nothing } }")).toBe(
      "$.selectionSet.pets.selectionSet.nothing: field 'nothing' not found in type: 'Pet'",
    );
    expect(await refused("{ size { __typename } }")).toBe(
      "$.selectionSet.size: unexpected subselection set for non-object field",
    );
    expect(await refused("{ pets }")).toBe("$.selectionSet.pets: missing selection set for 'pets'");
    expect(await refused("{ pets(first: true) { __typename } }")).toBe(
      "$.selectionSet.pets.args.first: expected a 32-bit integer for type 'Int', but found a boolean",
    );
    expect(
      await refused("query ($w: Where) { pets(where: $w) { __typename } }", { w: { deep: { size: "HUGE" } } }),
    ).toBe(
      "$.selectionSet.pets.args.where.deep.size: expected one of the values ['SMALL', 'LARGE'] for type 'Size', but found 'HUGE'",
    );
    expect(await refused("query ($w: String) { pets(where: $w) { __typename } }")).toBe(
      "$.selectionSet.pets.args.where: variable 'w' is declared as 'String', but used where 'Where' is expected",
    );
    expect(await refused("{ pets { ... on Cat { x: lives } ... on Dog { x: barks } } }")).toBe(
      "$.selectionSet.pets.selectionSet.barks: selections of different types specify the same response name, 'x'",
    );
  });

  it("Values are passed to a remote field without loss", async () => {
    const query = 'query ($v: Anything) { echo(value: $v, text: "\\u2028\\"}) { x") }';
    const { data } = await ask(query, { v: { a: [1.5, null, { b: "x" }] } });
    expect(JSON.parse(data.echo)).toEqual({ value: { a: [1.5, null, { b: "x" }] }, text: '\u2028"}) { x' });
  });

  it("Remote mutations run in order", async () => {
    const query = `mutation { a: rename(from: "Rex", to: "Max") { name } b: rename(from: "Max", to: "Rex") { name } }`;
    expect(await ask(query)).toEqual({ data: { a: { name: "Max" }, b: { name: "Rex" } } });
    expect(remote.requests.slice(-2).map(({ query: text }) => text)).toEqual([
      'mutation { a: rename(from: "Rex", to: "Max") { name } }',
      'mutation { b: rename(from: "Max", to: "Rex") { name } }',
    ]);
  });

  it("Remote types are part of the schema", async () => {
    const { data } = await ask(`{
      cat: __type(name: "Cat") { interfaces { name } fields { name type { kind ofType { kind ofType { kind ofType { kind ofType { name } } } } } } }
      dog: __type(name: "Dog") { fields { name } all: fields(includeDeprecated: true) { name deprecationReason } }
      named: __type(name: "Named") { description possibleTypes { name } }
    }`);
    expect(data.cat.interfaces).toEqual([{ name: "Named" }]);
    expect(data.cat.fields[2].type).toEqual({
      kind: "NON_NULL",
      ofType: { kind: "LIST", ofType: { kind: "LIST", ofType: { kind: "NON_NULL", ofType: { name: "Named" } } } },
    });
    expect(data.dog.fields.map(({ name }: { name: string }) => name)).toEqual(["name", "barks"]);
    expect(data.dog.all.at(-1)).toEqual({ name: "old", deprecationReason: "too old" });
    expect(data.named).toEqual({
      description: "Everything with a name.",
      possibleTypes: [{ name: "Cat" }, { name: "Dog" }],
    });
  });

  it("A remote field is available to every role, receives the session as headers and returns cookies", async () => {
    const headers = { "x-engine-role": "nobody", "x-engine-user-id": "7" };
    const answer = await engine.post("/v1/graphql", { query: '{ named(name: "Rex") { name } }' }, headers);
    expect(answer.json).toEqual({ data: { named: { name: "Rex" } } });
    expect(answer.headers.get("set-cookie")).toBe("seen=1");
    expect(remote.headers.at(-1)).toMatchObject(headers);
  });

  it.skipIf(isSealed)("An external executor can query remote fields with interfaces and unions", async () => {
    const environment = {
      PETS: `http://127.0.0.1:${remote.port}/graphql`,
      ENGINE_GRAPHQL_DATABASE_URL: engine.databaseUrl,
      ENGINE_GRAPHQL_METADATA_DATABASE_URL: engine.metadataUrl,
    };
    const inside = await openLiveEngine({ environment, log: () => undefined }, "test");
    try {
      const source = "{ pets { ...cat ... on Dog { name } } } fragment cat on Cat { lives friends { name } }";
      const contextValue = { session: inside.session("admin") };
      const { data } = await graphql({ schema: inside.engineSchema("admin"), source, contextValue });
      expect(JSON.parse(JSON.stringify(data))).toEqual({
        pets: [{ lives: 9, friends: [[{ name: "Rex" }], null] }, { name: "Rex" }],
      });
    } finally {
      await inside.close();
    }
  });
});
