import { describe, expect, it } from "vitest";
import type { Predicate } from "../../../compiler/2-analyze/analyzed-table.ts";
import { dependentsOnType } from "../../../compiler/2-analyze/dependencies.ts";
import type { JsonObject } from "../../../compiler/catalog/model.ts";
import {
  analysisOf,
  argument,
  functionShape,
  library,
  reasonsOf,
  rowType,
  shape,
  table,
  tableIn,
  type,
} from "./sample.ts";

const toAuthor = { name: "author", using: { foreign_key_constraint_on: "author_id" } };
const toArticles = {
  name: "articles",
  using: { foreign_key_constraint_on: { table: "article", column: "author_id" } },
};

/** Articles with a filter, and authors, related to each other. */
function tablesWith(filter: JsonObject): readonly object[] {
  const select_permissions = [{ role: "user", permission: { columns: [], filter } }];
  return [
    { table: "article", object_relationships: [toAuthor], select_permissions },
    { table: "author", array_relationships: [toArticles] },
  ];
}

function bound(filter: JsonObject): Predicate {
  const analysis = analysisOf({ tables: tablesWith(filter) });
  const select = tableIn(analysis, "public.article").select.get("user");
  if (select === undefined) throw new Error(reasonsOf(analysis).join("; "));
  return select.filter;
}

const place = 'in table "article": in permission for role "user": ';
function refusal(filter: JsonObject): readonly string[] {
  return reasonsOf(analysisOf({ tables: tablesWith(filter) })).map((reason) => reason.replace(place, "… "));
}

const int = type("int4");
const id = { name: "id", type: int };
const editor = { name: "editor_id", type: int };
const title = { name: "title", type: type("text") };
const literal = (value: unknown) => ({ kind: "literal", value });
const always = { kind: "and", items: [] };
const idIs = (value: number) => ({ kind: "compare", column: id, operator: "_eq", operand: literal(value) });

describe("The structure of boolean expressions", () => {
  it.each<[JsonObject, unknown]>([
    [{}, always],
    [{ _and: [] }, always],
    [{ _or: [] }, { kind: "or", items: [] }],
    [{ _not: {} }, { kind: "not", item: always }],
    [{ id: {} }, always],
    [{ id: { _eq: 1 } }, idIs(1)],
    [{ id: 1 }, idIs(1)],
    [{ id: { $eq: 1 } }, idIs(1)],
    [{ $and: [{ id: 1 }, { id: 2 }] }, { kind: "and", items: [idIs(1), idIs(2)] }],
    [{ $or: [{ id: 1 }, {}] }, { kind: "or", items: [idIs(1), always] }],
    [{ $not: { id: 1 } }, { kind: "not", item: idIs(1) }],
    [
      { id: 1, title: "x" },
      { kind: "and", items: [idIs(1), { kind: "compare", column: title, operator: "_eq", operand: literal("x") }] },
    ],
    [
      { id: { _gt: 1, _lte: 5 } },
      {
        kind: "and",
        items: [
          { kind: "compare", column: id, operator: "_gt", operand: literal(1) },
          { kind: "compare", column: id, operator: "_lte", operand: literal(5) },
        ],
      },
    ],
  ])("The expression %j is bound to its predicate", (filter, predicate) => {
    expect(bound(filter)).toEqual(predicate);
  });

  it.each<[JsonObject, string]>([
    [{ _and: {} }, "… parsing [] failed, expected Array, but encountered Object"],
    [{ _or: "x" }, "… parsing [] failed, expected Array, but encountered String"],
    [{ _not: [] }, "… parsing Object failed, expected Object, but encountered Array"],
    [{ _and: [1] }, "… parsing Object failed, expected Object, but encountered Number"],
    [{ none: 1 }, '… "none" does not exist'],
    [{ _nand: [] }, '… "_nand" does not exist'],
    [{ author: 1 }, "… parsing Object failed, expected Object, but encountered Number"],
  ])("The expression %j is inconsistent", (filter, reason) => {
    expect(refusal(filter)).toEqual([reason]);
  });
});

