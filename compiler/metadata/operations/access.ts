/** Operations on the effective permissions of roles. */
import { list, mapOf, object, oneOf } from "../../catalog/schema/combinators.ts";
import { tableName } from "../../catalog/schema/names.ts";
import { bool, jsonObject, nonEmptyText, roleName, sourceArgument, text } from "../../catalog/schema/scalars.ts";
import { ioOperation } from "../operation.ts";

const onTable = object({
  about: {
    source: "Source with the table.",
    table: "A tracked table or view: its name, or `schema` and `name`.",
    operation: "`select` (default), `insert`, `update` or `delete`.",
    columns: "Columns, computed fields and relationships to read.",
    row: "Values of a key: the row whose filter is evaluated.",
    values: "For inserts and updates: the values to write, by column.",
  },
  required: {
    // The default schema depends on the kind of the source.
    table: tableName(""),
  },
  optional: {
    columns: list(text),
    row: jsonObject,
    values: jsonObject,
  },
  defaulted: {
    source: sourceArgument,
    operation: oneOf(["select", "insert", "update", "delete"]).default("select"),
  },
});

const request = object({
  about: {
    query: "GraphQL document.",
    variables: "Variables of the document.",
    operation_name: "Operation to run, if the document has several.",
  },
  required: { query: nonEmptyText },
  optional: { variables: jsonObject, operation_name: text },
});

const rootField = object({
  about: {
    name: "Name of the root field; below the namespace of a source: `namespace.field`.",
    operation:
      "`query`, `mutation` or `subscription`. Default: the first of these that has such a root field for role admin.",
    argument: "An argument, or a member of its value: `where.title`.",
  },
  required: { name: nonEmptyText },
  optional: { operation: oneOf(["query", "mutation", "subscription"]), argument: nonEmptyText },
});

export const accessOperations = [
  ioOperation("export_access", {
    about:
      "Returns the effective permissions of roles: with inherited permissions, and row filters as in the generated code.",
    endpoints: { metadata: "plain" },
    input: object({
      about: { roles: "Roles to return. Default: all roles except `admin`." },
      optional: { roles: list(text) },
    }),
  }),
  ioOperation("get_saved_operation_roles", {
    about:
      "Returns the roles whose schemas have all fields and arguments of a saved operation. Allow-lists and limits are not applied.",
    endpoints: { metadata: "plain" },
    input: object({
      about: { collection_name: "Query collection.", query_name: "Name of the operation in the collection." },
      required: { collection_name: nonEmptyText, query_name: nonEmptyText },
    }),
  }),
  ioOperation("explain_access", {
    about:
      "Explains whether a role may do something, and why: on a table, with each part of the row filter evaluated for a row; with a root field or an argument; or with a GraphQL request. Nothing is written.",
    endpoints: { metadata: "plain" },
    input: object({
      about: {
        role: "Role of the request.",
        session: "Session variables by name.",
        backend: "True for a request that may use backend-only permissions.",
        on: "An operation on a table. Exactly one of `on`, `root_field` and `request` is required.",
        root_field: "A root field, or one of its arguments.",
        request: "A GraphQL request.",
      },
      required: { role: roleName },
      optional: { session: mapOf(text), on: onTable, root_field: rootField, request },
      defaulted: { backend: bool.default(false) },
    }).refine((given) => [given.on, given.root_field, given.request].filter(Boolean).length === 1, {
      error: "exactly one of `on`, `root_field` and `request` is required",
    }),
  }),
];
