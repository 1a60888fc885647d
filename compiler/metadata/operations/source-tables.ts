/** What the database of a source holds, tracked or not: asked of the database itself (`metadata-api.md` 2.1). */

import type { z } from "zod";
import type { SourceKind } from "../../catalog/model.ts";
import { object } from "../../catalog/schema/combinators.ts";
import { sourceName } from "../../catalog/schema/scalars.ts";
import { fail } from "../../diagnostics/diagnostic.ts";
import { ofTable } from "../arguments.ts";
import type { GetTableInfo } from "../io.ts";
import { operation } from "../operation.ts";

const tableInfoArguments = (kind: SourceKind): z.ZodType<GetTableInfo> =>
  object({ required: { source: sourceName, ...ofTable(kind) } });

export const sourceTableOperations = [
  operation("get_source_tables", {
    effect: "io",
    endpoints: { metadata: "prefixed" },
    input: object({ required: { source: sourceName } }),
    call: (input, { kind, path }) => ({ effect: "io", operation: "get_source_tables", kind, input, path }),
  }),
  operation("get_table_info", {
    effect: "io",
    endpoints: { metadata: "prefixed" },
    kinds: ["postgres"],
    input: tableInfoArguments,
    call: (input, { kind, path }) => ({ effect: "io", operation: "get_table_info", kind, input, path }),
  }),
  operation("describe_table", {
    effect: "io",
    endpoints: { metadata: "prefixed" },
    input: tableInfoArguments,
    call: (input, { kind, path }) => ({ effect: "io", operation: "describe_table", kind, input, path }),
  }),
  operation("describe_source", {
    effect: "io",
    endpoints: { metadata: "prefixed" },
    input: object({ required: { source: sourceName } }),
    call: (input, { kind, path }) => ({ effect: "io", operation: "describe_source", kind, input, path }),
  }),
  operation("get_table_info", {
    effect: "read",
    endpoints: { metadata: "prefixed" },
    kinds: ["mssql"],
    input: tableInfoArguments,
    read: ({ path }) => fail("unexpected-payload", path, "get_table_info not yet supported in MSSQL!"),
  }),
];
