import { describe, expect, it } from "vitest";
import { ModuleBuilder } from "../../../compiler/4-emit/module-builder.ts";

const header = { from: "table public.book", slice: "0123abcd" };
const module = (exports: readonly string[] = []) =>
  new ModuleBuilder("roles/user/default/public.book.ts", header, exports);

describe("ModuleBuilder", () => {
  it("writes header, imports and declarations", () => {
    const builder = module(["book"]);
    builder.import("sources/default/public.book.ts", "columns");
    builder.import("roles/user/default/public.author.ts", "author");
    builder.supportType("RowFilter");
    builder.declare(["A book."], `export const book = ${builder.support("tableView")}()`);
    expect(builder.toString()).toBe(
      [
        "// Generated: change the metadata, not this file.",
        "// From   table public.book",
        "// Slice  sha256:0123abcd",
        "",
        `import { type RowFilter, tableView } from "engine/support";`,
        `import { columns } from "../../../sources/default/public.book.js";`,
        `import { author } from "./public.author.js";`,
        "",
        "/** A book. */",
        "export const book = tableView();",
        "",
      ].join("\n"),
    );
  });

  it("imports a name once, however often it is used", () => {
    const builder = module();
    expect([builder.support("sql"), builder.support("sql")]).toEqual(["sql", "sql"]);
    expect(builder.toString().match(/sql/g)).toHaveLength(1);
  });

  it("gives no name to two things", () => {
    const builder = module(["sql"]);
    expect(builder.support("sql")).toBe("sql_2");
    expect(builder.import("sources/a/public.sql.ts", "sql")).toBe("sql_3");
    expect(builder.local("sql")).toBe("sql_4");
    expect(builder.toString()).toContain(`import { sql as sql_2 } from "engine/support";`);
  });

  it("names parameters apart from each other and from what the function may use", () => {
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
