/** Operations on remote schemas and their permissions. */

import type { z } from "zod";
import type { Analysis } from "../../2-analyze/analysis.ts";
import { inconsistencyEntry } from "../../2-analyze/inconsistency.ts";
import { type ObjectId, objectKey } from "../../2-analyze/object-id.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import type { Json } from "../../catalog/model.ts";
import type { RemoteSchema } from "../../catalog/outside-sources.ts";
import { object } from "../../catalog/schema/combinators.ts";
import { remoteSchemaDefinition, remoteSchemaPermissionDefinition } from "../../catalog/schema/remote-schemas.ts";
import { nonEmptyText, roleName, text } from "../../catalog/schema/scalars.ts";
import { fail, ok, type Result } from "../../diagnostics/diagnostic.ts";
import { hintsOf } from "../consistency.ts";
import { dropObjects, dropWithDependents } from "../drop-objects.ts";
import { mapWhere, set } from "../edit.ts";
import { hintFor } from "../lookups.ts";
import { type Change, operation, type Request } from "../operation.ts";

const schemaArguments = object({
  about: {
    name: "Name of the remote schema.",
    definition: "Server, headers and names.",
    comment: "Note for readers of the metadata, without effect.",
  },
  required: { name: nonEmptyText, definition: remoteSchemaDefinition },
  optional: { comment: text },
});

type SchemaRequest = Request<z.output<typeof schemaArguments>>;

function addRemoteSchema({ catalog, path, input }: SchemaRequest): Result<Change> {
  const { name } = input;
  if (schemaNamed(catalog, name) !== undefined) {
    return fail("already-exists", path, `remote schema with name "${name}" already exists`);
  }
  const schema: RemoteSchema = { ...input, permissions: [], remote_relationships: [] };
  return ok(schemaChange(name, [...catalog.remote_schemas, schema], catalog, path));
}

/** Updates a remote schema. Keeps permissions and relationships. The change is refused if one of them becomes invalid. */
function updateRemoteSchema({ catalog, path, input }: SchemaRequest): Result<Change> {
  const { name } = input;
  const known = schemaNamed(catalog, name);
  if (known === undefined) return unknownSchema(catalog, name, path, `remote schema with name "${name}" doesn't exist`);
  const { permissions, remote_relationships } = known;
  const schemas = mapWhere(
    catalog.remote_schemas,
    (each) => each === known,
    () => ({ ...input, permissions, remote_relationships }),
  );
  return ok(schemaChange(name, schemas, catalog, path));
}

function schemaChange(name: string, schemas: readonly RemoteSchema[], catalog: Catalog, path: string): Change {
  const id: ObjectId = { kind: "remote_schema", name };
  return {
    catalog: set(catalog, "remote_schemas", schemas),
    targets: [id],
    retry: (after) => refusalWithCode(after, id, path),
  };
}

/** Returns the inconsistency of the object as the operation's error, if it has an error code. */
function refusalWithCode({ inconsistencies }: Analysis, id: ObjectId, path: string): Result<Change> | undefined {
  const key = objectKey(id);
  const entry = inconsistencies.find((each) => each.code !== undefined && objectKey(each.id) === key);
  if (entry?.code === undefined) return undefined;
  if (entry.code === "remote-schema-conflicts") {
    const internal = [inconsistencyEntry(entry)];
    const message = "cannot continue due to new inconsistent metadata";
    return fail("unexpected", path, message, { internal, ...hintsOf([entry]) });
  }
  const message = entry.reason.replace(/^Inconsistent object: /, "");
  const internal = entry.message === undefined ? {} : { internal: entry.message };
  return fail(entry.code, path, message, { ...internal, ...hintsOf([entry]) });
}

const nameArguments = object({ about: { name: "Name of the remote schema." }, required: { name: nonEmptyText } });

type NameRequest = Request<z.output<typeof nameArguments>>;

