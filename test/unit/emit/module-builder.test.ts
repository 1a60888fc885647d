import { describe, expect, it } from "vitest";
import { call, object, shorthand, thunk } from "../../../compiler/4-emit/layout.ts";
import { ModuleBuilder } from "../../../compiler/4-emit/module-builder.ts";
import { member } from "../../../compiler/4-emit/sources.ts";

const header = { from: "table public.book", slice: "0123abcd" };
const module = (exports: readonly string[] = []) =>
  new ModuleBuilder("roles/user/default/public.book.ts", header, exports);

describe("Module builder", () => {
  it("A module builder prints the header, imports and declarations, and JavaScript with the same line numbers", () => {
    const builder = module(["book"]);
    const columns = builder.import("sources/default/public.book.ts", "columns");
    const author = builder.import("roles/user/default/public.author.ts", "author");
    const type = builder.supportType("RowFilter");
    builder.declare(["Which rows."], "visible", "() => true", type);
    const members = object([member("columns", columns), shorthand(author), member("all", thunk(author)), "visible"]);
    builder.export(["A book.", "x".repeat(100)], "book", call(builder.support("tableView"), members));
    expect(builder.print().text).toBe(
      [
        "// Generated: change the metadata, not this file.",
        "// From   table public.book",
        "// Slice  sha256:0123abcd",
        "",
        `import { type RowFilter, tableView } from "engine/support";`,
        `import { columns } from "../../../sources/default/public.book.js";`,
        `import { author } from "./public.author.js";`,
        "",
        "/** Which rows. */",
        "const visible: RowFilter = () => true;",
        "",
        "/**",
        " * A book.",
        ` * ${"x".repeat(100)}`,
        " */",
        "export const book = tableView({ columns: columns, author, all: () => author, visible });",
        "",
      ].join("\n"),
    );
    expect(builder.print().code).toBe(
      [
        '"use strict";const $0 = require("../../../sources/default/public.book.js");' +
          'const $1 = require("./public.author.js");const { tableView: tableView } = require("engine/support");',
        ...["", "", "", "", "", "", "", ""],
        "const visible = () => true;",
        ...["", "", "", "", ""],
        "const book = tableView({ columns: $0.columns, author: $1.author, all: () => $1.author, visible });" +
          " exports.book = book;",
        "",
      ].join("\n"),
    );
  });

  it("The module builder imports a name once, however often it is used", () => {
    const builder = module();
    expect([builder.support("sql"), builder.support("sql")]).toEqual(["sql", "sql"]);
    expect(builder.print().text.match(/sql/g)).toHaveLength(1);
  });

  it("The module builder never returns the same local name twice", () => {
    const builder = module(["sql"]);
    expect(builder.support("sql")).toBe("sql_2");
    expect(builder.print().code).toContain("{ sql: sql_2 } = require(");
    expect(builder.import("sources/a/public.sql.ts", "sql").name).toBe("sql_3");
    expect(builder.local("sql")).toBe("sql_4");
    const { text, code } = builder.print();
    expect(text).toContain(`import { sql as sql_2 } from "engine/support";`);
    expect(code).toContain(`const { sql: sql_2 } = require("engine/support");`);
  });

  it("The module builder returns parameter names that differ from each other and from names in scope", () => {
    const builder = module(["book"]);
    builder.support("sql");
    expect(builder.parameters(["session", "session", "sql", "book"])).toEqual([
      "session",
      "session_2",
      "sql_2",
      "book",
    ]);
  });
});
