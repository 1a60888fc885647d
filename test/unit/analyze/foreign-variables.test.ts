/**
 * Permissions that were written for another engine: if its session variables were treated as constants, the filters
 * would admit rows.
 */
import { describe, expect, it } from "vitest";
import { analysisOf, library, reasonsOf, tableIn } from "./sample.ts";

function analyzed(kind: string, permission: object, options = {}) {
  const author = { table: "author", [`${kind}_permissions`]: [{ role: "user", permission }] };
  return analysisOf({ tables: [author, { table: "article" }] }, { shape: library, options });
}

describe("Session variables with a foreign prefix", () => {
  it.each<[string, string, object]>([
    ["filter.name._eq", "select", { columns: "*", filter: { name: { _eq: "X-Hasura-User-Id" } } }],
    ["filter.name", "delete", { filter: { name: "x-hasura-user-id" } }],
    [
      "filter._and[1]._not.id._in",
      "select",
      { columns: "*", filter: { _and: [{}, { _not: { id: { _in: "X-HASURA-Ids" } } }] } },
    ],
    ["filter.name._in[0]", "select", { columns: "*", filter: { name: { _in: ["X-Hasura-User-Id"] } } }],
    [
      "filter._exists._where.id._eq",
      "update",
      { columns: "*", filter: { _exists: { _table: "article", _where: { id: { _eq: "X-Hasura-Id" } } } } },
    ],
    ["check.name._eq", "insert", { columns: "*", check: { name: { _eq: "X-Hasura-User-Id" } } }],
    ["check.name", "update", { columns: "*", filter: {}, check: { name: "X-Hasura-User-Id" } }],
    ["set.name", "insert", { columns: "*", check: {}, set: { name: "X-Hasura-User-Id" } }],
    ["set.name", "update", { columns: "*", filter: {}, set: { name: "X-Hasura-User-Id" } }],
  ])("A session variable with a foreign prefix is reported at %s of %s permissions", (path, kind, permission) => {
    expect(reasonsOf(analyzed(kind, permission))).toEqual([
      expect.stringMatching(
        new RegExp(
          `^in table "author": in permission for role "user": ${path.replace(/[[\]]/g, "\\$&")}: "x-hasura-[\\w-]+" is a session variable of another engine: write "x-engine-`,
          "i",
        ),
      ),
    ]);
    expect(reasonsOf(analyzed(kind, permission, { sessionAlias: "x-other-" }))).toHaveLength(1);
  });

  it("A session variable with a foreign prefix is accepted if the alias option names the prefix", () => {
    const filter = { name: { _in: ["X-Hasura-User-Id"] }, id: { _in: "X-Hasura-Ids" }, age: { _eq: "X-Hasura-Age" } };
    const analysis = analyzed("select", { columns: "*", filter }, { sessionAlias: "x-hasura-" });
    expect(reasonsOf(analysis)).toEqual([]);
    expect(tableIn(analysis, "public.author").select.get("user")?.filter).toMatchObject({
      items: [
        { operand: { kind: "literal", value: ["X-Hasura-User-Id"] } },
        { operand: { kind: "session", variable: "x-engine-ids" } },
        { operand: { kind: "session", variable: "x-engine-age" } },
      ],
    });
  });

  it.each(["x-hasura", "x-hasurauser", "see X-Hasura-Role", "X-Hasura-"])(
    "The text %j is not treated as a session variable",
    (text) => {
      expect(reasonsOf(analyzed("select", { columns: "*", filter: { name: text } }))).toEqual([]);
    },
  );
});
