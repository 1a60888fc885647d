/** Enum tables: columns that reference one accept and return its values as a GraphQL enum. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../../support/server.ts";

const schema = `
  create table color (name text primary key, comment text);
  insert into color values ('red', '#f00'), ('blue', null), ('green', '');
  create table car (
    id integer primary key, name text not null, color varchar not null references color, second text references color
  );
  insert into car values (1, 'bad', 'red', null), (2, 'red', 'blue', 'green'), (3, 'x', 'green', 'red');
  create function cars_in(wanted text) returns setof car language sql stable as
    $$ select * from car where color = wanted $$;
`;

const select = (role: string, columns: readonly string[]) => ({ role, permission: { columns, filter: {} } });

function metadata(colorTable: object): object {
  return {
    version: 3,
    sources: [
      {
        name: "default",
        kind: "postgres",
        tables: [
          { table: { schema: "public", name: "color" }, is_enum: true, ...colorTable },
          {
            table: { schema: "public", name: "car" },
            object_relationships: [{ name: "paint", using: { foreign_key_constraint_on: "color" } }],
            select_permissions: [select("buyer", ["id", "color"]), select("thief", ["id", "name"])],
          },
        ],
        functions: [{ function: { schema: "public", name: "cars_in" } }],
        configuration: { connection_info: { database_url: { from_env: "ENGINE_GRAPHQL_DATABASE_URL" } } },
        customization: { type_names: { prefix: "my_" } },
      },
    ],
  };
}

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
  await server.post("/v2/query", { type: "run_sql", args: { sql: schema } });
  await server.metadata("replace_metadata", { metadata: metadata({}) });
});

afterAll(() => server.close());

async function ask(query: string, variables?: unknown, headers?: Record<string, string>): Promise<unknown> {
  const answer = (await server.graphql(query, headers, variables)) as { data?: unknown; errors?: unknown };
  expect(answer.errors).toBeUndefined();
  return answer.data;
}

async function failure(query: string, variables?: unknown): Promise<unknown> {
  const { errors } = (await server.graphql(query, {}, variables)) as {
    errors: { message: string; extensions: { code: string; path: string } }[];
  };
  const [error] = errors;
  return [error?.extensions.code, error?.extensions.path, error?.message];
}

const invalid = (path: string, message: string) => [
  "validation-failed",
  `$.selectionSet.car.args.where.${path}`,
  message,
];
const oneOf = (found: string) =>
  `expected one of the values ['blue', 'green', 'red'] for type 'my_color_enum', but found '${found}'`;

describe("Values of enum tables", () => {
  it("Enum table values are read and written as enum values", async () => {
    expect(await ask("{ car(where: {color: {_eq: red}}) { color second } }")).toEqual({
      car: [{ color: "red", second: null }],
    });
    expect(await ask("{ car(where: {color: {_in: [red, blue]}}, order_by: {color: asc}) { color } }")).toEqual({
      car: [{ color: "blue" }, { color: "red" }],
    });
    expect(await ask("{ car(where: {second: {_is_null: true}}) { id } }")).toEqual({ car: [{ id: 1 }] });
    expect(
      await ask("{ car(where: {color: {_neq: green}}, limit: 1, order_by: {id: asc}) { id paint { name comment } } }"),
    ).toEqual({
      car: [{ id: 1, paint: { name: "red", comment: "#f00" } }],
    });
  });

  it("Enum table values are strings in variables at any depth", async () => {
    const one = "query ($c: my_color_enum!) { car(where: {color: {_eq: $c}}) { id } }";
    expect(await ask(one, { c: "red" })).toEqual({ car: [{ id: 1 }] });
    expect(await ask(one, { c: "green" })).toEqual({ car: [{ id: 3 }] });
    const list =
      "query ($c: [my_color_enum!]!, $d: my_color_enum = blue) { car(where: {color: {_in: $c}, _not: {color: {_in: [$d]}}}) { id } }";
    expect(await ask(list, { c: ["red", "blue"] })).toEqual({ car: [{ id: 1 }] });
    const whole = "query ($w: my_car_bool_exp!) { car(where: $w) { id } }";
    expect(await ask(whole, { w: { _or: [{ color: { _eq: "red" } }, { second: { _in: ["red"] } }] } })).toEqual({
      car: [{ id: 1 }, { id: 3 }],
    });
  });

  it("Enum table values are checked at any position", async () => {
    expect(await failure("{ car(where: {color: {_eq: pink}}) { id } }")).toEqual(invalid("color._eq", oneOf("pink")));
    expect(await failure("{ car(where: {color: {_in: [red, pink]}}) { id } }")).toEqual(
      invalid("color._in[1]", oneOf("pink")),
    );
    expect(await failure('{ car(where: {color: {_eq: "red"}}) { id } }')).toEqual(
      invalid("color._eq", "expected an enum value for type 'my_color_enum', but found a string"),
    );
    expect(await failure("{ car(where: {color: {_eq: {a: 1}}}) { id } }")).toEqual(
      invalid("color._eq", "expected an enum value for type 'my_color_enum', but found an object"),
    );
    expect(await failure("{ car(where: {color: {_eq: null}}) { id } }")).toEqual(
      invalid("color._eq", "unexpected null value for type 'my_color_enum'"),
    );
    // As a string, the same text is a valid value of the other column.
    expect(await failure('{ car(where: {_and: [{name: {_eq: "bad"}}, {color: {_eq: bad}}]}) { id } }')).toEqual(
      invalid("_and[1].color._eq", oneOf("bad")),
    );
  });

  it("Enum table values in variables are checked even if the plan is cached", async () => {
    const query =
      "query ($c: my_color_enum, $w: my_car_bool_exp!) { car(where: {_and: [{color: {_eq: $c}}, $w]}) { name } }";
    expect(await ask(query, { c: "red", w: { color: { _eq: "red" } } })).toEqual({ car: [{ name: "bad" }] });
    expect(await failure(query, { c: "pink", w: { color: { _eq: "red" } } })).toEqual(
      invalid("_and[0].color._eq", oneOf("pink")),
    );
    expect(await failure(query, { c: "red", w: { color: { _eq: "pink" } } })).toEqual(
      invalid("_and[1].color._eq", oneOf("pink")),
    );
    expect(await failure(query, { c: 5, w: { color: { _eq: "red" } } })).toEqual(
      invalid("_and[0].color._eq", "expected an enum value for type 'my_color_enum', but found a number"),
    );
  });

  it("Enum table values have no text operators", async () => {
    expect(await failure('{ car(where: {color: {_like: "r%"}}) { id } }')).toEqual(
      invalid("color._like", "field '_like' not found in type: 'my_color_enum_comparison_exp'"),
    );
  });
});

describe("Types of enum tables", () => {
  const query = `{ __type(name: "my_color_enum") { kind enumValues { name description } } }`;
  const values = {
    __type: {
      kind: "ENUM",
      enumValues: [
        { name: "blue", description: null },
        { name: "green", description: "" },
        { name: "red", description: "#f00" },
      ],
    },
  };

  it("The enum type exists for roles that may select a column of it, even without the table", async () => {
    expect(await ask(query)).toEqual(values);
    expect(await ask(query, undefined, { "x-engine-role": "buyer" })).toEqual(values);
    expect(await ask(query, undefined, { "x-engine-role": "thief" })).toEqual({ __type: null });
    expect(await ask("{ car(where: {color: {_eq: red}}) { color } }", undefined, { "x-engine-role": "buyer" })).toEqual(
      {
        car: [{ color: "red" }],
      },
    );
  });

  it("The enum type has the values of the last reload", async () => {
    await server.post("/v2/query", { type: "run_sql", args: { sql: "insert into color values ('pink')" } });
    await server.metadata("reload_metadata", { reload_sources: true });
    expect(await ask("{ car(where: {color: {_eq: pink}}) { id } }")).toEqual({ car: [] });
  });

  it("The enum type has the values that SQL has written before a statement of it failed", async () => {
    const sql = "insert into color values ('gold'); alter table missing rename to color";
    const args = { sql, no_transaction: true };
    expect((await server.post("/v2/query", { type: "run_sql", args })).text).toContain("missing");
    expect(await ask("{ car(where: {color: {_eq: gold}}) { id } }")).toEqual({ car: [] });
  });

  it("The enum type has the custom name of its table, and is text if the table is not an enum", async () => {
    await server.metadata("replace_metadata", { metadata: metadata({ configuration: { custom_name: "Paint" } }) });
    expect(await ask("query ($c: my_Paint_enum) { car(where: {color: {_eq: $c}}) { id } }", { c: "red" })).toEqual({
      car: [{ id: 1 }],
    });
    await server.metadata("replace_metadata", { metadata: metadata({ is_enum: false }) });
    expect(await ask('{ car(where: {color: {_like: "r%"}}) { id } }')).toEqual({ car: [{ id: 1 }] });
  });
});
