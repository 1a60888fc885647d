/** Operations that return generated files. */

import { list, object, oneOf } from "../../catalog/schema/combinators.ts";
import { nonEmptyText, roleName, text } from "../../catalog/schema/scalars.ts";
import { ioOperation } from "../operation.ts";

/** Limit on files per request, since generating their text takes time. */
const maxPaths = 1000;

const paths = list(text).refine((value) => value.length <= maxPaths, `expected at most ${maxPaths} paths`);

const savedOperation = object({
  about: { collection_name: "Query collection.", query_name: "Name of the operation in the collection." },
  required: { collection_name: text, query_name: text },
});

export const generatedCodeOperations = [
  ioOperation("export_generated_code", {
    about: "Returns the list of generated modules, or their text.",
    endpoints: { metadata: "plain" },
    input: object({
      about: {
        paths: "Paths of files to return. Default: only the list of files.",
        saved_operation: "Saved operation whose compiled module is returned.",
      },
      optional: { paths, saved_operation: savedOperation },
    }),
  }),
  ioOperation("export_client", {
    about:
      "Returns a TypeScript module with the operations of a GraphQL document, and the types of their variables and results.",
    endpoints: { metadata: "plain" },
    input: object({
      about: {
        document: "GraphQL document with operations and their fragments.",
        role: "Role whose types are used. Default: `admin`.",
        document_mode: "`documentNode`: syntax trees of graphql-js; `string`: texts. Default: `documentNode`.",
      },
      required: { document: nonEmptyText },
      defaulted: {
        role: roleName.default("admin"),
        document_mode: oneOf(["documentNode", "string"]).default("documentNode"),
      },
    }),
  }),
  ioOperation("export_handlers", {
    about:
      "Returns the TypeScript files of the services that the engine calls, as `engine handlers` writes them into an empty folder.",
    endpoints: { metadata: "plain" },
    input: object({
      about: { names: "Names of actions, event triggers and cron triggers. Default: all." },
      optional: { names: list(text) },
    }),
  }),
];
