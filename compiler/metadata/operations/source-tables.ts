/** Operations that list and describe the objects of a source's database, tracked or not. */

import type { z } from "zod";
import type { QualifiedName, SourceKind } from "../../catalog/model.ts";
import { object } from "../../catalog/schema/combinators.ts";
import { sourceName } from "../../catalog/schema/scalars.ts";
import { fail } from "../../diagnostics/diagnostic.ts";
import { ofTable } from "../arguments.ts";
import { ioOperation, operation } from "../operation.ts";

const tableInfoArguments = (kind: SourceKind): z.ZodType<{ readonly source: string; readonly table: QualifiedName }> =>
  object({ required: { source: sourceName, ...ofTable(kind) } });

export const sourceTableOperations = [
  ioOperation("get_source_tables", {
    about: "Returns the names of all tables and views of a database, tracked or not.",
    endpoints: { metadata: "prefixed" },
    input: object({ required: { source: sourceName } }),
  }),
  ioOperation("get_table_info", {
    about: "Returns columns, primary key and foreign keys of a table, tracked or not.",
    endpoints: { metadata: "prefixed" },
    kinds: ["postgres"],
    input: tableInfoArguments,
  }),
  ioOperation("describe_table", {
    about: "Returns columns, keys and constraints of a table, tracked or not, with the operators of each column.",
    endpoints: { metadata: "prefixed" },
    input: tableInfoArguments,
  }),
  ioOperation("describe_source", {
    about:
      "Returns the objects of a database, tracked or not: tables, functions, types and the numbers of their columns.",
    endpoints: { metadata: "prefixed" },
    input: object({ required: { source: sourceName } }),
  }),
  ioOperation("describe_tables", {
    about: "Returns columns, keys and foreign keys of all tables and views of a database, tracked or not.",
    endpoints: { metadata: "prefixed" },
    input: object({ required: { source: sourceName } }),
  }),
  operation("get_table_info", {
    about: "Returns columns, primary key and foreign keys of a table, tracked or not.",
    effect: "read",
    endpoints: { metadata: "prefixed" },
    kinds: ["mssql"],
    input: tableInfoArguments,
    read: ({ path }) => fail("unexpected-payload", path, "get_table_info not yet supported in MSSQL!"),
  }),
];
