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
export const columnList: z.ZodType<ColumnList> = choose<ColumnList>((input) =>
  input === "*" ? allColumns : someColumns,
);

export const permissionKind: z.ZodType<PermissionKind> = oneOf(
  ["insert", "select", "update", "delete"],
  () => "perm_type should be one of 'insert', 'select', 'update', 'delete'",
);

const validateInput: z.ZodType<ValidateInput> = object({
  required: {
    type: oneOf(["http"], (given) => `expecting only 'http' for 'type' but got ${given}`),
    definition: object({
      required: { url: nonEmptyText },
      optional: { headers, timeout: int, forward_client_headers: bool },
    }),
  },
});

const writeOptions = { backend_only: bool, validate_input: validateInput };

const selectRootFields = ["select", "select_by_pk", "select_aggregate"] as const;

export const insertPermission: z.ZodType<InsertPermission> = object({
  required: { check: boolExp },
  optional: { set: jsonObject, columns: columnList, ...writeOptions },
});

export const selectPermission: z.ZodType<SelectPermission> = object({
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
  required: { columns: columnList, filter: boolExp },
  defaulted: { check: z.nullable(boolExp).default(null) },
  optional: { set: jsonObject, ...writeOptions },
});

export const deletePermission: z.ZodType<DeletePermission> = object({
  required: { filter: boolExp },
  optional: writeOptions,
});

/** Returns the schema of a table's permissions of one kind: at most one for each role. */
export function permissionList<P>(things: string, permission: z.ZodType<P>) {
  const entry: z.ZodType<Permission<P>> = object({
    required: { role: roleName, permission },
    optional: { comment: text },
  });
  return namedList(things, entry, ({ role }) => role);
}