/** Removes a remote schema with its permissions and relationships. Fails if relationships of other objects refer to it. */
function removeRemoteSchema(request: NameRequest): Result<Change> {
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

function reloadRemoteSchema({ catalog, path, input: { name } }: NameRequest): Result<Change> {
  if (schemaNamed(catalog, name) === undefined) {
    return unknownSchema(catalog, name, path, `remote schema with name "${name}" does not exist`);
  }
  const effect = { kind: "reload", sources: [], remoteSchemas: [name], recreateEventTriggers: [] } as const;
  return ok({ catalog, effects: [effect] });
}

/** Returns the last introspection result of a remote schema. */
function introspectRemoteSchema({ catalog, analysis, path, input: { name } }: NameRequest): Result<Json> {
  const shape = analysis.remoteSchemas.get(name)?.shape;
  if (shape === undefined) return unknownSchema(catalog, name, path, `remote schema: "${name}" not found`);
  return ok({ data: { __schema: shape.introspection } });
}

function schemaNamed({ remote_schemas }: Catalog, name: string): RemoteSchema | undefined {
  return remote_schemas.find((each) => each.name === name);
}

function unknownSchema({ remote_schemas }: Catalog, name: string, path: string, message: string): Result<never> {
  const names = remote_schemas.map((each) => each.name);
  return fail("not-exists", path, message, hintFor(name, names));
}

// ---------------------------------------------------------------- permissions

const permissionKeys = { remote_schema: nonEmptyText, role: roleName };
const newPermissionArguments = object({
  about: {
    remote_schema: "Name of the remote schema.",
    definition: "The part of the remote schema that the role may use.",
    comment: "Note for readers of the metadata, without effect.",
  },
  required: { ...permissionKeys, definition: remoteSchemaPermissionDefinition },
  optional: { comment: text },
});

function addPermission(request: Request<z.output<typeof newPermissionArguments>>): Result<Change> {
  const { catalog, analysis, path, input } = request;
  const { remote_schema: name, ...permission } = input;
  const { role } = permission;
  if (!analysis.options.remoteSchemaPermissions) {
    const message =
      "remote schema permissions can only be added when remote schema permissions are enabled in the engine";
    return fail("constraint-violation", path, message);
  }
  const schema = schemaNamed(catalog, name);
  if (schema === undefined) return unknownSchema(catalog, name, path, `remote schema "${name}" doesn't exist`);
  if (role === "admin") return fail("constraint-violation", path, "cannot define permission for admin role");
  if (schema.permissions.some((each) => each.role === role)) {
    // The original engine also omits the space after the colon. Clients may compare the text.
    const message = `permissions for role: "${role}" for remote schema:"${name}" already exists`;
    return fail("already-exists", path, message);
  }
  const id: ObjectId = { kind: "remote_schema_permission", name, role };
  const schemas = mapWhere(
    catalog.remote_schemas,
    (each) => each === schema,
    (each) => ({ ...each, permissions: [...each.permissions, permission] }),
  );
  return ok({
    catalog: set(catalog, "remote_schemas", schemas),
    targets: [id],
    retry: (after) => refusalWithCode(after, id, path),
  });
}

const permissionArguments = object({
  about: { remote_schema: "Name of the remote schema." },
  required: permissionKeys,
});

function dropPermission({ catalog, path, input }: Request<z.output<typeof permissionArguments>>): Result<Change> {
  const { remote_schema: name, role } = input;
  const schema = schemaNamed(catalog, name);
  if (schema === undefined) return unknownSchema(catalog, name, path, `remote schema "${name}" doesn't exist`);
  const roles = schema.permissions.map((permission) => permission.role);
  if (!roles.includes(role)) {
    const message = `permissions for role: "${role}" for remote schema:"${name}" doesn't exist`;
    return fail("not-exists", path, message, hintFor(role, roles));
  }
  return ok({ catalog: dropObjects(catalog, [{ kind: "remote_schema_permission", name, role }]) });
}

const endpoints = { metadata: "plain", query: [1] } as const;

export const remoteSchemaOperations = [
  operation("add_remote_schema", {
    about: "Adds the fields of another GraphQL server to the API.",
    effect: "change",
    endpoints,
    input: schemaArguments,
    check: "target",
    apply: addRemoteSchema,
  }),
  operation("update_remote_schema", {
    about: "Replaces the definition of a remote schema. Its permissions and relationships stay.",
    effect: "change",
    endpoints,
    input: schemaArguments,
    check: "target",
    apply: updateRemoteSchema,
  }),
  operation("remove_remote_schema", {
    about: "Removes a remote schema, with its permissions.",
    effect: "change",
    endpoints,
    input: nameArguments,
    check: "new-entries",
    apply: removeRemoteSchema,
  }),
  operation("reload_remote_schema", {
    about: "Introspects a remote schema again.",
    effect: "change",
    endpoints,
    input: nameArguments,
    check: "new-entries",
    apply: reloadRemoteSchema,
  }),
  operation("introspect_remote_schema", {
    about: "Returns the result of the introspection query of a remote schema.",
    effect: "read",
    endpoints,
    input: nameArguments,
    read: introspectRemoteSchema,
  }),
  operation("add_remote_schema_permissions", {
    about: "Allows a role to use a part of a remote schema.",
    effect: "change",
    endpoints: { metadata: "plain" },
    input: newPermissionArguments,
    check: "target",
    apply: addPermission,
  }),
  operation("drop_remote_schema_permissions", {
    about: "Removes the permission of a role for a remote schema.",
    effect: "change",
    endpoints: { metadata: "plain" },
    input: permissionArguments,
    check: "new-entries",
    apply: dropPermission,
  }),
];
