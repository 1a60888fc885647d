/** Permissions of inherited roles: which role they come from. */
import type { InconsistentObject, InheritedRole, Json, QualifiedName, Table } from "../../http/metadata-types.ts";
import { isObject } from "./conditions.ts";
import { type Action, permissionOf } from "./draft.ts";

/** Parents by inherited role. */
export type Parents = ReadonlyMap<string, readonly string[]>;

export const parentsOf = (roles: readonly InheritedRole[]): Parents =>
  new Map(roles.map(({ role_name, role_set }) => [role_name, role_set]));

/** Returns the roles whose permissions a role has on a table: itself, or the nearest ancestors with a permission. */
export function originsOf(table: Table, action: Action, role: string, parents: Parents): readonly string[] {
  const found = new Set<string>();
  const visited = new Set<string>();
  const walk = (name: string): void => {
    if (visited.has(name)) return;
    visited.add(name);
    if (permissionOf(table, action, name)) found.add(name);
    else for (const parent of parents.get(name) ?? []) walk(parent);
  };
  walk(role);
  return [...found].sort();
}

/** Levels of related roles: ancestors first, then the role itself, then the roles that inherit from it. */
export function levelsOf(role: string, parents: Parents): readonly (readonly string[])[] {
  const children = new Map<string, string[]>();
  for (const [name, list] of parents)
    for (const parent of list) children.set(parent, [...(children.get(parent) ?? []), name]);
  const above = distances(role, (name) => parents.get(name) ?? []);
  const below = distances(role, (name) => children.get(name) ?? []);
  return [...above.reverse(), [role], ...below];
}

/** Groups the reachable roles by their longest distance, nearest first. Cycles are not followed. */
function distances(role: string, next: (name: string) => readonly string[]): (readonly string[])[] {
  const distance = new Map<string, number>();
  const walk = (name: string, steps: number, path: ReadonlySet<string>): void => {
    for (const each of next(name)) {
      if (path.has(each) || (distance.get(each) ?? 0) >= steps) continue;
      distance.set(each, steps);
      walk(each, steps + 1, new Set([...path, each]));
    }
  };
  walk(role, 1, new Set([role]));
  const levels: string[][] = [];
  for (const [name, steps] of [...distance].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const level = levels[steps - 1] ?? [];
    levels[steps - 1] = [...level, name];
  }
  return levels.map((level) => level ?? []);
}

/** Returns a key for each write permission that a role could not inherit because its parents differ. */
export function conflictsOf(role: string, inconsistent: readonly InconsistentObject[]): readonly Json[] {
  return inconsistent.flatMap((each) => {
    const { entity } = each as { readonly entity?: Json };
    return each.type === "inherited role permission inconsistency" && each.name === role && entity ? [entity] : [];
  });
}

export function isConflict(conflicts: readonly Json[], source: string, table: QualifiedName, action: Action): boolean {
  return conflicts.some(
    (entity) =>
      isObject(entity) && entity.source === source && entity.permission_type === action && isTable(entity.table, table),
  );
}

/** The name of a table is a text in the default schema. */
function isTable(given: Json | undefined, { schema, name }: QualifiedName): boolean {
  if (isObject(given)) return given.schema === schema && given.name === name;
  return given === name || given === `${schema}.${name}`;
}
