/** Finds roles without permissions in inherited roles, API limits, the allow-list and the settings of introspection. */
import { escapePart } from "../../2-analyze/analysis.ts";
import { declaredRoles } from "../../2-analyze/roles.ts";
import { adminRole } from "../../3-lower/admin-role.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import { type AdviceInput, type Finding, pathOf, type Rule } from "../model.ts";

export const unusedRole: Rule = {
  id: "unused-role",
  title: "Role without permissions",
  about: "The metadata names a role that has no permissions, or an inherited role with a parent that does not exist.",
  severity: "warning",
  *find(input) {
    const { catalog } = input.analysis;
    const known = declaredRoles(catalog);
    const inherited = new Set(catalog.inherited_roles.map(({ role_name }) => role_name));
    const exists = (role: string) => role === adminRole || known.has(role) || inherited.has(role);
    yield* inheritedFindings(input, exists);
    for (const [role, path, section] of namedRoles(catalog)) {
      if (exists(role)) continue;
      yield {
        rule: unusedRole.id,
        severity: "note",
        place: `${section}.${escapePart(role)}`,
        path,
        reason: `${section} names role ${role}, which has no permissions`,
        fix: `remove ${role} from ${section}, or create permissions for it`,
      };
    }
  },
};

function* inheritedFindings(input: AdviceInput, exists: (role: string) => boolean): Iterable<Finding> {
  for (const { role_name: role, role_set } of input.analysis.catalog.inherited_roles) {
    const place = `inherited_roles.${escapePart(role)}`;
    const path = pathOf(input, { kind: "inherited_role", role });
    for (const parent of role_set.filter((each) => !exists(each))) {
      const reason = `the inherited role ${role} has the parent ${parent}, which has no permissions: the role does not exist for requests`;
      const fix = `remove ${parent} from the parents of ${role}, or create permissions for it`;
      yield { rule: unusedRole.id, severity: "warning", place: `${place}.${escapePart(parent)}`, path, reason, fix };
    }
    if (role_set.length === 0) {
      const reason = `the inherited role ${role} has no parents, so it has no permissions of others`;
      yield { rule: unusedRole.id, severity: "note", place, path, reason, fix: `add parents to ${role}, or drop it` };
    }
  }
}

/** Yields roles named outside permissions, with the path and the section of their names. */
function* namedRoles({
  allowlist,
  api_limits,
  graphql_schema_introspection: { disabled_for_roles },
}: Catalog): Iterable<readonly [role: string, path: string, section: string]> {
  const seen = new Set<string>();
  for (const [index, { scope }] of allowlist.entries()) {
    for (const role of scope.global ? [] : scope.roles) {
      if (!seen.has(role)) yield [role, `$.allowlist[${index}]`, "allowlist"];
      seen.add(role);
    }
  }
  const limited = new Set<string>();
  for (const [name, limit] of Object.entries(api_limits)) {
    if (typeof limit !== "object" || limit === null || !("per_role" in limit)) continue;
    for (const role of Object.keys((limit as { readonly per_role?: object }).per_role ?? {})) {
      if (!limited.has(role)) yield [role, `$.api_limits.${name}`, "api_limits"];
      limited.add(role);
    }
  }
  for (const [index, role] of disabled_for_roles.entries()) {
    yield [role, `$.graphql_schema_introspection.disabled_for_roles[${index}]`, "graphql_schema_introspection"];
  }
}