describe("Null in boolean expressions", () => {
  it.each<[JsonObject, unknown]>([
    [{ editor_id: null }, { kind: "is_null", column: editor, negated: false }],
    [{ editor_id: { _eq: null } }, { kind: "is_null", column: editor, negated: false }],
    [{ editor_id: { $ne: null } }, { kind: "is_null", column: editor, negated: true }],
    [{ editor_id: { _neq: null } }, { kind: "is_null", column: editor, negated: true }],
    [{ editor_id: { _is_null: true } }, { kind: "is_null", column: editor, negated: false }],
    [{ id: { _is_null: false } }, { kind: "is_null", column: id, negated: true }],
  ])("The null comparison %j becomes a null check", (filter, predicate) => {
    expect(bound(filter)).toEqual(predicate);
  });

  it("A comparison of a NOT NULL column with null stays a comparison", () => {
    expect(bound({ id: { _eq: null } })).toEqual({
      kind: "compare",
      column: id,
      operator: "_eq",
      operand: literal(null),
    });
  });

  it("A null operand of another operator stays a comparison", () => {
    expect(bound({ editor_id: { _gt: null } })).toMatchObject({ kind: "compare", operand: literal(null) });
  });

  it("Null is refused as a list and a string as the operand of _is_null", () => {
    expect(refusal({ id: { _in: null } })).toEqual(["… parsing [] failed, expected Array, but encountered Null"]);
    expect(refusal({ id: { _is_null: "x" } })).toEqual([
      "… parsing Bool failed, expected Boolean, but encountered String",
    ]);
  });
});

describe("Session variables in boolean expressions", () => {
  it.each<[JsonObject, unknown]>([
    [{ id: "X-Engine-User-Id" }, { kind: "compare", column: id, operator: "_eq" }],
    [{ id: { _ne: "x-engine-user-id" } }, { kind: "compare", column: id, operator: "_neq" }],
    [{ id: { $gt: "REQ_USER_ID" } }, { kind: "compare", column: id, operator: "_gt" }],
    [{ id: { _in: "X-ENGINE-USER-ID" } }, { kind: "compare", column: id, operator: "_in" }],
    [{ editor_id: { _eq: "x-engine-user-id" } }, { kind: "compare", column: editor, operator: "_eq" }],
  ])("The session variable in %j is bound", (filter, predicate) => {
    expect(bound(filter)).toEqual({
      ...(predicate as object),
      operand: { kind: "session", variable: "x-engine-user-id" },
    });
  });

  it("A session variable inside a list is a literal", () => {
    expect(bound({ title: { _in: ["X-Engine-A"] } })).toMatchObject({ operand: literal(["X-Engine-A"]) });
  });

  it("A session variable may not be the operand of _is_null", () => {
    expect(refusal({ id: { _is_null: "x-engine-flag" } })).toEqual([
      "… parsing Bool failed, expected Boolean, but encountered String",
    ]);
  });
});

describe("Operators of boolean expressions", () => {
  it.each<[string, string, unknown, string]>([
    ["id", "_in", [1, 2], "_in"],
    ["id", "$nin", [], "_nin"],
    ["title", "_ilike", "a%", "_ilike"],
    ["title", "$regex", "a", "_regex"],
    ["tags", "_contains", { a: [1] }, "_contains"],
    ["tags", "$has_key", "a", "_has_key"],
    ["tags", "_has_keys_any", ["a"], "_has_keys_any"],
    ["pages", "_contains", [1], "_contains"],
    ["pages", "_eq", [1, 2], "_eq"],
    ["id", "_eq", "17", "_eq"],
  ])("The operator is bound: %s %s %j", (column, operator, operand, name) => {
    const filter = { [column]: { [operator]: operand } } as JsonObject;
    expect(bound(filter)).toMatchObject({ kind: "compare", operator: name, operand: literal(operand) });
  });

  it.each<[JsonObject, string]>([
    [{ id: { _eqq: 1 } }, "… Unknown operator: _eqq"],
    [{ id: { $foo: 1 } }, "… Unknown operator: $foo"],
    [{ id: { eq: 1 } }, "… Unknown operator: eq"],
    [{ id: { _has_key: "a" } }, '…  is of type "integer"; this operator works only on columns of type "jsonb"'],
    [
      { id: { _like: "a" } },
      '…  is of type "integer"; this operator works only on columns of type "bpchar"/"citext"/"text"/"varchar"',
    ],
    [{ raw: { _eq: {} } }, "… JSON column can not be part of boolean expression"],
    [{ raw: null }, "… JSON column can not be part of boolean expression"],
    [{ id: { _in: 1 } }, "… parsing [] failed, expected Array, but encountered Number"],
    [{ id: { _eq: true } }, "… parsing Integer failed, expected Number, but encountered Boolean"],
    [{ id: [1] }, "… parsing Integer failed, expected Number, but encountered Array"],
    [{ id: { _in: [{}] } }, "… parsing Integer failed, expected Number, but encountered Object"],
    [{ title: 5 }, "… parsing Text failed, expected String, but encountered Number"],
  ])("The operator in %j is refused", (filter, reason) => {
    expect(refusal(filter)).toEqual([reason]);
  });

  it("An unknown operator is refused with the nearest one", () => {
    const [entry] = analysisOf({ tables: tablesWith({ id: { _eqq: 1 } }) }).inconsistencies;
    expect(entry?.hint).toBe('did you mean "_eq"?');
  });
});

