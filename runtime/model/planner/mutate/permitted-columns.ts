/** Permissions that a statement uses, of the permissions that are merged for an inherited role. */
import { EngineError } from "../../../values/errors.ts";
import type { Column } from "../../definitions/column.ts";
import { permissionsFor } from "../../definitions/merged-permissions.ts";

/**
 * Returns the permissions that list all columns that a statement writes.
 * @throws EngineError if no permission lists all of them
 */
export function permissionsOf<T extends { readonly columns: readonly Column[]; readonly parents?: readonly T[] }>(
  permission: T,
  written: readonly Column[],
  operation: "insert" | "update",
  path: string,
): readonly T[] {
  const permissions = permissionsFor(permission, written);
  if (permissions.length > 0) return permissions;
  const names = written.map(({ field }) => `"${field}"`).join(", ");
  const message = `the columns ${names} cannot be written together: no single ${operation} permission that the role inherits lists all of them`;
  throw new EngineError("permission-denied", path, message);
}
