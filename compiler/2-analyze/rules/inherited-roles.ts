/** Rules of inherited roles: their parents exist, and no role is its own ancestor. */
import type { Catalog } from "../../catalog/catalog.ts";
import type { InheritedRole } from "../../catalog/outside-sources.ts";
import { fail, ok, type Result } from "../../diagnostics/diagnostic.ts";
import { inheritedRoleObject } from "../metadata-objects.ts";
import { type Findings, reject, rejectDangling } from "../rejection.ts";
import { declaredRoles } from "../roles.ts";

/**
 * Returns the consistent inherited roles by name, parents first. A cycle is an error of the whole metadata. A parent
 * must be another inherited role, or be named by a permission, which may be inconsistent.
 * @param permitted roles named by consistent permissions; checked first, because scanning all metadata is slow
 */
export function analyzeInheritedRoles(
  catalog: Catalog,
  permitted: ReadonlySet<string>,
  findings: Findings,
): Result<ReadonlyMap<string, InheritedRole>> {
  const { inherited_roles } = catalog;
  if (inherited_roles.length === 0) return ok(new Map());
  let declared: ReadonlySet<string> | undefined;
  const isDeclared = (role: string): boolean => {
    if (permitted.has(role)) return true;
    declared ??= declaredRoles(catalog);
    return declared.has(role);
  };
  const unique = findings.withoutDuplicates(inherited_roles, ({ role_name }) => role_name, inheritedRoleObject);
  const byName = new Map(unique.map((role) => [role.role_name, role]));
  const ordered = parentsFirst(byName);
  if (!ordered.ok) return ordered;
  const consistent = new Map<string, InheritedRole>();
  for (const role of ordered.value) {
    const place = `in inherited role ${role.role_name}: `;
    const found = findings.attempt(
      () => inheritedRoleObject(role),
      place,
      () => {
        checkParents(role, isDeclared, byName, consistent);
        return role;
      },
    );
    if (found !== undefined) consistent.set(role.role_name, found);
  }
  return ok(consistent);
}

function checkParents(
  { role_name, role_set }: InheritedRole,
  isDeclared: (role: string) => boolean,
  inherited: ReadonlyMap<string, InheritedRole>,
  consistent: ReadonlyMap<string, InheritedRole>,
): void {
  const missing = role_set.filter((parent) => !inherited.has(parent) && !isDeclared(parent));
  if (missing.length > 0) {
    reject(
      `the following parent role(s) are not found: ${missing.join(", ")} which are required to construct the inherited role: "${role_name}"`,
    );
  }
  const lost = role_set.find((parent) => !consistent.has(parent) && !isDeclared(parent));
  if (lost !== undefined) {
    rejectDangling(`parent role "${lost}" does not exist`, { kind: "inherited_role", role: lost });
  }
}

function parentsFirst(roles: ReadonlyMap<string, InheritedRole>): Result<readonly InheritedRole[]> {
  const done = new Set<string>();
  const ordered: InheritedRole[] = [];
  /** Adds a role after its parents. Returns the names of a cycle, or `undefined`. */
  const visit = (name: string, descendants: readonly string[]): readonly string[] | undefined => {
    const role = roles.get(name);
    if (role === undefined || done.has(name)) return undefined;
    const start = descendants.indexOf(name);
    if (start >= 0) return [...descendants.slice(start), name];
    for (const parent of role.role_set) {
      const cycle = visit(parent, [...descendants, name]);
      if (cycle !== undefined) return cycle;
    }
    done.add(name);
    ordered.push(role);
    return undefined;
  };
  for (const name of [...roles.keys()].sort()) {
    const cycle = visit(name, []);
    if (cycle !== undefined) {
      return fail("cyclic-dependency", "$.args", `found cycle(s) in roles: ${JSON.stringify(cycle)}`);
    }
  }
  return ok(ordered);
}
