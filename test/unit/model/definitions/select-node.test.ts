import { describe, expect, it } from "vitest";
import { selectNode, type TablesByName } from "../../../../runtime/model/definitions/roots.ts";

const view = () => {
  throw new Error("nothing is looked at");
};
const tables: TablesByName = {
  shelf: { library: { book: view, ["__proto__"]: view }, public: { book: view } },
  depot: { library: { book: view } },
};

/** Returns source, schema and name of each table. */
const listed = (given: TablesByName): readonly string[] =>
  Object.entries(given).flatMap(([source, schemas]) =>
    Object.entries(schemas).flatMap(([schema, names]) =>
      Object.keys(names).map((name) => `${source} ${schema} ${name}`),
    ),
  );

describe("Selection of tables for node", () => {
  it("selectNode returns the tables of a role by default", () => {
    expect(listed(selectNode(tables).tables)).toEqual(listed(tables));
  });

  it("selectNode excludes tables by source, schema and name", () => {
    const { tables: kept } = selectNode(tables, { except: [["shelf", "library", "book"]] });
    expect(listed(kept)).toEqual(["shelf library __proto__", "shelf public book", "depot library book"]);
    const { tables: fewer } = selectNode(tables, { except: [["shelf", "library", "__proto__"]] });
    expect(listed(fewer)).toEqual(["shelf library book", "shelf public book", "depot library book"]);
  });
});
