/** Search by the distance of vectors: input and output, filters, orderings, permissions, and live queries. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { query } from "../../support/database.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";
import { root } from "../../support/shared-checks.ts";
import { vectorTypes } from "../../support/vector-type.ts";

const schema = `
  ${vectorTypes}
  create table passage (
    id int primary key, owner text not null, text text not null, embedding ext.vector, small ext.halfvec,
    small_l2_distance int
  );
  create table note (id int primary key, passage_id int references passage);
  insert into passage values
    (1, 'ann', 'east', '[1,0]', '[1,0]'), (2, 'ben', 'north', '[0,1]', '[0,1]'), (3, 'ann', 'north-east', '[1,1]', null),
    (4, 'ann', 'nowhere', null, null);
  insert into note values (1, 1), (2, 2), (3, 3);
`;

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
  await query(server.databaseUrl, schema);
  for (const table of ["passage", "note"]) await server.metadata("pg_track_table", { table });
  const using = { foreign_key_constraint_on: "passage_id" };
  await server.metadata("pg_create_object_relationship", { table: "note", name: "passage", using });
  const mine = { columns: ["id", "embedding"], filter: { owner: { _eq: "X-Engine-User-Id" } } };
  await server.metadata("pg_create_select_permission", { table: "passage", role: "owner", permission: mine });
  const near = { columns: ["id"], filter: { embedding: { _l2_distance: { to: [1, 0], _lt: 1.2 } } } };
  await server.metadata("pg_create_select_permission", { table: "passage", role: "neighbor", permission: near });
});

afterAll(() => server.close());

const ask = (text: string, headers: Record<string, string> = {}, variables?: unknown) =>
  server.graphql(text, headers, variables);

/** Returns the ids of passages. */
async function ids(args: string, headers: Record<string, string> = {}, variables?: unknown): Promise<unknown> {
  const declared = variables === undefined ? "" : "query ($to: vector!) ";
  const answer = await ask(`${declared}{ passage(${args}) { id } }`, headers, variables);
  const { data } = answer as { readonly data?: { readonly passage: readonly { readonly id: number }[] } };
  return data?.passage.map(({ id }) => id) ?? answer;
}