describe("Casts in boolean expressions", () => {
  const asText = { name: "tags", type: type("jsonb"), cast: "text" };
  it.each([["String"], ["text"]])("A cast may use the type name %s", (target) => {
    expect(bound({ tags: { _cast: { [target]: { _like: "a%" } } } })).toEqual({
      kind: "compare",
      column: asText,
      operator: "_like",
      operand: literal("a%"),
    });
  });

  it("A cast may use the older spelling with several operators", () => {
    expect(bound({ tags: { $cast: { String: { $eq: "a", _is_null: true } } } })).toEqual({
      kind: "and",
      items: [
        { kind: "compare", column: asText, operator: "_eq", operand: literal("a") },
        { kind: "is_null", column: asText, negated: false },
      ],
    });
  });

  it.each<[JsonObject, string]>([
    [{ tags: { _cast: { integer: { _eq: 1 } } } }, '… cannot cast column of type "jsonb" to type "integer"'],
    [{ id: { _cast: { text: { _eq: 1 } } } }, '… cannot cast column of type "integer" to type "text"'],
    [{ tags: { _cast: { String: { _foo: 1 } } } }, "… Unknown operator: _foo"],
    [{ tags: { _cast: { String: { _ceq: "title" } } } }, "… Unknown operator: _ceq"],
    [
      { tags: { _cast: { String: { _has_key: "a" } } } },
      '…  is of type "text"; this operator works only on columns of type "jsonb"',
    ],
    [{ tags: { _cast: "text" } }, "… parsing Object failed, expected Object, but encountered String"],
  ])("The cast %j is refused", (filter, reason) => {
    expect(refusal(filter)).toEqual([reason]);
  });
});

describe("Operators with several operands", () => {
  const places = shape([
    table("place", {
      columns: {
        flat: { type: { schema: "public", name: "geometry", sql: "public.geometry", category: "base" } },
        round: { type: { schema: "public", name: "geography", sql: "public.geography", category: "base" } },
      },
    }),
  ]);
  const placesWith = (filter: JsonObject) => {
    const tables = [{ table: "place", select_permissions: [{ role: "user", permission: { columns: [], filter } }] }];
    return analysisOf({ tables }, { shape: places });
  };
  const filterOf = (filter: JsonObject) => tableIn(placesWith(filter), "public.place").select.get("user")?.filter;
  const point = { type: "Point", coordinates: [0, 1] };

  it("Each operand may come from the metadata or the session", () => {
    expect(filterOf({ flat: { $st_d_within: { distance: 1.5, from: "X-Engine-Place" } } })).toMatchObject({
      kind: "compare_structured",
      operator: "_st_d_within",
      operands: [literal(1.5), { kind: "session", variable: "x-engine-place" }],
    });
  });

  it("A missing optional operand has its default", () => {
    expect(filterOf({ round: { _st_d_within: { distance: 1, from: point } } })).toMatchObject({
      operands: [literal(1), literal(point), literal(true)],
    });
  });

  it("A missing required operand is refused", () => {
    expect(reasonsOf(placesWith({ flat: { _st_d_within: { from: point } } }))).toEqual([
      'in table "place": in permission for role "user": key "distance" not found',
    ]);
    expect(reasonsOf(placesWith({ flat: { _st_d_within: "X-Engine-Place" } }))).toEqual([
      'in table "place": in permission for role "user": parsing Object failed, expected Object, but encountered String',
    ]);
  });
});

