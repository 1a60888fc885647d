/** Filters by aggregates of related rows, on a real database. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDatabase, query } from "../../support/database.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";

const schema = `
  create table kitchen (id int primary key, name text not null);
  create table dish (
    id int primary key, kitchen_id int not null references kitchen, name text not null, kind text,
    is_hot boolean, price float8, weight float8, hidden boolean not null default false
  );
  insert into kitchen values (1, 'Full'), (2, 'Mixed'), (3, 'Empty');
  insert into dish values
    (1, 1, 'Soup', 'a', true, 2, 1, false), (2, 1, 'Stew', 'a', true, 4, 2, false), (3, 1, 'Pie', 'b', true, 6, 3, false),
    (4, 2, 'Salad', 'a', false, 3, 9, false), (5, 2, 'Toast', null, true, 3, 8, true);
`;

const table = (name: string, more: object) => ({ table: name, ...more });
const select = (role: string, permission: object) => ({ role, permission: { filter: {}, ...permission } });

const metadata = {
  version: 3,
  sources: [
    {
      name: "default",
      kind: "postgres",
      configuration: { connection_info: { database_url: { from_env: "ENGINE_GRAPHQL_DATABASE_URL" } } },
      tables: [
        table("kitchen", {
          array_relationships: [
            { name: "dishes", using: { foreign_key_constraint_on: { column: "kitchen_id", table: "dish" } } },
          ],
          select_permissions: ["guest", "counter", "other"].map((role) => select(role, { columns: "*" })),
        }),
        table("dish", {
          select_permissions: [
            select("guest", {
              columns: ["id", "kind"],
              filter: { hidden: { _eq: false } },
              allow_aggregations: true,
              limit: 1,
            }),
            select("counter", { columns: [], allow_aggregations: true }),
            select("other", { columns: "*" }),
          ],
        }),
      ],
    },
  ],
};

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
  await server.post("/v2/query", { type: "run_sql", args: { sql: schema } });
  await server.metadata("replace_metadata", { metadata });
});

afterAll(() => server.close());

interface Kitchens {
  readonly data: { readonly kitchen: readonly { readonly id: number }[] };
}

async function kitchens(predicate: string, role = "admin"): Promise<readonly number[]> {
  const text = `{ kitchen(where: {dishes_aggregate: ${predicate}}, order_by: {id: asc}) { id } }`;
  const answer = (await server.graphql(text, { "x-engine-role": role })) as Kitchens;
  expect(answer).toEqual({ data: expect.anything() });
  return answer.data.kitchen.map(({ id }) => id);
}

describe("Filters by aggregates", () => {
  it.each([
    ["{count: {predicate: {_eq: 0}}}", [3]],
    ["{count: {predicate: {_gt: 1, _lt: 3}}}", [2]],
    ["{count: {arguments: [kind], predicate: {_eq: 1}}}", [2]],
    ["{count: {arguments: kind, distinct: true, predicate: {_eq: 2}}}", [1]],
    ["{count: {arguments: [kind, price], distinct: true, predicate: {_eq: 3}}}", [1]],
    [`{count: {filter: {name: {_like: "S%"}}, predicate: {_gte: 2}}}`, [1]],
    ["{count: {distinct: null, filter: null, arguments: null, predicate: {}}}", [1, 2, 3]],
    ["{bool_and: {arguments: is_hot, predicate: {_eq: true}}}", [1]],
    ["{bool_or: {arguments: is_hot, predicate: {_eq: true}}}", [1, 2]],
    ["{bool_and: {arguments: is_hot, predicate: {_is_null: true}}}", [3]],
    ["{avg: {arguments: price, predicate: {_eq: 4}}}", [1]],
    ["{max: {arguments: price, predicate: {_lte: 3}}}", [2]],
    ["{sum: {arguments: price, distinct: true, predicate: {_in: [3, 12]}}}", [1, 2]],
    ["{stddev_samp: {arguments: price, predicate: {_eq: 0}}}", [2]],
    ["{corr: {arguments: {X: price, Y: weight}, predicate: {_gt: 0.9}}}", [1]],
    ["{covar_samp: {arguments: {X: price, Y: weight}, predicate: {_eq: 2}}}", [1]],
  ])("A filter by an aggregate selects the rows: %s", async (predicate, expected) => {
    expect(await kitchens(predicate)).toEqual(expected);
  });

  it("A filter by an aggregate counts the rows that the role may select, without its limit", async () => {
    expect(await kitchens("{count: {predicate: {_eq: 1}}}", "guest")).toEqual([2]);
    expect(await kitchens("{count: {predicate: {_eq: 3}}}", "guest")).toEqual([1]);
    expect(await kitchens("{count: {predicate: {_eq: 2}}}", "counter")).toEqual([2]);
  });

  it("A filter by an aggregate accepts variables", async () => {
    const text = `query ($p: kitchen_bool_exp!, $d: Boolean) {
      kitchen(where: $p) { id }
      hot: kitchen(where: {dishes_aggregate: {count: {arguments: kind, distinct: $d, predicate: {_eq: 2}}}}) { id }
    }`;
    const p = { dishes_aggregate: { max: { arguments: "weight", predicate: { _eq: 3 } } } };
    expect(await server.graphql(text, {}, { p, d: true })).toEqual({
      data: { kitchen: [{ id: 1 }], hot: [{ id: 1 }] },
    });
    expect(await server.graphql(text, {}, { p, d: false })).toEqual({ data: { kitchen: [{ id: 1 }], hot: [] } });
  });

  it.each([
    ["{}", "exactly one predicate should be specified", ""],
    [
      "{count: {predicate: {}}, bool_or: {arguments: is_hot, predicate: {}}}",
      "exactly one predicate should be specified",
      "",
    ],
    ["{count: {}}", "missing required field 'predicate'", ".count.predicate"],
    ["{avg: {predicate: {}}}", "missing required field 'arguments'", ".avg.arguments"],
    [
      "{avg: {arguments: id, predicate: {}}}",
      "expected one of the values ['price', 'weight'] for type 'dish_select_column_dish_aggregate_bool_exp_avg_arguments_columns', but found 'id'",
      ".avg.arguments",
    ],
  ])("A filter by an aggregate refuses %s", async (predicate, message, path) => {
    const text = `{ kitchen(where: {dishes_aggregate: ${predicate}}) { id } }`;
    expect(await server.graphql(text)).toEqual({
      errors: [
        {
          message,
          extensions: {
            path: `$.selectionSet.kitchen.args.where.dishes_aggregate${path}`,
            code: "validation-failed",
          },
        },
      ],
    });
  });

  it("A filter by an aggregate exists where aggregates do, with the functions that have columns", async () => {
    const fields = async (role: string, type: string) => {
      const text = `{ __type(name: "${type}") { inputFields { name type { name ofType { name } } } } }`;
      const { data } = (await server.graphql(text, { "x-engine-role": role })) as {
        data: { __type: { inputFields: { name: string }[] } | null };
      };
      return data.__type?.inputFields.map(({ name }) => name);
    };
    expect(await fields("admin", "dish_aggregate_bool_exp")).toEqual([
      "avg",
      "bool_and",
      "bool_or",
      "corr",
      "count",
      "covar_samp",
      "max",
      "min",
      "stddev_samp",
      "sum",
      "var_samp",
    ]);
    expect(await fields("guest", "dish_aggregate_bool_exp")).toEqual(["count"]);
    expect(await fields("counter", "dish_aggregate_bool_exp_count")).toEqual(["distinct", "filter", "predicate"]);
    expect(await fields("admin", "dish_aggregate_bool_exp_corr_arguments")).toEqual(["X", "Y"]);
    expect(await fields("other", "kitchen_bool_exp")).not.toContain("dishes_aggregate");
  });
});

describe("Orderings by aggregates", () => {
  const ordered = "{ kitchen(order_by: [{dishes_aggregate: {count: desc}}, {id: asc}]) { id } }";

  it("An ordering by an aggregate exists if the role may aggregate the related rows", async () => {
    expect(await server.graphql(ordered, { "x-engine-role": "counter" })).toEqual({
      data: { kitchen: expect.anything() },
    });
  });

  it("An ordering by an aggregate does not exist without that permission", async () => {
    expect(await server.graphql(ordered, { "x-engine-role": "other" })).toMatchObject({
      errors: [{ message: "field 'dishes_aggregate' not found in type: 'kitchen_order_by'" }],
    });
  });
});

describe.each([
  ["engine-default", "bkitchen", "dishes_aggregate", "b_dish_aggregate_bool_exp_x"],
  ["graphql-default", "bKitchen", "dishesAggregate", "b_DishAggregateBoolExp_x"],
])("Sources with equal table names and %s", (naming_convention, root, predicate, type) => {
  let both: TestServer;
  let second: Awaited<ReturnType<typeof createDatabase>>;

  beforeAll(async () => {
    second = await createDatabase("second");
    // A column of another type, and other columns for the functions.
    await query(
      second.url,
      `create table kitchen (id int primary key);
       create table dish (id int primary key, kitchen_id int not null references kitchen, is_cold boolean, cost float8);
       insert into kitchen values (7), (8);
       insert into dish values (1, 7, true, 5), (2, 8, true, 1), (3, 8, false, 1)`,
    );
    const environment = { ENGINE_GRAPHQL_EXPERIMENTAL_FEATURES: "naming_convention", SECOND_URL: second.url };
    both = await startTestServer({ environment });
    await both.post("/v2/query", { type: "run_sql", args: { sql: schema } });
    const [first] = metadata.sources;
    const connection_info = { database_url: { from_env: "SECOND_URL" } };
    const customization = {
      root_fields: { prefix: "b" },
      type_names: { prefix: "b_", suffix: "_x" },
      naming_convention,
    };
    const other = {
      ...first,
      name: "second",
      configuration: { connection_info },
      customization,
      tables: first?.tables.map((each) => ({
        ...each,
        select_permissions: [select("guest", { columns: "*", allow_aggregations: true })],
      })),
    };
    const replaced = await both.metadata("replace_metadata", {
      metadata: { version: 3, sources: [{ ...first, customization: { naming_convention } }, other] },
    });
    expect(replaced).toEqual({ is_consistent: true, inconsistent_objects: [] });
  }, 60_000);

  afterAll(async () => {
    await both?.close();
    await second?.drop();
  });

  const asGuest = { "x-engine-role": "guest" };

  it("Each source has its own types of aggregate predicates", async () => {
    const response = (await both.graphql("{ __schema { types { name } } }")) as {
      readonly data: { readonly __schema: { readonly types: readonly { readonly name: string }[] } };
    };
    const names = response.data.__schema.types.map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    const own = naming_convention === "graphql-default" ? "DishAggregateBoolExp" : "dish_aggregate_bool_exp";
    expect(names).toEqual(expect.arrayContaining([own, type]));
  });

  it("Filters by aggregates use the columns of their own source", async () => {
    const text = `{
      kitchen(where: {${predicate}: {count: {predicate: {_eq: 3}}}}) { id }
      ${root}(where: {${predicate}: {count: {predicate: {_eq: 2}}}}) { id }
    }`;
    expect(await both.graphql(text, asGuest)).toEqual({ data: { kitchen: [{ id: 1 }], [root]: [{ id: 8 }] } });
    const every = naming_convention === "graphql-default" ? "boolAnd" : "bool_and";
    const column = naming_convention === "graphql-default" ? "isCold" : "is_cold";
    const where = `{${predicate}: {${every}: {arguments: ${column}, predicate: {_eq: true}}}}`;
    expect(await both.graphql(`{ ${root}(where: ${where}) { id } }`, asGuest)).toEqual({
      data: { [root]: [{ id: 7 }] },
    });
    expect(await both.graphql(`{ kitchen(where: ${where}) { id } }`)).toMatchObject({
      errors: [{ extensions: { code: "validation-failed" } }],
    });
  });
});
