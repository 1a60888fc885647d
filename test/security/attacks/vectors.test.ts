/** Vectors of requests never become SQL, and long or invalid lists fail before a statement runs. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestEngine } from "../../support/compiled.ts";
import { createDatabase, query as runSql, type TestDatabase } from "../../support/database.ts";
import { vectorTypes } from "../../support/vector-type.ts";

let database: TestDatabase;
let engine: TestEngine;

beforeAll(async () => {
  database = await createDatabase("vectors");
  engine = new TestEngine(database.url);
  await runSql(
    database.url,
    `${vectorTypes} create table passage (id int primary key, owner text not null, embedding ext.vector);
     insert into passage values (1, 'ann', '[1,0]'), (2, 'ben', '[0,1]'), (3, 'ben', '[0,2]')`,
  );
  const permission = (columns: readonly string[], filter: object) => ({ columns, filter });
  const { inconsistencies } = await engine.track(
    [
      {
        table: "passage",
        select_permissions: [
          { role: "all", permission: permission(["id", "embedding"], {}) },
          { role: "ids", permission: permission(["id"], {}) },
          { role: "own", permission: permission(["id", "embedding"], { owner: { _eq: "X-Engine-User-Id" } }) },
        ],
      },
    ],
    { inherited_roles: [{ role_name: "both", role_set: ["ids", "own"] }] },
  );
  expect(inconsistencies).toEqual([]);
}, 60_000);

afterAll(async () => {
  await engine?.close();
  await database?.drop();
});

const nearest = "query ($to: vector!) { passage(order_by: {embedding_l2_distance: {to: $to}}, limit: 1) { id } }";
const within = "query ($to: vector!) { passage(where: {embedding: {_cosine_distance: {to: $to, _lt: 1}}}) { id } }";

describe("Vectors of requests", () => {
  it.each([
    ["a text in a list", ["0", 1], /expected a number/],
    ["SQL in a list", ["1]'::ext.vector) or true --"], /expected a number/],
    ["a nested list", [[1, 2]], /expected a number/],
    ["null in a list", [1, null], /expected a number/],
    ["a boolean in a list", [true], /expected a number/],
    ["an object", { a: 1 }, /expected a list of numbers/],
    ["a number", 1, /expected a list of numbers/],
    ["NaN", [Number.NaN], /expected a number/],
    ["Infinity", [Number.POSITIVE_INFINITY], /expected a number/],
    ["a list of 16,001 numbers", Array.from({ length: 16_001 }, () => 0), /at most 16000 numbers/],
  ])("An invalid vector fails before a statement runs: %s", async (_, to, message) => {
    for (const text of [nearest, within]) {
      const before = engine.sent.length;
      await expect(engine.ask("all", text, {}, { to })).rejects.toThrow(message);
      expect(engine.sent.length).toBe(before);
    }
  });

  it("A text that is SQL stays a value", async () => {
    await expect(engine.ask("all", nearest, {}, { to: "[1]'); drop table passage; --" })).rejects.toThrow();
    expect(engine.sent.at(-1)?.text).not.toContain("drop table");
    expect(await engine.ask("all", "{ passage(order_by: {id: asc}) { id } }", {}, {})).toEqual({
      passage: [{ id: 1 }, { id: 2 }, { id: 3 }],
    });
  });

  it("A hidden vector has no distance", async () => {
    const session = { "x-engine-user-id": "ann" };
    const order = "query { passage(order_by: [{embedding_l2_distance: {to: [0, 2]}}, {id: desc}]) { id embedding } }";
    // Only the vector of row 1 is visible: the others are last, in the order of their ids.
    expect(await engine.ask("both", order, session, {})).toEqual({
      passage: [
        { id: 1, embedding: [1, 0] },
        { id: 3, embedding: null },
        { id: 2, embedding: null },
      ],
    });
    const filter = "query { passage(where: {embedding: {_l2_distance: {to: [0, 1], _gte: 0}}}) { id } }";
    expect(await engine.ask("both", filter, session, {})).toEqual({ passage: [{ id: 1 }] });
  });

  it("A role that may not read the column cannot order or filter by it", async () => {
    await expect(engine.ask("ids", nearest, {}, { to: [1, 0] })).rejects.toThrow(/not found in type/);
    await expect(engine.ask("ids", within, {}, { to: [1, 0] })).rejects.toThrow(/not found in type/);
  });
});
