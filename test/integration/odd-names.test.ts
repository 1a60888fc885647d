/** Database names that GraphQL does not allow: introspection stays valid, and all exposed objects can be used. */
import fc from "fast-check";
import { buildClientSchema, getIntrospectionQuery, type IntrospectionQuery, validateSchema } from "graphql";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { quoteIdentifier } from "../../runtime/model/dialects/postgres/quote.ts";
import { query } from "../support/database.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

describe.each([
  ["live", false],
  ["sealed", true],
])("Odd database names on a %s server", (_, sealed) => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startTestServer({
      sealed,
      environment: { ENGINE_GRAPHQL_EXPERIMENTAL_FEATURES: "naming_convention" },
    });
  }, 60_000);

  afterAll(() => server.close());

  beforeEach(async () => {
    await query(server.databaseUrl, "drop schema if exists s cascade; create schema s");
  });

  const load = (contents: object): Promise<unknown> => {
    const configuration = { connection_info: { database_url: { from_env: "ENGINE_GRAPHQL_DATABASE_URL" } } };
    const source = { name: "default", kind: "postgres", configuration, tables: [], functions: [], ...contents };
    return server.metadata("replace_metadata", {
      allow_inconsistent_metadata: true,
      metadata: { version: 3, sources: [source] },
    });
  };

  async function introspected(): Promise<IntrospectionQuery> {
    const answer = (await server.graphql(getIntrospectionQuery({ inputValueDeprecation: true }))) as {
      data: IntrospectionQuery;
    };
    return answer.data;
  }

  /** Returns the errors that a client finds in the schema; reserved names are allowed. */
  async function faults(): Promise<readonly string[]> {
    const introspection = await introspected();
    const names = introspection.__schema.types.map(({ name }) => name);
    const repeated = names.filter((name, i) => names.indexOf(name) !== i).map((name) => `two types are called ${name}`);
    const invalid = validateSchema(buildClientSchema(introspection)).map(({ message }) => message);
    return [...repeated, ...invalid.filter((message) => !message.includes('must not begin with "__"'))];
  }

  it("Type names may contain quotes, blanks, dashes and digits", async () => {
    await query(
      server.databaseUrl,
      `create type s."a.b""c d" as enum ('x', 'y "z"');
       create type s."my-pair" as (a int, "b c" text);
       create domain s."1st" as s."a.b""c d";
       create type s."__kept" as enum ('k');
       create type s."größe\\" as range (subtype = int);
       create table s.odd (
         id int primary key, e s."a.b""c d" default 'x', es s."a.b""c d"[], p s."my-pair", d s."1st", k s."__kept",
         r s."größe\\", "c d" int, "__typename" text
       );
       create function s.of_kind(kind s."a.b""c d", kinds s."a.b""c d"[]) returns setof s.odd language sql stable as
         $$ select * from s.odd where e = kind and e = any (kinds) $$;
       insert into s.odd (id, e, es, d, p) values (1, 'y "z"', '{x}', 'x', '(1,q)')`,
    );
    await load({
      tables: [{ table: { schema: "s", name: "odd" } }],
      functions: [{ function: { schema: "s", name: "of_kind" } }],
    });
    expect(await faults()).toEqual([]);
    const text = `query ($e: a_b_c_d!) {
      s_odd(where: {e: {_eq: $e}, es: {_contains: ["x"]}}) { __typename id e es d p k r }
      s_of_kind(args: {kind: $e, kinds: "{\\"y \\\\\\"z\\\\\\"\\"}"}) { id }
    }`;
    expect(await server.graphql(text, {}, { e: 'y "z"' })).toEqual({
      data: {
        s_odd: [
          { __typename: "s_odd", id: 1, e: 'y "z"', es: ["x"], d: "x", p: { a: 1, "b c": "q" }, k: null, r: null },
        ],
        s_of_kind: [{ id: 1 }],
      },
    });
  });

  it("Names that collide under the naming convention are refused", async () => {
    await query(
      server.databaseUrl,
      `create table s.level (name text primary key);
       insert into s.level values ('a'), ('A'), ('b');
       create table s.item (id int primary key, level text references s.level);
       create table s.pair (id int primary key, a_b int, "aB" int);
       create function s.items_of(first_id int, "firstId" int, "arg_1" int, int) returns setof s.item
         language sql stable as $$ select * from s.item $$;
       create function s.label(item s.item, text, "arg_1" text) returns text language sql stable as $$ select $2 $$`,
    );
    const contents = {
      tables: [
        { table: { schema: "s", name: "level" }, is_enum: true },
        {
          table: { schema: "s", name: "item" },
          computed_fields: [{ name: "label", definition: { function: { schema: "s", name: "label" } } }],
        },
        { table: { schema: "s", name: "pair" } },
      ],
      functions: [{ function: { schema: "s", name: "items_of" } }],
    };
    const reasons = async (convention: string): Promise<string> => {
      await load({ ...contents, customization: { naming_convention: convention } });
      return JSON.stringify(await server.metadata("get_inconsistent_metadata", {}), null, 1);
    };
    const renamed = await reasons("graphql-default");
    expect(renamed).toContain('the values \\"A\\" and \\"a\\" map to the same name \\"A\\"');
    expect(renamed).toContain('columns \\"aB\\" and \\"a_b\\" are in conflict');
    expect(renamed).toContain('the arguments \\"first_id\\" and \\"firstId\\" map to the same name \\"firstId\\"');
    const plain = await reasons("engine-default");
    expect(plain).not.toContain("the values");
    expect(plain).not.toContain("are in conflict");
    expect(
      plain.match(/the arguments \\"arg_1\\" and \\"arg_1\\" map to the same name \\"arg_1\\"/g)?.length,
    ).toBeGreaterThan(1);
  });

  it("Arbitrary names of a database are supported", async () => {
    const special = fc.constantFrom(
      ...[
        '"',
        "'",
        "\\",
        " ",
        "-",
        ".",
        "\n",
        "\u2028",
        "é",
        "😀",
        "0",
        "_",
        "__",
        "true",
        "null",
        "Int",
        "String",
        "s_odd",
      ],
    );
    const name = fc
      .array(fc.oneof(special, fc.string({ minLength: 1, maxLength: 3 })), { minLength: 1, maxLength: 4 })
      .map((parts) => parts.join("").replaceAll("\0", "0"));
    // The enum type has one value more, which is "x".
    const names = fc.uniqueArray(
      name.filter((each) => each !== "x"),
      { minLength: 12, maxLength: 12 },
    );
    await fc.assert(
      fc.asyncProperty(names, fc.constantFrom("engine-default", "graphql-default"), async (given, convention) => {
        const [a = "", b = "", c = "", d = "", e = "", f = "", g = "", h = "", i = "", j = "", k = "", l = ""] =
          given.map((each) => quoteIdentifier(each));
        await query(server.databaseUrl, "drop schema if exists s cascade; create schema s");
        await query(
          server.databaseUrl,
          `create type s.${a} as enum ('x', ${quoteLiteral(given[1] ?? "")});
           create type s.${b} as (${c} int);
           create domain s.${c} as s.${a};
           create table s.${d} (${e} s.${a}, ${f} s.${b}, ${g} s.${c} not null, ${h} s.${a}[], constraint ${i} unique (${g}));
           create function s.${j}(${k} s.${a}, ${l} s.${c}) returns setof s.${d} language sql stable as $x$ select * from s.${d} $x$`,
        );
        await load({
          customization: { naming_convention: convention },
          tables: [{ table: { schema: "s", name: given[3] }, configuration: { custom_name: "thing" } }],
          functions: [{ function: { schema: "s", name: given[9] }, configuration: { custom_name: "things" } }],
        });
        expect(await faults()).toEqual([]);
      }),
      { numRuns: sealed ? 4 : 25 },
    );
  }, 120_000);
});

const quoteLiteral = (text: string): string => `'${text.replaceAll("'", "''")}'`;
