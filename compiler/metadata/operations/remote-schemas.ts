/**
 * What can be done to remote schemas without asking the remote server (`metadata-api.md` 2.12). Adding, changing and
 * reloading one needs its introspection.
 */

import type { z } from "zod";
import type { ObjectId } from "../../2-analyze/object-id.ts";
import { object } from "../../catalog/schema/combinators.ts";
import { nonEmptyText, roleName } from "../../catalog/schema/scalars.ts";
import { fail, ok, type Result } from "../../diagnostics/diagnostic.ts";
import { dropObjects, dropWithDependents } from "../drop-objects.ts";
import { hintFor } from "../lookups.ts";
import { type Change, operation, type Request } from "../operation.ts";

const removeArguments = object({ required: { name: nonEmptyText } });

/** Its permissions and relationships go along; what leads to it from elsewhere blocks. */
function removeRemoteSchema(request: Request<z.output<typeof removeArguments>>): Result<Change> {
  const { analysis, path, input } = request;
  const { name } = input;
  if (!analysis.remoteSchemas.has(name)) {
    return fail("not-exists", path, "no such remote schema", hintFor(name, analysis.remoteSchemas.keys()));
  }
  const isOwn = (id: ObjectId) =>
    (id.kind === "remote_schema_permission" || id.kind === "remote_schema_relationship") && id.name === name;
  const dropped = dropWithDependents(request, [{ kind: "remote_schema", name }], { cascade: false, owned: isOwn });
  return dropped.ok ? ok({ catalog: dropped.value }) : dropped;
}

const permissionArguments = object({ required: { remote_schema: nonEmptyText, role: roleName } });

function dropPermission({ catalog, path, input }: Request<z.output<typeof permissionArguments>>): Result<Change> {
  const { remote_schema: name, role } = input;
  const schema = catalog.remote_schemas.find((each) => each.name === name);
  if (schema === undefined) {
    const names = catalog.remote_schemas.map((each) => each.name);
    return fail("not-exists", path, `remote schema "${name}" doesn't exist`, hintFor(name, names));
  }
  const roles = schema.permissions.map((permission) => permission.role);
  if (!roles.includes(role)) {
    // The blank that is missing after the colon is missing in the peer's text, too; clients may compare it.
    const message = `permissions for role: "${role}" for remote schema:"${name}" doesn't exist`;
    return fail("not-exists", path, message, hintFor(role, roles));
  }
  return ok({ catalog: dropObjects(catalog, [{ kind: "remote_schema_permission", name, role }]) });
}

export const remoteSchemaOperations = [
  operation("remove_remote_schema", {
    effect: "change",
    endpoints: { metadata: "plain", query: [1] },
    input: removeArguments,
    check: "new-entries",
    apply: removeRemoteSchema,
  }),
  operation("drop_remote_schema_permissions", {
    effect: "change",
    endpoints: { metadata: "plain" },
    input: permissionArguments,
    check: "new-entries",
    apply: dropPermission,
  }),
];
