/** Reads the access of roles, exports it (`export_access`) and compares it between programs, for the server and commands. */
import type { SavedQuery } from "../../compiler/2-analyze/analysis.ts";
import { savedQueryKey } from "../../compiler/2-analyze/saved-operations.ts";
import { adminRole } from "../../compiler/3-lower/admin-role.ts";
import { type AccessInput, accessOf } from "../../compiler/access/access-of.ts";
import type { Change } from "../../compiler/access/change.ts";
import { compareAccess } from "../../compiler/access/compare.ts";
import type { Access } from "../../compiler/access/model.ts";
import { permissionsOf, type RolePermissions } from "../../compiler/access/permissions.ts";
import type { Json } from "../../compiler/catalog/model.ts";
import type { SchemaVariant } from "../model/schema/role-schema.ts";
import { EngineError, pathTo } from "../values/errors.ts";
import { type Interruptible, runInSlices, runToCompletion } from "../values/interruptible.ts";
import { didYouMean } from "../values/nearest-name.ts";
import { redactor } from "../values/redact-metadata.ts";
import type { ChangeEnvironment } from "./apply-change.ts";
import type { Compiled } from "./compile-analysis.ts";
import type { IoCallOf, IoHandlers } from "./io-handlers.ts";
import { limitsOf } from "./role-limits.ts";

type Accessible = Pick<Compiled, "analysis" | "program" | "planned">;

/** Returns the access of all roles, computed without interruption. */
export const accessOfProgram = (compiled: Accessible, more: Pick<AccessInput, "hasTerms"> = {}): Access =>
  runToCompletion(readAccess(compiled, more));

/** @param selection parts of the access that are read; by default, everything is read */
export function readAccess(
  { analysis, program, planned }: Accessible,
  selection: Pick<AccessInput, "roles" | "sameSchemas" | "onlyPermissions" | "hasTerms"> = {},
): Interruptible<Access> {
  return accessOf({ analysis, program, planned, limitsOf: (role) => limitsOf(analysis.catalog, role), ...selection });
}

/** Returns the changes of access between two programs, with passwords redacted. */
export function accessChanges(before: Access, after: Access): readonly Change[] {
  // URLs of webhooks may contain passwords.
  const redact = redactor();
  const shown = (access: Access) => redact(JSON.parse(JSON.stringify(access)) as Json) as unknown as Access;
  return compareAccess(shown(before), shown(after));
}

/** Returns the changes that widen or may widen access. */
export function widening(changes: readonly Change[]): readonly Change[] {
  return changes.filter(({ effect }) => effect === "widens" || effect === "may widen");
}

/** Counts the changes that widen access and the changes that may widen it. */
export function wideningSummary(changes: readonly Change[]): { readonly widens: number; readonly mayWiden: number } {
  const count = (effect: Change["effect"]) => changes.filter((change) => change.effect === effect).length;
  return { widens: count("widens"), mayWiden: count("may widen") };
}

// Export of the effective permissions.

type ExportCall = IoCallOf<"export_access">;

export const accessHandlers: IoHandlers<"export_access" | "get_saved_operation_roles"> = {
  export_access: (call, { draft, environment }) => exportAccess(call, draft, environment),
  get_saved_operation_roles: (call, { draft, environment }) => savedOperationRoles(call, draft, environment),
};

/** @throws EngineError `not-exists` for an unknown role */
async function exportAccess(
  { input, path }: ExportCall,
  compiled: Compiled,
  { context }: ChangeEnvironment,
): Promise<Json> {
  const known = new Set(compiled.program.roles());
  for (const [index, role] of (input.roles ?? []).entries()) {
    if (!known.has(role)) throw unknownRole(role, known, pathTo(pathTo(path, "roles"), index));
  }
  const roles = new Set(input.roles ?? withoutAdmin(known));
  // Schemas follow from the permissions, and reading them takes longest.
  const access = await runInSlices(readAccess(compiled, { roles, onlyPermissions: true }));
  return { resource_version: context.resourceVersion, roles: JSON.parse(JSON.stringify(rolePermissions(access))) };
}

/** Returns the permissions by role, with passwords in URLs redacted. */
export function rolePermissions({ roles }: Pick<Access, "roles">): Readonly<Record<string, RolePermissions>> {
  const redact = redactor();
  const names = Object.keys(roles).sort();
  return Object.fromEntries(
    names.flatMap((role) => {
      const access = roles[role];
      if (access === undefined) return [];
      const shown: unknown = redact(JSON.parse(JSON.stringify(permissionsOf(access))) as Json);
      return [[role, shown as RolePermissions]];
    }),
  );
}

export const withoutAdmin = (roles: Iterable<string>): readonly string[] =>
  [...roles].filter((role) => role !== adminRole);

/** @param path JSON path of the role in the arguments */
export function unknownRole(role: string, known: Iterable<string>, path: string): EngineError {
  const names = [...known];
  return new EngineError("not-exists", path, `role ${JSON.stringify(role)} does not exist`, {
    hint: () => didYouMean(role, names) ?? `existing roles: ${names.join(", ")}`,
  });
}

// Roles of a saved operation.

/** @throws EngineError `not-exists` for an unknown operation */
async function savedOperationRoles(
  { input, path }: IoCallOf<"get_saved_operation_roles">,
  compiled: Compiled,
  { context }: ChangeEnvironment,
): Promise<Json> {
  const { collection_name: collection, query_name: name } = input;
  const { savedOperations } = compiled.analysis;
  const operation = savedOperations.get(savedQueryKey({ collection, name }));
  if (operation === undefined) throw unknownOperation(input, savedOperations.values(), path);
  const { roles, backend } = await runInSlices(rolesThatCanRun(operation, compiled));
  return { resource_version: context.resourceVersion, roles, backend_roles: backend };
}

function unknownOperation(
  { collection_name: collection, query_name: name }: IoCallOf<"get_saved_operation_roles">["input"],
  known: Iterable<SavedQuery>,
  path: string,
): EngineError {
  const all = [...known];
  const siblings = all.flatMap((each) => (each.collection === collection ? each.name : []));
  if (siblings.length === 0) {
    const message = `no query collection with saved operations is named ${JSON.stringify(collection)}`;
    const hint = () => didYouMean(collection, new Set(all.map((each) => each.collection)));
    return new EngineError("not-exists", pathTo(path, "collection_name"), message, { hint });
  }
  const message = `saved operation ${JSON.stringify(name)} of collection ${JSON.stringify(collection)} does not exist, or is inconsistent`;
  const hint = () => didYouMean(name, siblings);
  return new EngineError("not-exists", pathTo(path, "query_name"), message, { hint });
}

/** Returns the roles that can run an operation, and apart those that can run it only with backend-only permissions. */
function* rolesThatCanRun(
  operation: SavedQuery,
  { program, planned }: Compiled,
): Interruptible<{ readonly roles: string[]; readonly backend: string[] }> {
  const [roles, backend]: [string[], string[]] = [[], []];
  // The results are cached: requests of the role use the same plans.
  const canRun = (role: string, variant: SchemaVariant): boolean =>
    planned.savedOutcome(operation, role, variant).kind !== "fault";
  for (const role of [...program.roles()].sort()) {
    if (canRun(role, "frontend")) roles.push(role);
    else if (program.hasBackendSchema(role) && canRun(role, "backend")) backend.push(role);
    yield;
  }
  return { roles, backend };
}
