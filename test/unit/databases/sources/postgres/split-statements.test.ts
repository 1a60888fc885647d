import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  placedStatements,
  splitStatements,
} from "../../../../../runtime/databases/sources/postgres/split-statements.ts";

describe("Splitting of SQL statements", () => {
  it.each<[string, string, readonly string[]]>([
    ["nothing", " ; ;\n", []],
    ["one without semicolon", "select 1", ["select 1"]],
    ["several", "select 1; select 2 ;select 3;", ["select 1", "select 2", "select 3"]],
    ["strings", "select 'a;b', 'it''s;'; select 2", ["select 'a;b', 'it''s;'", "select 2"]],
    ["a backslash in a plain string", "select 'a\\'; select 2", ["select 'a\\'", "select 2"]],
    ["escape strings", "select E'a\\';b', e'\\\\'; select 2", ["select E'a\\';b', e'\\\\'", "select 2"]],
    ["a word that ends in e before a string", "select type'a\\'; select 2", ["select type'a\\'", "select 2"]],
    ["identifiers", 'select ";"";"; select 2', ['select ";"";"', "select 2"]],
    [
      "dollar quotes",
      "do $$ a; b $$; select $x$ ; $$ ; $x$; select 2",
      ["do $$ a; b $$", "select $x$ ; $$ ; $x$", "select 2"],
    ],
    ["dollars that are no quotes", "select $1, a$b$c; select 2", ["select $1, a$b$c", "select 2"]],
    ["line comments", "select 1 -- ; it's\n, 2; -- end", ["select 1 \n, 2"]],
    ["block comments", "select/* ; /* nested; */ ' */1; select 2", ["select 1", "select 2"]],
    ["comment marks inside strings", "select '--;', '/*'; select 2 /* */", ["select '--;', '/*'", "select 2"]],
    [
      "parentheses",
      "create rule r as on insert to t do (delete from a; delete from b); select 2",
      ["create rule r as on insert to t do (delete from a; delete from b)", "select 2"],
    ],
    [
      "function bodies of SQL",
      "create function f() returns int BEGIN ATOMIC select case when true then 1 end; select 2; END; select 3",
      ["create function f() returns int BEGIN ATOMIC select case when true then 1 end; select 2; END", "select 3"],
    ],
    [
      "a transaction block",
      "begin; select case when true then 1 end; end; select 2",
      ["begin", "select case when true then 1 end", "end", "select 2"],
    ],
    ["an unclosed quote", "select 'a; select 2", ["select 'a; select 2"]],
    ["an unclosed comment", "select 1; /* a; select 2", ["select 1"]],
    ["an extra closing parenthesis", "select 1); select 2", ["select 1)", "select 2"]],
  ])("splitStatements splits %s", (_, sql, statements) => {
    expect(splitStatements(sql)).toEqual(statements);
  });

  it("splitStatements keeps statements whole, regardless of the contents of their quotes", () => {
    const inner = fc.string({ unit: fc.constantFrom("a", ";", " ", "-", "/", "*", "'", '"', "(", ")", "$", "\n") });
    const quoted = inner.chain((text) =>
      fc.constantFrom(
        `select '${text.replaceAll("'", "''")}'`,
        `select "${text.replaceAll('"', '""')}"`,
        `select $q$${text}$q$`,
        `select E'${text.replaceAll("'", "\\'")}'`,
      ),
    );
    fc.assert(
      fc.property(fc.array(quoted), (statements) => {
        expect(splitStatements(statements.join(";"))).toEqual(statements);
      }),
    );
  });

  it("placedStatements returns the start of each statement", () => {
    const sql = "\n-- a\nselect 1; /* b; */ ;\n  select 2 -- c\n;";
    expect(placedStatements(sql).map(({ start }) => sql.slice(start, start + 8))).toEqual(["select 1", "select 2"]);
  });

  it("splitStatements supports texts of megabytes", () => {
    const long = `insert into t values ('${"x''".repeat(1_000_000)}')`;
    expect(splitStatements(`${long};${long}`)).toEqual([long, long]);
  });
});
