/** Operations on inherited roles. */

import type { z } from "zod";
import type { InheritedRole } from "../../catalog/outside-sources.ts";
import { object } from "../../catalog/schema/combinators.ts";
import { roleName } from "../../catalog/schema/scalars.ts";
import { inheritedRole } from "../../catalog/schema/settings.ts";
import { fail, ok, type Result } from "../../diagnostics/diagnostic.ts";
import { put, set, without } from "../edit.ts";
import { hintFor } from "../lookups.ts";
import { type Change, operation, type Request } from "../operation.ts";

/** Adds an inherited role, or replaces the one with the same name. */
function addRole({ catalog, path, input }: Request<InheritedRole>): Result<Change> {
  if (input.role_set.includes(input.role_name)) {
    return fail("invalid-params", path, "an inherited role name cannot be in the role combination");
  }
  const roles = put(catalog.inherited_roles, input, ({ role_name }) => role_name === input.role_name);
  return ok({
    catalog: set(catalog, "inherited_roles", roles),
    targets: [{ kind: "inherited_role", role: input.role_name }],
  });
}

const dropArguments = object({
  about: { role_name: "Name of the inherited role." },
  required: { role_name: roleName },
});

function dropRole({ catalog, path, input }: Request<z.output<typeof dropArguments>>): Result<Change> {
  const names = catalog.inherited_roles.map(({ role_name }) => role_name);
  if (!names.includes(input.role_name)) {
    const message = `"${input.role_name}" inherited role doesn't exist`;
    return fail("not-exists", path, message, hintFor(input.role_name, names));
  }
  const roles = without(catalog.inherited_roles, ({ role_name }) => role_name === input.role_name);
  return ok({ catalog: set(catalog, "inherited_roles", roles) });
}

export const inheritedRoleOperations = [
  operation("add_inherited_role", {
    about: "Defines a role that has the permissions of several others. An existing one of the name is replaced.",
    effect: "change",
    endpoints: { metadata: "plain" },
    input: inheritedRole,
    check: "target",
    apply: addRole,
  }),
  operation("drop_inherited_role", {
    about: "Removes an inherited role.",
    effect: "change",
    endpoints: { metadata: "plain" },
    input: dropArguments,
    check: "target",
    apply: dropRole,
  }),
];
