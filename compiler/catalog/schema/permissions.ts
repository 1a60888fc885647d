/** Schemas of the four table permissions. */

import * as z from "zod";
import type {
  BoolExp,
  ColumnList,
  DeletePermission,
  InsertPermission,
  Permission,
  PermissionKind,
  SelectPermission,
  UpdatePermission,
  ValidateInput,
} from "../model.ts";
import { choose, list, namedList, object, oneOf } from "./combinators.ts";
import { bool, headers, int, jsonObject, nonEmptyText, roleName, text } from "./scalars.ts";

/** A boolean expression; analysis checks its structure against the table. */
const boolExp: z.ZodType<BoolExp> = jsonObject;

const allColumns = z.literal("*");
const someColumns = list(nonEmptyText);

/** Column names, or `"*"`. */
export const columnList: z.ZodType<ColumnList> = choose<ColumnList>(
  () => [allColumns, someColumns],
  (input) => (input === "*" ? allColumns : someColumns),
);

export const permissionKind: z.ZodType<PermissionKind> = oneOf(
  ["insert", "select", "update", "delete"],
  () => "perm_type should be one of 'insert', 'select', 'update', 'delete'",
);

const validateInput: z.ZodType<ValidateInput> = object({
  about: { type: "Kind of the service; always `http`.", definition: "The service and its call." },
  required: {
    type: oneOf(["http"], (given) => `expecting only 'http' for 'type' but got ${given}`),
    definition: object({
      about: {
        url: "URL of the service; `{{NAME}}` is replaced by the environment variable NAME.",
        headers: "Headers of each request to the service.",
        timeout: "Seconds until the write fails because the service has not responded. Default: `10`.",
        forward_client_headers: "Forwards the caller's request headers to the service. Default: `false`.",
      },
      required: { url: nonEmptyText },
      optional: { headers, timeout: int, forward_client_headers: bool },
    }),
  },
});

/** Meaning of `writeOptions`. */
const aboutWriteOptions = {
  backend_only:
    "Offers the mutations only to requests that have the admin secret and the header `x-engine-use-backend-only-permissions: true`, such as those of your own back end. Default: `false`.",
  validate_input: "HTTP service that receives the input before the write and can refuse it.",
};

const writeOptions = { backend_only: bool, validate_input: validateInput };

const selectRootFields = ["select", "select_by_pk", "select_aggregate"] as const;

export const insertPermission: z.ZodType<InsertPermission> = object({
  about: {
    check:
      "Condition that each new row must satisfy after it is written; otherwise the whole mutation fails. `{}` allows all rows.",
    set: "Values that the engine writes into columns, by column: a constant, or the name of a session variable such as `X-Engine-User-Id`. These columns disappear from the input of the mutation.",
    columns: 'Columns that the role may write, or `"*"` for all, including later ones. Default: `"*"`.',
    ...aboutWriteOptions,
  },
  required: { check: boolExp },
  optional: { set: jsonObject, columns: columnList, ...writeOptions },
});

export const selectPermission: z.ZodType<SelectPermission> = object({
  about: {
    columns: 'Columns that the role may read, or `"*"` for all, including later ones.',
    filter: "Condition for rows that the role can read; other rows do not exist for it. `{}` allows all rows.",
    computed_fields:
      "Computed fields with scalar results that the role may read. Fields that return rows of a table follow the permissions of that table. Default: `[]`.",
    limit: "Maximum number of rows of one selection. A larger `limit` argument is reduced to it. Default: no limit.",
    allow_aggregations:
      "Adds `<table>_aggregate` and `<table>_group` fields, with which the role can count and sum the rows that it may read. Default: `false`.",
    query_root_fields:
      "Fields of the table in `query_root`; `[]` for none, so that the table is reachable through relationships only. Default: all.",
    subscription_root_fields: "Fields of the table in `subscription_root`, as in `query_root_fields`. Default: all.",
  },
  required: { columns: columnList, filter: boolExp },
  optional: {
    computed_fields: list(nonEmptyText),
    limit: int,
    allow_aggregations: bool,
    query_root_fields: list(oneOf(selectRootFields)),
    subscription_root_fields: list(oneOf([...selectRootFields, "select_stream"])),
  },
});

/** An absent `check` is stored as `null`, its exported form. */
export const updatePermission: z.ZodType<UpdatePermission> = object({
  about: {
    columns: 'Columns that the role may change, or `"*"` for all, including later ones.',
    filter:
      "Condition for rows that the role may change, evaluated before the update. Other rows stay unchanged without an error.",
    check:
      "Condition that each changed row must satisfy after the update; otherwise the whole mutation fails. `null` means none.",
    set: "Values that the engine writes into columns of each changed row, by column: a constant, or the name of a session variable. These columns disappear from the input.",
    ...aboutWriteOptions,
  },
  required: { columns: columnList, filter: boolExp },
  defaulted: { check: z.nullable(boolExp).default(null) },
  optional: { set: jsonObject, ...writeOptions },
});

export const deletePermission: z.ZodType<DeletePermission> = object({
  about: {
    filter: "Condition for rows that the role may delete. Other rows stay without an error. `{}` allows all rows.",
    ...aboutWriteOptions,
  },
  required: { filter: boolExp },
  optional: writeOptions,
});

/** Returns the schema of a table's permissions of one kind: at most one for each role. */
export function permissionList<P>(things: string, permission: z.ZodType<P>) {
  const entry: z.ZodType<Permission<P>> = object({
    about: {
      role: "Role that has the permission. Each role has at most one permission of a kind for a table. `admin` needs none.",
      permission: "The rules of the permission.",
      comment: "Note for readers of the metadata, without effect.",
    },
    required: { role: roleName, permission },
    optional: { comment: text },
  });
  return namedList(things, entry, ({ role }) => role);
}