describe("Comparisons of columns", () => {
  it.each<[JsonObject, string, "row" | "root"]>([
    [{ id: { _ceq: "editor_id" } }, "=", "row"],
    [{ id: { $cne: ["editor_id"] } }, "<>", "row"],
    [{ id: { _cneq: ["$", "editor_id"] } }, "<>", "root"],
    [{ id: { _cgt: "editor_id" } }, ">", "row"],
    [{ id: { _clt: "editor_id" } }, "<", "row"],
    [{ id: { _cgte: "editor_id" } }, ">=", "row"],
    [{ id: { $clte: "editor_id" } }, "<=", "row"],
  ])("The column comparison %j is bound", (filter, operator, of) => {
    expect(bound(filter)).toEqual({ kind: "compare_columns", left: id, operator, right: { column: "editor_id", of } });
  });

  it("A column comparison distinguishes the row of a relationship from the row of the permission", () => {
    const where = (filter: JsonObject) => {
      const predicate = bound({ author: filter });
      return predicate.kind === "related" ? predicate.where : undefined;
    };
    expect(where({ id: { _ceq: "age" } })).toMatchObject({ right: { column: "age", of: "row" } });
    expect(where({ id: { _ceq: ["$", "editor_id"] } })).toMatchObject({ right: { column: "editor_id", of: "root" } });
  });

  it.each<[JsonObject, string]>([
    [{ id: { _ceq: [] } }, "… path cannot be empty"],
    [{ id: { _ceq: ["$"] } }, "… path cannot be empty"],
    [{ id: { _ceq: ["author", "id"] } }, "… Relationship references are not supported in column comparison RHS"],
    [{ id: { _ceq: ["$", "author", "id"] } }, "… Relationship references are not supported in column comparison RHS"],
    [{ id: { _ceq: "title" } }, '… incompatible column types: "id" has type "integer", but "title" has type "text"'],
    [{ id: { _ceq: "none" } }, '… "none" does not exist'],
    [{ id: { _ceq: 1 } }, "… parsing [] failed, expected Array, but encountered Number"],
    [{ id: { _ceq: [1] } }, "… parsing Text failed, expected String, but encountered Number"],
    [{ author: { id: { _ceq: "editor_id" } } }, '… "editor_id" does not exist'],
  ])("The column comparison %j is refused", (filter, reason) => {
    expect(refusal(filter)).toEqual([reason]);
  });
});

describe("Relationships in boolean expressions", () => {
  it("A relationship in an expression tests related rows", () => {
    const analysis = analysisOf({ tables: tablesWith({ author: { articles: { id: 1 } } }) });
    const [article, author] = [tableIn(analysis, "public.article"), tableIn(analysis, "public.author")];
    expect(article.select.get("user")?.filter).toEqual({
      kind: "related",
      relationship: article.relationships.get("author"),
      where: { kind: "related", relationship: author.relationships.get("articles"), where: idIs(1) },
    });
  });

  it("A relationship without conditions tests whether a related row exists", () => {
    expect(bound({ author: {} })).toMatchObject({ kind: "related", where: always });
  });

  it("A permission is inconsistent if the target of its relationship is untracked", () => {
    const [article] = tablesWith({ author: {} });
    expect(reasonsOf(analysisOf({ tables: [article ?? {}] }))).toEqual([
      'table "author" is not tracked',
      'table "article" has no field named "author"',
    ]);
  });

  it("A permission is inconsistent if its relationship is inconsistent", () => {
    const filter = { r: {} };
    const tables = [
      {
        table: "article",
        object_relationships: [{ name: "r", using: { foreign_key_constraint_on: "title" } }],
        select_permissions: [{ role: "user", permission: { columns: [], filter } }],
      },
    ];
    expect(reasonsOf(analysisOf({ tables }))).toEqual([
      'in table "article": in relationship "r": no foreign constraint exists on the given column(s)',
      `${place}"r" does not exist`,
    ]);
  });
});

describe("The _exists operator", () => {
  it.each<[unknown]>([["author"], [{ name: "author" }], [{ schema: "public", name: "author" }]])(
    "_exists tests any row of %j",
    (_table) => {
      const filter = { _exists: { _table, _where: { age: { _gt: 1 } } } } as JsonObject;
      expect(bound(filter)).toEqual({
        kind: "exists",
        table: "public.author",
        where: { kind: "compare", column: { name: "age", type: int }, operator: "_gt", operand: literal(1) },
      });
    },
  );

  it("_exists has an older spelling, and $ inside it refers to the row of the permission", () => {
    const filter = { $exists: { _table: "author", _where: { age: { _ceq: ["$", "editor_id"] } } } };
    expect(bound(filter)).toMatchObject({ where: { right: { column: "editor_id", of: "root" } } });
  });

  it.each<[JsonObject, string]>([
    [{ _exists: { _table: "none", _where: {} } }, '… table "none" does not exist in source: default'],
    [
      { _exists: { _table: { schema: "s", name: "author" }, _where: {} } },
      '… table "s.author" does not exist in source: default',
    ],
    [{ _exists: { _where: {} } }, '… key "_table" not found'],
    [{ _exists: { _table: {}, _where: {} } }, '… key "name" not found'],
    [{ _exists: { _table: "author" } }, '… key "_where" not found'],
    [{ _exists: [] }, "… parsing Object failed, expected Object, but encountered Array"],
  ])("The _exists expression %j is refused", (filter, reason) => {
    expect(refusal(filter)).toEqual([reason]);
  });
});

