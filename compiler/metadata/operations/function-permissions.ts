/** Operations on permissions of tracked functions. */

import type { z } from "zod";
import { qualifiedKey } from "../../2-analyze/analysis.ts";
import { readingPermissions } from "../../2-analyze/inherited-permissions.ts";
import type { ObjectId } from "../../2-analyze/object-id.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import type { QualifiedName, SourceKind, TrackedFunction } from "../../catalog/model.ts";
import { object } from "../../catalog/schema/combinators.ts";
import { roleName } from "../../catalog/schema/scalars.ts";
import { fail, ok, type Result } from "../../diagnostics/diagnostic.ts";
import { inSource, ofFunction } from "../arguments.ts";
import { dropObjects } from "../drop-objects.ts";
import { changeSource, mapWhere, put, sameName, set } from "../edit.ts";
import { findFunction, findSource, hintFor, isInconsistent, print } from "../lookups.ts";
import { type Change, operation, type Request } from "../operation.ts";

interface FunctionPermission {
  readonly function: QualifiedName;
  readonly source: string;
  readonly role: string;
}

const permissionArguments = (kind: SourceKind): z.ZodType<FunctionPermission> =>
  object({
    about: { role: "Role that may call the function." },
    required: { ...ofFunction(kind), role: roleName },
    defaulted: inSource,
  });

function permissionId({ source, function: name, role }: FunctionPermission): ObjectId {
  return { kind: "function_permission", source, function: name, role };
}

function findTracked(request: Request<FunctionPermission>): Result<TrackedFunction> {
  const source = findSource(request, request.input.source);
  return source.ok ? findFunction(request, source.value, request.input.function) : source;
}

function createPermission(request: Request<FunctionPermission>): Result<Change> {
  const { catalog, kind, path, input } = request;
  const { source, role } = input;
  const found = findTracked(request);
  if (!found.ok) return found;
  const name = print(kind, input.function);
  if (found.value.permissions.some((each) => each.role === role) && !isInconsistent(request, permissionId(input))) {
    const message = `permission of role "${role}" already exists for function "${name}" in source: "${source}"`;
    return fail("already-exists", path, message);
  }
  const unreadable = tableWithoutSelect(request);
  if (unreadable !== undefined) {
    const message =
      "function permission can only be added when the function's return table " +
      `"${print(kind, unreadable)}" has select permission configured for role: "${role}"`;
    return fail("not-supported", path, message);
  }
  return ok({ catalog: withPermission(catalog, input), targets: [permissionId(input)] });
}

/** Returns the table that the function returns, if the role has no select permission on it, own or inherited. */
function tableWithoutSelect({ analysis, input }: Request<FunctionPermission>): QualifiedName | undefined {
  const source = analysis.sources.get(input.source);
  const target = source?.functions.get(qualifiedKey(input.function))?.target;
  const table = target === undefined ? undefined : source?.tables.get(target);
  if (table === undefined) return undefined;
  const grants = { permissions: table.select, declared: table.table.select_permissions };
  const isReadable = readingPermissions(grants, input.role, analysis.inheritedRoles).length > 0;
  return isReadable ? undefined : table.table.table;
}

function withPermission(catalog: Catalog, { source, function: name, role }: FunctionPermission): Catalog {
  const matches = (each: TrackedFunction) => sameName(each.function, name);
  return changeSource(catalog, source, (owner) =>
    set(
      owner,
      "functions",
      mapWhere(owner.functions, matches, (each) =>
        set(
          each,
          "permissions",
          put(each.permissions, { role }, (permission) => permission.role === role),
        ),
      ),
    ),
  );
}

function dropPermission(request: Request<FunctionPermission>): Result<Change> {
  const { catalog, kind, path, input } = request;
  const { source, role } = input;
  const found = findTracked(request);
  if (!found.ok) return found;
  if (!found.value.permissions.some((each) => each.role === role)) {
    const name = print(kind, input.function);
    const message = `permission of role "${role}" does not exist for function "${name}" in source: "${source}"`;
    const roles = found.value.permissions.map((each) => each.role);
    return fail("not-exists", path, message, hintFor(role, roles));
  }
  return ok({ catalog: dropObjects(catalog, [permissionId(input)]) });
}

export const functionPermissionOperations = [
  operation("create_function_permission", {
    about: "Allows a role to call a function.",
    effect: "change",
    endpoints: { metadata: "prefixed" },
    input: permissionArguments,
    check: "target",
    apply: createPermission,
  }),
  operation("drop_function_permission", {
    about: "Removes the permission of a role to call a function.",
    effect: "change",
    endpoints: { metadata: "prefixed" },
    input: permissionArguments,
    check: "target",
    apply: dropPermission,
  }),
];
