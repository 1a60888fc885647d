/** The reads and writes of an inherited role through a server: cells, probes by hidden values, writes, conflicts. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { query } from "../../support/database.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";

const table = { schema: "public", name: "lodger" };
const inMyHouse = { house: { _eq: "X-Engine-House" } };
const myself = { id: { _eq: "X-Engine-Lodger" } };

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
  await query(
    server.databaseUrl,
    `create table lodger (id integer primary key, name text not null, rent integer not null, note text, house integer);
     insert into lodger values (1, 'Ada', 100, 'quiet', 1), (2, 'Bo', 250, 'loud', 1), (3, 'Cy', 300, 'late', 2);
     create function yearly(l lodger) returns integer language sql stable as 'select l.rent * 12';`,
  );
  const select = (role: string, permission: object) => ({ role, permission });
  // A permission that cannot be inherited is an inconsistency of the role "both".
  await server.metadata("replace_metadata", {
    allow_inconsistent_metadata: true,
    metadata: {
      version: 3,
      sources: [
        {
          name: "default",
          kind: "postgres",
          configuration: { connection_info: { database_url: { from_env: "ENGINE_GRAPHQL_DATABASE_URL" } } },
          tables: [
            {
              table,
              computed_fields: [{ name: "yearly", definition: { function: { schema: "public", name: "yearly" } } }],
              select_permissions: [
                select("lodger", { columns: ["id", "name", "rent"], computed_fields: ["yearly"], filter: myself }),
                select("porter", { columns: ["name", "note", "house"], filter: inMyHouse, allow_aggregations: true }),
              ],
              update_permissions: [
                { role: "lodger", permission: { columns: ["name"], filter: myself, check: null } },
                { role: "porter", permission: { columns: ["note"], filter: inMyHouse, check: null } },
              ],
              delete_permissions: [{ role: "porter", permission: { filter: inMyHouse } }],
            },
          ],
        },
      ],
      inherited_roles: [
        { role_name: "both", role_set: ["lodger", "porter"] },
        { role_name: "grandchild", role_set: ["both"] },
      ],
    },
  });
});

afterAll(() => server.close());

const both = { "x-engine-role": "both", "x-engine-lodger": "1", "x-engine-house": "1" };
const ask = (text: string, headers: Record<string, string> = both) => server.graphql(text, headers);

describe.each(["both", "grandchild"])("The inherited role %s", (role) => {
  const as = { ...both, "x-engine-role": role };

  it("The inherited role sees rows of both parents, with null for columns of the other parent", async () => {
    expect(await ask("{ lodger(order_by: {name: asc}) { id name rent note yearly } }", as)).toEqual({
      data: {
        lodger: [
          { id: 1, name: "Ada", rent: 100, note: "quiet", yearly: 1200 },
          { id: null, name: "Bo", rent: null, note: "loud", yearly: null },
        ],
      },
    });
  });

  it.each([
    ["a filter", "{ lodger(where: {rent: {_gt: 200}}) { name } }", []],
    ["a negated filter", "{ lodger(where: {_not: {rent: {_lte: 200}}}) { name } }", []],
    ["a computed field in a filter", "{ lodger(where: {yearly: {_gt: 2000}}) { name } }", []],
    ["the absence of a value", "{ lodger(where: {rent: {_is_null: true}}) { name } }", [{ name: "Bo" }]],
    ["the order", "{ lodger(order_by: {rent: desc_nulls_last}, limit: 1) { name } }", [{ name: "Ada" }]],
    [
      "distinct values",
      "{ lodger(distinct_on: rent, order_by: {rent: asc}) { rent } }",
      [{ rent: 100 }, { rent: null }],
    ],
  ])("The inherited role cannot query hidden values by %s", async (_, text, lodger) => {
    expect(await ask(text, as)).toEqual({ data: { lodger } });
  });

  it("The inherited role cannot query hidden values by a key", async () => {
    expect(await ask("{ mine: lodger_by_pk(id: 1) { name } other: lodger_by_pk(id: 2) { name } }", as)).toEqual({
      data: { mine: { name: "Ada" }, other: null },
    });
    expect(await ask("mutation { delete_lodger_by_pk(id: 2) { name } }", as)).toEqual({
      data: { delete_lodger_by_pk: null },
    });
  });

  it("The inherited role aggregates only values that it may select", async () => {
    const text = "{ lodger_aggregate { aggregate { count rents: count(columns: rent) max { rent yearly } } } }";
    expect(await ask(text, as)).toEqual({
      data: { lodger_aggregate: { aggregate: { count: 2, rents: 1, max: { rent: 100, yearly: 1200 } } } },
    });
  });

  it("The inherited role receives no hidden value of a deleted row", async () => {
    const text = `mutation { delete_lodger(where: {note: {_eq: "loud"}}) { returning { id name rent note } } }`;
    expect(await ask(text, as)).toEqual({
      data: { delete_lodger: { returning: [{ id: null, name: "Bo", rent: null, note: "loud" }] } },
    });
    await query(server.databaseUrl, "insert into lodger values (2, 'Bo', 250, 'loud', 1)");
  });

  it("The inherited role requires the session variables of all parents", async () => {
    expect(await ask("{ lodger { name } }", { "x-engine-role": role, "x-engine-house": "1" })).toMatchObject({
      errors: [{ message: 'missing session variable: "x-engine-lodger"', extensions: { code: "not-found" } }],
    });
  });
});

describe("Conflicting permissions of parents", () => {
  const entry = {
    entity: { permission_type: "update", source: "default", table: "lodger" },
    name: "both",
    reason:
      "Could not inherit permission for the role 'both' for the entity: 'update permission, table: lodger, source: 'default''",
    type: "inherited role permission inconsistency",
  };

  it("Conflicting permissions are not inherited, are listed and cannot be dropped", async () => {
    expect(await server.metadata("get_inconsistent_metadata", {})).toEqual([entry]);
    expect(await ask('mutation { update_lodger(where: {}, _set: {name: "x"}) { affected_rows } }')).toMatchObject({
      errors: [{ message: "field 'update_lodger' not found in type: 'mutation_root'" }],
    });
    await server.metadata("drop_inconsistent_metadata", {});
    expect(await server.metadata("get_inconsistent_metadata", {})).toEqual([entry]);
  });

  it("The role's own permission resolves a conflict, which returns when it is dropped", async () => {
    const permission = { columns: ["name"], filter: myself };
    await server.metadata("pg_create_update_permission", { table, role: "both", permission });
    expect(await server.metadata("get_inconsistent_metadata", {})).toEqual([]);
    expect(await ask('mutation { update_lodger(where: {}, _set: {name: "Ada"}) { affected_rows } }')).toEqual({
      data: { update_lodger: { affected_rows: 1 } },
    });
    await server.metadata("pg_drop_update_permission", { table, role: "both" });
    expect(await server.metadata("get_inconsistent_metadata", {})).toEqual([entry]);
  });
});

describe("Own permissions of inherited roles", () => {
  it("An own permission replaces the rows and columns of the parents", async () => {
    const permission = { columns: ["name"], filter: { name: { _eq: "Cy" } } };
    await server.metadata("pg_create_select_permission", { table, role: "both", permission });
    expect(await ask("{ lodger { name } }")).toEqual({ data: { lodger: [{ name: "Cy" }] } });
    expect(await ask("{ lodger { name } }", { ...both, "x-engine-role": "grandchild" })).toEqual({
      data: { lodger: [{ name: "Cy" }] },
    });
    await server.metadata("pg_drop_select_permission", { table, role: "both" });
  });

  it("An inconsistent own permission leaves the role without access", async () => {
    await query(server.databaseUrl, "alter table lodger add column gone integer");
    await server.metadata("reload_metadata", {});
    const permission = { columns: ["gone"], filter: {} };
    await server.metadata("pg_create_select_permission", { table, role: "both", permission });
    await query(server.databaseUrl, "alter table lodger drop column gone");
    await server.metadata("reload_metadata", {});
    expect(await ask("{ lodger { name } }")).toMatchObject({
      errors: [{ message: "field 'lodger' not found in type: 'query_root'" }],
    });
  });
});
