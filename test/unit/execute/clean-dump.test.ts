import { expect, it } from "vitest";
import { cleanDump } from "../../../runtime/execute/dump.ts";

it("A cleaned dump has no comments, empty lines, settings or psql commands", () => {
  const dump = [
    "--",
    "-- PostgreSQL database dump",
    "--",
    "\\restrict key",
    "SET statement_timeout = 0;",
    "SET transaction_timeout = 0;",
    "",
    "CREATE TABLE public.t (",
    "    id integer",
    ");",
    'CREATE TRIGGER "notify_engine_a_INSERT" AFTER INSERT ON t EXECUTE FUNCTION f();',
    "\\unrestrict key",
    "",
  ].join("\n");
  expect(cleanDump(dump)).toBe("CREATE TABLE public.t (\n    id integer\n);\n");
});

it.each([
  "INSERT INTO t VALUES ('a\n\n-- no comment\nSET row_security = off;\nit''s');\n",
  "INSERT INTO t VALUES (E'a\\'\n\n-- no comment');\n",
  'CREATE TABLE "a\n-- b""\n" (id integer);\n',
  "CREATE FUNCTION f() AS $_$\n\n-- kept\nselect '$$';\n$_$;\n",
  "COPY public.t (a) FROM stdin;\n\n-- a row\nit's\n\\.\n",
])("A cleaned dump keeps lines inside string literals, names, bodies and rows: %j", (text) => {
  expect(cleanDump(`-- it's a comment\n${text}-- "end\n`)).toBe(text);
});