describe("Computed fields in boolean expressions", () => {
  const row = argument("r", rowType("public", "article"));
  const functions = [
    functionShape("shout", { arguments: [row, argument("session", type("json"))] }),
    functionShape("more", { arguments: [row, argument("n", int)] }),
    functionShape("raw", { arguments: [row], returns: type("json") }),
    functionShape("writers", {
      arguments: [row],
      returnsSet: true,
      returns: rowType("public", "author"),
      returnsTable: { schema: "public", name: "author" },
    }),
  ];
  const computed_fields = [
    { name: "loud", definition: { function: "shout", session_argument: "session" } },
    { name: "more", definition: { function: "more" } },
    { name: "notes", definition: { function: "raw" } },
    { name: "writers", definition: { function: "writers" } },
  ];
  const analyzed = (filter: JsonObject) => {
    const [article, author] = tablesWith(filter);
    const tables = [{ ...article, computed_fields }, author ?? {}];
    return analysisOf({ tables }, { shape: { ...library, functions } });
  };
  const filterOf = (filter: JsonObject) => tableIn(analyzed(filter), "public.article").select.get("user")?.filter;

  it("A computed field in an expression may be a scalar or rows of another table", () => {
    const column = { name: "loud", type: type("text"), computed: { name: "loud" } };
    expect(filterOf({ loud: "A" })).toMatchObject({ kind: "compare", column, operator: "_eq", operand: literal("A") });
    expect(filterOf({ loud: { _eq: null } })).toMatchObject({ kind: "is_null", column, negated: false });
    expect(filterOf({ writers: { name: { _ceq: ["$", "title"] } } })).toMatchObject({
      kind: "computed_rows",
      computed: { name: "writers" },
      target: "public.author",
      where: { kind: "compare_columns", right: { column: "title", of: "root" } },
    });
  });

  it("A permission depends on its computed fields and on the tables of their rows", () => {
    const { dependencies } = analyzed({ loud: "A", writers: {} });
    const needed = [...dependencies.values()].flat().filter(({ object }) => object.kind === "permission");
    expect(needed.map(({ on }) => on)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: "computed_field", name: "loud" }),
        expect.objectContaining({ kind: "computed_field", name: "writers" }),
        expect.objectContaining({ kind: "table", table: { schema: "public", name: "author" } }),
      ]),
    );
  });

  it.each<[JsonObject, string]>([
    [{ more: "x" }, "Computed columns with input arguments can not be part of the where clause"],
    [{ notes: "x" }, "JSON column can not be part of boolean expression"],
    [{ loud: { _contains: {} } }, ' is of type "text"; this operator works only on columns of type "jsonb"'],
    [{ writers: { none: 1 } }, '"none" does not exist'],
  ])("The computed field in %j is refused", (filter, reason) => {
    expect(reasonsOf(analyzed(filter))).toEqual([`${place}${reason}`]);
  });
});

describe("Dependencies on column types", () => {
  const column = {
    kind: "column",
    source: "default",
    table: { schema: "public", name: "article" },
    column: "id",
  } as const;
  it.each<[JsonObject, number]>([
    [{ id: { _eq: 1 } }, 1],
    [{ id: { _in: [1] } }, 1],
    [{ id: { _eq: "X-Engine-Id" } }, 0],
    [{ id: { _is_null: true } }, 0],
    [{ id: { _ceq: "editor_id" } }, 0],
    [{ _and: [{ id: "X-Engine-Id" }, { id: 1 }, { id: "X-Engine-Id" }] }, 1],
    [{ author: { articles: { id: 1 } } }, 1],
  ])("The filter %j has the expected number of dependencies on the column's type", (filter, count) => {
    expect(dependentsOnType(analysisOf({ tables: tablesWith(filter) }), column)).toHaveLength(count);
  });

  it.each([
    [5, 1],
    ["X-Engine-Id", 0],
  ])("A preset of %j has the expected number of dependencies on the column's type", (id, count) => {
    const insert_permissions = [{ role: "user", permission: { check: {}, columns: ["id"], set: { id } } }];
    const analysis = analysisOf({ tables: [{ table: "article", insert_permissions }] });
    expect(dependentsOnType(analysis, column)).toHaveLength(count);
  });
});
