/** A small catalogue in the form of a PostgreSQL server's responses: rows for the tests in this folder. */

import type { Query } from "../../../compiler/dialects/dialect.ts";
import type { CatalogRows, TypeRow } from "../../../compiler/dialects/postgres/introspect/rows.ts";

export type Rows = readonly (readonly (string | null)[])[];

/** Returns a type; by default a base type of `pg_catalog`. */
export function typeRow(
  oid: string,
  name: string,
  more: Partial<{
    schema: string;
    kind: TypeRow[4];
    element: string;
    base: string;
    notNull: boolean;
    hasDefault: boolean;
    isRowType: boolean;
    ownedByOthers: boolean;
  }> = {},
): TypeRow {
  const schema = more.schema ?? "pg_catalog";
  return [
    oid,
    schema,
    name,
    `${schema}.${name}`,
    more.kind ?? "b",
    more.element ?? "0",
    more.base ?? "0",
    more.notNull ?? false,
    more.hasDefault ?? false,
    more.isRowType ?? false,
    more.ownedByOthers ?? false,
  ];
}

export const library: CatalogRows = {
  relation: [
    ["100", "shop", "book", "r", false, null, 28, false, false, false, false],
    ["101", "shop", "author", "r", false, "Who writes", 28, false, false, false, false],
    ["102", "Zoo", "author", "v", false, null, 4, false, false, false, false],
  ],
  columns: [
    [
      "100",
      [
        [1, "id", "23", true, true, "", false, null],
        [3, "author_id", "23", false, false, "", false, null],
        [4, "mood", "201", false, false, "", false, null],
      ],
    ],
    ["101", [[1, "id", "23", true, false, "a", false, null]]],
    ["102", [[1, "id", "23", false, false, "", false, null]]],
  ],
  constraint: [
    ["300", "100", "book_key", "p", [1], "0", null, false, false],
    ["301", "100", "z_author", "f", [3], "101", [1], false, false],
    ["302", "100", "a_author", "f", [3], "101", [1], false, false],
    ["303", "101", "author_key", "p", [1], "0", null, false, false],
    ["304", "100", "z_unique", "u", [4, 3], "0", null, false, false],
    ["305", "100", "b_unique", "u", [4], "0", null, false, false],
  ],
  function: [
    ["400", "shop", "title", null, "s", false, false, false, "25", ["25"], null, null, 0],
    ["401", "shop", "title", null, "s", false, false, false, "25", ["23"], null, null, 0],
    ["402", "shop", "books", null, "v", true, false, true, "210", ["210", "23"], null, ["of", ""], 1],
  ],
  type: [
    typeRow("23", "int4"),
    typeRow("25", "text"),
    typeRow("200", "mood", { schema: "shop", kind: "e" }),
    typeRow("201", "moods", { schema: "shop", kind: "d", base: "202" }),
    typeRow("202", "_mood", { schema: "shop", element: "200" }),
    typeRow("203", "unused", { schema: "shop", kind: "e" }),
    typeRow("210", "book", { schema: "shop", kind: "c", isRowType: true }),
  ],
  labels: [
    ["200", ["sad", "happy"]],
    ["203", ["x"]],
  ],
  fields: [],
  subtype: [],
  operators: [],
  converted: [],
  partial: [],
  virtual: [],
};

/** Returns the rows as the result of the statement. */
export function answerOf(rows: CatalogRows): Rows {
  return Object.entries(rows).flatMap(([section, list]) =>
    (list as readonly (readonly [string, string])[]).map((row) => {
      const id = section === "constraint" ? row[1] : /^(relation|columns|type)$/.test(section) ? row[0] : null;
      return [section, JSON.stringify(row), id];
    }),
  );
}

/** Returns a server that responds with its version, and then with these rows. */
export function serverWith(rows: Rows, version = "15.18 (Debian 15.18-0+deb12u1)"): Query {
  return async (sql) => (sql.includes("server_version_num") ? [["150018", version]] : rows);
}
