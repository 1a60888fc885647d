/** The first rows of each group reveal nothing of rows and cells that a role may not read. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestEngine } from "../../support/compiled.ts";
import { createDatabase, query as runSql, type TestDatabase } from "../../support/database.ts";

let database: TestDatabase;
let engine: TestEngine;

const mine = { owner: { _eq: "X-Engine-User-Id" } };

const tables = [
  {
    table: "note",
    select_permissions: [
      { role: "owner", permission: { columns: ["id", "topic", "secret"], filter: mine } },
      { role: "reader", permission: { columns: ["id", "topic"], filter: { is_open: { _eq: true } }, limit: 3 } },
    ],
  },
];

beforeAll(async () => {
  database = await createDatabase("top_per");
  engine = new TestEngine(database.url);
  await runSql(
    database.url,
    `create table note (
       id int primary key, owner text not null, topic text not null, secret text not null, is_open boolean not null
     );
     insert into note values
       (1, 'ben', 'a', 's1', false), (2, 'ann', 'a', 's2', true), (3, 'ben', 'a', 's3', true),
       (4, 'ann', 'b', 's4', true), (5, 'ben', 'b', 's4', true), (6, 'ben', 'b', 's6', true)`,
  );
  const inherited_roles = [{ role_name: "both", role_set: ["owner", "reader"] }];
  const { inconsistencies } = await engine.track(tables, { inherited_roles });
  expect(inconsistencies).toEqual([]);
}, 60_000);

afterAll(async () => {
  await engine?.close();
  await database?.drop();
});

const list = (role: string, args: string, fields = "id", variables: Record<string, unknown> = {}) =>
  engine.ask(role, `query { note(${args}) { ${fields} } }`, { "x-engine-user-id": "ann" }, variables);

describe("Groups of rows that a role may not read", () => {
  it("Rows that the row filter excludes take no place in a group", async () => {
    expect(await list("owner", "top_per: {columns: topic, limit: 1}, order_by: {id: asc}")).toEqual({
      note: [{ id: 2 }, { id: 4 }],
    });
    expect(await list("reader", "top_per: {columns: topic, limit: 1}, order_by: {id: asc}")).toEqual({
      note: [{ id: 2 }, { id: 4 }],
    });
  });

  it("A column that the role may not read forms no groups", async () => {
    await expect(list("reader", "top_per: {columns: secret, limit: 1}")).rejects.toThrow(/expected one of the values/);
    await expect(list("reader", "top_per: {columns: [topic, is_open], limit: 1}")).rejects.toThrow(
      /expected one of the values/,
    );
  });

  it("Hidden cells of an inherited role form one group of nulls", async () => {
    // Ann reads the secrets of her two notes only; all others are null, whether or not they are equal.
    const args = "top_per: {columns: secret, limit: 1}, order_by: {id: asc}";
    expect(await list("both", args, "id secret")).toEqual({
      note: [
        { id: 2, secret: "s2" },
        { id: 3, secret: null },
        { id: 4, secret: "s4" },
      ],
    });
  });

  it("The permission's limit applies to the whole list", async () => {
    const args = "top_per: {columns: topic, limit: 100}, order_by: {id: asc}";
    expect(await list("reader", args)).toEqual({ note: [{ id: 2 }, { id: 3 }, { id: 4 }] });
  });

  it.each(["1) or true --", "1e9", [1], { a: 1 }, 2_147_483_648, "1"])(
    "A limit that is no number is refused: %j",
    async (n) => {
      const before = engine.sent.length;
      const text = "query ($n: Int!) { note(top_per: {columns: topic, limit: $n}) { id } }";
      await expect(engine.ask("reader", text, {}, { n })).rejects.toThrow(/non-negative 32-bit integer/);
      expect(engine.sent.length).toBe(before);
    },
  );
});
