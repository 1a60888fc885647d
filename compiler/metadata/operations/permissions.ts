/** Operations on permissions of tables. */

import type { z } from "zod";
import type { ObjectId } from "../../2-analyze/object-id.ts";
import type { Permission, PermissionKind, QualifiedName, SourceKind } from "../../catalog/model.ts";
import { choose, has, object } from "../../catalog/schema/combinators.ts";
import {
  deletePermission,
  insertPermission,
  permissionKind,
  selectPermission,
  updatePermission,
} from "../../catalog/schema/permissions.ts";
import { roleName, text } from "../../catalog/schema/scalars.ts";
import { fail, ok, type Result } from "../../diagnostics/diagnostic.ts";
import { inSource, ofTable } from "../arguments.ts";
import { dropObjects, dropWithDependents } from "../drop-objects.ts";
import { changeTable } from "../edit.ts";
import { findConsistentTable, findTable, hintFor, isInconsistent, print } from "../lookups.ts";
import { type Change, type Operation, operation, type Request } from "../operation.ts";
import {
  commentPermission,
  hasPermission,
  type PermissionList,
  permissionLists,
  putPermission,
} from "../permission-lists.ts";

/** Effects of permissions, for descriptions of operations. */
const effects: Readonly<Record<PermissionKind, string>> = {
  insert: "insert rows",
  select: "read rows",
  update: "change rows",
  delete: "delete rows",
};

interface PermissionTarget {
  readonly source: string;
  readonly table: QualifiedName;
  readonly role: string;
}

function permissionId(permission: PermissionKind, { source, table, role }: PermissionTarget): ObjectId {
  return { kind: "permission", source, table, permission, role };
}

// ---------------------------------------------------------------- create

interface NewPermission<P> extends PermissionTarget, Permission<P> {}

/** Creates a permission, or replaces an inconsistent one. The role admin has all permissions already. */
function createPermission<P>(
  request: Request<NewPermission<P>>,
  kind: PermissionKind,
  list: PermissionList<P>,
): Result<Change> {
  const { catalog, path, input } = request;
  const { source, table, role, permission, comment } = input;
  const found = findConsistentTable(request, source, table);
  if (!found.ok) return found;
  const id = permissionId(kind, input);
  if (role === "admin" || (hasPermission(found.value.table, kind, role) && !isInconsistent(request, id))) {
    const message = `${kind} permission already defined on table "${print(request.kind, table)}" with role "${role}"`;
    return fail("already-exists", path, message);
  }
  const entry = { role, permission, ...(comment !== undefined && { comment }) };
  return ok({
    catalog: changeTable(catalog, source, table, (owner) => putPermission(list, owner, entry)),
    targets: [id],
  });
}

function createOperation<P>(kind: PermissionKind, form: z.ZodType<P>, list: PermissionList<P>): Operation {
  return operation(`create_${kind}_permission`, {
    about: `Allows a role to ${effects[kind]} of a table, with the rules of the permission.`,
    effect: "change",
    endpoints: { metadata: "prefixed", query: [1] },
    input: (sourceKind: SourceKind): z.ZodType<NewPermission<P>> =>
      object({
        about: {
          permission: "The rules of the permission.",
          comment: "Note for readers of the metadata, without effect.",
        },
        required: { ...ofTable(sourceKind), role: roleName, permission: form },
        defaulted: inSource,
        optional: { comment: text },
      }),
    check: "target",
    atomic: true,
    apply: (request) => createPermission(request, kind, list),
  });
}

// ---------------------------------------------------------------- drop

const dropArguments = (kind: SourceKind): z.ZodType<PermissionTarget> =>
  object({ required: { ...ofTable(kind), role: roleName }, defaulted: inSource });

function dropOperation(kind: PermissionKind): Operation {
  return operation(`drop_${kind}_permission`, {
    about: `Removes the permission of a role to ${effects[kind]} of a table.`,
    effect: "change",
    endpoints: { metadata: "prefixed", query: [1] },
    input: dropArguments,
    check: "new-entries",
    atomic: true,
    apply(request) {
      const found = checkPermission(request, kind, kind);
      if (!found.ok) return found;
      const ids = [permissionId(kind, request.input)];
      if (request.isPart) return ok({ catalog: dropObjects(request.catalog, ids) });
      const dropped = dropWithDependents(request, ids, { cascade: false });
      if (dropped.ok) return ok({ catalog: dropped.value });
      const hint = "to replace the permission, drop and create it in one bulk_atomic";
      return { ok: false, error: { ...dropped.error, hint } };
    },
  });
}

/**
 * Fails unless the table has the permission, consistent or not.
 * @param label name of the kind for the message
 */
function checkPermission(request: Request<PermissionTarget>, kind: PermissionKind, label: string): Result<undefined> {
  const { path, input } = request;
  const { source, table, role } = input;
  const found = findTable(request, source, table);
  if (!found.ok) return found;
  if (hasPermission(found.value.table, kind, role)) return ok(undefined);
  const roles = permissionLists[kind].of(found.value.table).map((permission) => permission.role);
  const message = `${label} permission on "${print(request.kind, table)}" for role "${role}" does not exist`;
  return fail("permission-denied", path, message, hintFor(role, roles));
}

// ---------------------------------------------------------------- comment

interface PermissionComment extends PermissionTarget {
  readonly permission: PermissionKind;
  readonly comment?: string;
}

/** Accepts the kind as `type` or, from older clients, as `permission`. `type` has precedence. */
function commentArguments(kind: SourceKind): z.ZodType<PermissionComment> {
  const common = { ...ofTable(kind), role: roleName };
  const options = { defaulted: inSource, optional: { comment: text } };
  const byPermission = object({
    about: { permission: "Kind of the permission; older form of `type`.", comment: "New comment. Default: none." },
    required: { ...common, permission: permissionKind },
    ...options,
  });
  const byType = object({
    about: { type: "Kind of the permission.", comment: "New comment. Default: none." },
    required: { ...common, type: permissionKind },
    ...options,
  }).transform(({ type, ...others }): PermissionComment => ({ ...others, permission: type }));
  return choose<PermissionComment>(
    () => [byType, byPermission],
    (input) => (has(input, "permission") && !has(input, "type") ? byPermission : byType),
  );
}

function setComment(request: Request<PermissionComment>): Result<Change> {
  const { catalog, input } = request;
  const { source, table, role, permission, comment } = input;
  const found = checkPermission(request, permission, `'${permission}'`);
  if (!found.ok) return found;
  return ok({
    catalog: changeTable(catalog, source, table, (owner) => commentPermission(owner, permission, role, comment)),
    targets: [permissionId(permission, input)],
  });
}

export const permissionOperations = [
  createOperation("insert", insertPermission, permissionLists.insert),
  createOperation("select", selectPermission, permissionLists.select),
  createOperation("update", updatePermission, permissionLists.update),
  createOperation("delete", deletePermission, permissionLists.delete),
  dropOperation("insert"),
  dropOperation("select"),
  dropOperation("update"),
  dropOperation("delete"),
  operation("set_permission_comment", {
    about: "Sets or removes the comment of a permission.",
    effect: "change",
    endpoints: { metadata: "prefixed", query: [1] },
    input: commentArguments,
    check: "target",
    apply: setComment,
  }),
];
