/** The fields and examples of `docs/reference/graphql-api.md` hold on a server with PostgreSQL. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operatorExamples, rootKinds, sampleTable, updateExamples } from "../../.ci/reference/graphql.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

let server: TestServer;
/** Columns of extensions that are not installed. */
const missing = new Set<string>();

// biome-ignore lint/suspicious/noExplicitAny: responses of several forms
async function post(path: string, body: unknown): Promise<any> {
  const response = await fetch(`${server.url}${path}`, { method: "POST", body: JSON.stringify(body) });
  return response.json();
}

const sql = (text: string) => post("/v2/query", { type: "run_sql", args: { sql: text } });

beforeAll(async () => {
  server = await startTestServer({ sample: true, sealed: false });
  const { name, columns, extensions } = sampleTable;
  const definitions = Object.entries(columns).map(([column, type]) => `${column} ${type}`);
  await sql(`create table ${name} (${definitions.join(", ")})`);
  for (const [extension, added] of Object.entries(extensions)) {
    const { result_type: result } = await sql(`create extension if not exists ${extension}`);
    for (const [column, type] of Object.entries(added)) {
      if (result === "CommandOk") await sql(`alter table ${name} add ${column} ${type}`);
      else missing.add(column);
    }
  }
  await sql(
    `insert into ${name} (id, word, data, list) values (1, 'apple', '{"size": 1}', '{1,2}'), (2, null, '[1]', '{3}')`,
  );
  expect(await post("/v1/metadata", { type: "pg_track_table", args: { table: name } })).toEqual({ message: "success" });
}, 120_000);

afterAll(() => server?.close());

describe("The reference of the GraphQL API", () => {
  it.each(Object.entries(operatorExamples))(
    "The example of the operator %s is a valid filter",
    async (name, filter) => {
      const [, column = ""] = /^\{(\w+)/.exec(filter) ?? [];
      const result = await post("/v1/graphql", { query: `{ sample(where: ${filter}, order_by: {id: asc}) { id } }` });
      if (missing.has(column)) expect(JSON.stringify(result)).toContain(`field '${column}' not found`);
      else if (filter.includes("…")) expect(JSON.stringify(result)).not.toContain("not found");
      else expect(result, name).toEqual({ data: { sample: expect.any(Array) } });
    },
  );

  it("The examples of operators select the rows that they describe", async () => {
    const ids = async (name: string): Promise<readonly number[]> => {
      const query = `{ sample(where: ${operatorExamples[name]}, order_by: {id: asc}) { id } }`;
      return (await post("/v1/graphql", { query })).data.sample.map(({ id }: { readonly id: number }) => id);
    };
    expect(await ids("_gt")).toEqual([2]);
    expect(await ids("_is_null")).toEqual([2]);
    expect(await ids("_ilike")).toEqual([1]);
    expect(await ids("_contains")).toEqual([1]);
    expect(await ids("_contained_in")).toEqual([1, 2]);
    expect(await ids("_cast")).toEqual([1]);
  });

  it.each(Object.entries(updateExamples))(
    "The example of the update operator %s changes a row",
    async (name, argument) => {
      const id = name === "_delete_elem" ? 2 : 1;
      const query = `mutation { update_sample_by_pk(pk_columns: {id: ${id}}, ${argument}) { id } }`;
      const result = await post("/v1/graphql", { query });
      expect(result.data?.update_sample_by_pk, JSON.stringify(result)).toMatchObject({ id: expect.any(Number) });
      if (name === "_inc") await sql("update sample set id = 1 where id = 101");
    },
  );

  it("The root fields of a table have the listed arguments", async () => {
    const query =
      "{ __schema { queryType { ...f } mutationType { ...f } subscriptionType { ...f } } } fragment f on __Type { fields { name args { name } } }";
    const fieldsAt = async (path: string) => {
      const { queryType, mutationType, subscriptionType } = (await post(path, { query })).data.__schema;
      const types = { query: queryType, mutation: mutationType, subscription: subscriptionType };
      return (type: string, name: string): readonly string[] | undefined =>
        (types[type as keyof typeof types]?.fields ?? [])
          .find((field: { readonly name: string }) => field.name === name)
          ?.args.map((argument: { readonly name: string }) => argument.name);
    };
    const graphql = await fieldsAt("/v1/graphql");
    const relay = await fieldsAt("/v1/relay");
    const ofTable = Object.values(rootKinds).filter(({ name }) => /book(?!s)/.test(name));
    expect(ofTable).toHaveLength(13);
    for (const { types, name, arguments: args } of [...ofTable, rootKinds.node]) {
      const fields = types.startsWith("Relay") ? relay : graphql;
      for (const type of types.replace("Relay ", "").split(", "))
        expect([type, name, fields(type, name)]).toEqual([type, name, args]);
    }
  });
});