describe("Vectors", () => {
  it("Values are lists of numbers in results, and lists or texts in requests", async () => {
    const text = `mutation ($list: vector!) {
      a: insert_passage_one(object: {id: 10, owner: "zoe", text: "list", embedding: $list}) { embedding }
      b: insert_passage_one(object: {id: 11, owner: "zoe", text: "text", embedding: "[3,4]", small: "[3,4]"}) { embedding small }
      c: update_passage_by_pk(pk_columns: {id: 11}, _set: {embedding: [5, -6.25e-3]}) { embedding }
      delete_passage(where: {owner: {_eq: "zoe"}}) { affected_rows }
    }`;
    expect(await ask(text, {}, { list: [0.1, 2, -3e-7] })).toEqual({
      data: {
        a: { embedding: [0.1, 2, -3e-7] },
        b: { embedding: [3, 4], small: "[3,4]" },
        c: { embedding: [5, -0.00625] },
        delete_passage: { affected_rows: 2 },
      },
    });
  });

  it.each([
    ["l2_distance", [1, 3, 2]],
    ["cosine_distance", [1, 3, 2]],
    ["inner_product_distance", [3, 1, 2]],
    ["l1_distance", [1, 3, 2]],
  ])("Rows are ordered by the distance: %s", async (name, expected) => {
    const to = "[2, 0.5]";
    const order = `[{embedding_${name}: {to: ${to}}}, {id: asc}]`;
    expect(await ids(`where: {embedding: {_is_null: false}}, order_by: ${order}`)).toEqual(expected);
    const opposite = `[{embedding_${name}: {to: ${to}, direction: desc_nulls_last}}]`;
    expect(await ids(`limit: 1, order_by: ${opposite}`)).toEqual([2]);
    expect(await ids(`limit: 1, order_by: {embedding_${name}: {to: $to}}`, {}, { to: [-1, 3] })).toEqual([2]);
  });

  it("Filters compare the distance", async () => {
    const where = (test: string) => ids(`where: {embedding: ${test}}, order_by: {id: asc}`);
    expect(await where("{_l2_distance: {to: [1, 0], _lte: 1}}")).toEqual([1, 3]);
    expect(await where("{_l2_distance: {to: [1, 0], _gt: 0, _lt: 1.1}}")).toEqual([3]);
    expect(await where("{_cosine_distance: {to: [0, 9], _lt: 0.5}}")).toEqual([2, 3]);
    expect(await where("{_inner_product_distance: {to: [1, 1], _lte: -2}}")).toEqual([3]);
    expect(await where("{_l1_distance: {to: [1, 0], _gte: 1.5}}")).toEqual([2]);
    expect(await where("{_l1_distance: {to: [1, 0]}}")).toEqual([1, 2, 3]);
  });

  it("The nearest rows are the nearest of those that the role may read", async () => {
    const args = "order_by: {embedding_l2_distance: {to: [0, 1]}}, limit: 1";
    expect(await ids(args)).toEqual([2]);
    expect(await ids(args, { "x-engine-role": "owner", "x-engine-user-id": "ann" })).toEqual([3]);
    expect(await ids("order_by: {id: asc}", { "x-engine-role": "neighbor" })).toEqual([1, 3]);
  });

  it("A role without permission for the column has neither the filter nor the ordering", async () => {
    const role = { "x-engine-role": "neighbor" };
    for (const args of [
      "order_by: {embedding_l2_distance: {to: [0, 1]}}",
      "where: {embedding: {_l2_distance: {to: [0, 1], _lt: 1}}}",
    ]) {
      expect(await ids(args, role)).toMatchObject({
        errors: [{ message: expect.stringContaining("not found in type") }],
      });
    }
  });

  it("Lists are ordered by the distance of a related row, and groups too", async () => {
    const order = "order_by: {passage: {embedding_cosine_distance: {to: [0, 1]}}}";
    expect(await ask(`{ note(${order}) { id } }`)).toEqual({ data: { note: [{ id: 2 }, { id: 3 }, { id: 1 }] } });
    const nearest = "top_per: {columns: owner, limit: 1}, order_by: {embedding_l2_distance: {to: [0, 1]}}";
    expect(await ids(nearest)).toEqual([2, 3]);
  });

  it("A column that has the name of an ordering keeps it, and halfvec values have distances too", async () => {
    expect(await ids("order_by: {small_l2_distance: asc, id: asc}")).toEqual([1, 2, 3, 4]);
    expect(await ids('where: {small: {_l2_distance: {to: "[1,0]", _lt: 1}}}')).toEqual([1]);
    expect(await ids('order_by: {small_l1_distance: {to: "[0,1]"}}, limit: 1')).toEqual([2]);
  });

  it("Plain comparisons and orderings of vectors are unchanged in the schema", async () => {
    const text = `{ __type(name: "passage_order_by") { inputFields { name type { name } } } }`;
    expect(JSON.stringify(await ask(text))).toContain('{"name":"embedding","type":{"name":"order_by"}}');
  });
});

describe("The page about vectors", () => {
  let pageServer: TestServer;

  beforeAll(async () => {
    pageServer = await startTestServer();
  }, 60_000);

  afterAll(() => pageServer.close());

  it("The examples of docs/how-to/vector-search.md return the shown results", async () => {
    const page = await readFile(join(root, "docs/how-to/vector-search.md"), "utf8");
    const blocks = [...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, kind = "", text = ""]) => ({ kind, text }));
    const [{ text: sql } = { text: "" }] = blocks.filter(({ kind }) => kind === "sql");
    // The stand-in has no dimensions, and is installed by the test.
    const table = sql.replace(/^create extension.*$/m, "").replace("vector(3)", "ext.vector");
    await query(pageServer.databaseUrl, `${vectorTypes} ${table}`);
    await pageServer.metadata("pg_track_table", { table: "passage" });
    const examples = blocks.flatMap(({ kind, text }, i) => (kind === "graphql" ? [{ text, i }] : []));
    expect(examples).toHaveLength(3);
    for (const { text, i } of examples) {
      const [first, second] = blocks.slice(i + 1, i + 3).map((block) => block.text);
      const hasVariables = text.startsWith("query");
      const variables = hasVariables ? JSON.parse(first ?? "") : undefined;
      const expected = JSON.parse((hasVariables ? second : first) ?? "");
      expect(await pageServer.graphql(text, {}, variables), text).toEqual(expected);
    }
  });
});
