import { expect, it } from "vitest";
import { compile } from "../../../compiler/index.ts";
import { analysisOf, reasonsOf, shape, table } from "../analyze/sample.ts";

const author = table("author", { columns: { id: "int4!", name: "text" }, primaryKey: ["id"] });
const view = table("page", { columns: { id: "int4!", author_id: "int4" }, insertable: false });
const page = table("page", { columns: { id: "int4!", author_id: "int4" }, primaryKey: ["id"] });

const using = (remote_table: string, column_mapping: object) => ({
  manual_configuration: { remote_table, column_mapping },
});
const tables = [
  {
    table: "page",
    object_relationships: [{ name: "author", using: using("author", { author_id: "id" }) }],
  },
  {
    table: "author",
    array_relationships: [{ name: "pages", using: using("page", { id: "author_id" }) }],
  },
];

function relationshipsOf(rows: typeof page): string {
  const analysis = analysisOf({ tables }, { shape: shape([author, rows], []) });
  expect(reasonsOf(analysis)).toEqual([]);
  const program = compile({ analysis });
  const path = program.paths().find((each) => /^sources\/.*public\.page\.ts$/.test(each));
  return program.module(path ?? "").text;
}

it("A relationship of a view that is not insertable has no plan of nested inserts", () => {
  expect(relationshipsOf(page)).toContain("insertBefore");
  expect(relationshipsOf(view)).not.toContain("insertBefore");
});
