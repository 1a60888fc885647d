/** Operations on remote relationships of tables and of types of remote schemas. */

import * as z from "zod";
import type { ObjectId } from "../../2-analyze/object-id.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import type { JsonObject, QualifiedName, RemoteRelationship, SourceKind } from "../../catalog/model.ts";
import { object } from "../../catalog/schema/combinators.ts";
import { remoteRelationshipArguments, strictRemoteRelationship } from "../../catalog/schema/relationships.ts";
import { graphqlName, nonEmptyText } from "../../catalog/schema/scalars.ts";
import { fail, ok, type Result } from "../../diagnostics/diagnostic.ts";
import { inSource, ofTable } from "../arguments.ts";
import { dropObjects, dropWithDependents } from "../drop-objects.ts";
import { changeTable, mapWhere, put, set } from "../edit.ts";
import { type FoundTable, findConsistentTable, findTable, hintFor, shapeOf } from "../lookups.ts";
import { type Change, operation, type Request } from "../operation.ts";

// ---------------------------------------------------------------- tables

interface RelationshipName {
  readonly source: string;
  readonly table: QualifiedName;
  readonly name: string;
}

interface NewRelationship extends RelationshipName {
  readonly definition: JsonObject;
}

const namedArguments = (kind: SourceKind): z.ZodType<RelationshipName> =>
  object({
    about: { name: "Name of the field in the API." },
    required: { ...ofTable(kind), name: nonEmptyText },
    defaulted: inSource,
  });

/** Accepts the definition under the key `definition`, or its older form among the other arguments. */
function definitionArguments(command: string) {
  return (kind: SourceKind): z.ZodType<NewRelationship> =>
    z.intersection(
      namedArguments(kind),
      remoteRelationshipArguments(command).transform((definition) => ({ definition })),
    );
}

function relationshipId({ source, table, name }: RelationshipName): ObjectId {
  return { kind: "remote_relationship", source, table, name };
}

/** Creates or replaces a remote relationship of a table. */
function createRelationship(request: Request<NewRelationship>): Result<Change> {
  const { source, table } = request.input;
  const found = findConsistentTable(request, source, table);
  return found.ok ? storeRelationship(request) : found;
}

function updateRelationship(request: Request<NewRelationship>): Result<Change> {
  const { source, table, name } = request.input;
  const found = findTable(request, source, table);
  if (!found.ok) return found;
  const checked = checkIsRemote(request, found.value, name);
  return checked.ok ? storeRelationship(request) : checked;
}

function storeRelationship({ catalog, input }: Request<NewRelationship>): Result<Change> {
  const { source, table, name, definition } = input;
  return ok({
    catalog: changeTable(catalog, source, table, (owner) =>
      set(owner, "remote_relationships", putRelationship(owner.remote_relationships, { name, definition })),
    ),
    targets: [relationshipId(input)],
  });
}

function putRelationship(relationships: readonly RemoteRelationship[], relationship: RemoteRelationship) {
  return put(relationships, relationship, ({ name }) => name === relationship.name);
}

/** Fails unless the name belongs to a remote relationship. */
function checkIsRemote(
  request: Request<RelationshipName>,
  { table, source }: FoundTable,
  name: string,
): Result<undefined> {
  const remote = table.remote_relationships.map((each) => each.name);
  if (remote.includes(name)) return ok(undefined);
  const others = [
    ...(shapeOf(request, source.name, table.table)?.columns ?? []),
    ...table.object_relationships,
    ...table.array_relationships,
    ...table.computed_fields,
  ];
  if (others.some((each) => each.name === name)) {
    return fail("unexpected-payload", request.path, "expecting a remote relationship");
  }
  return fail("not-exists", request.path, `"${name}" does not exist`, hintFor(name, remote));
}

function deleteRelationship(request: Request<RelationshipName>): Result<Change> {
  const { source, table, name } = request.input;
  const found = findTable(request, source, table);
  if (!found.ok) return found;
  const checked = checkIsRemote(request, found.value, name);
  if (!checked.ok) return checked;
  const without = dropWithDependents(request, [relationshipId(request.input)], { cascade: false });
  return without.ok ? ok({ catalog: without.value }) : without;
}

// ---------------------------------------------------------------- types of remote schemas

interface TypeRelationshipName {
  readonly remote_schema: string;
  readonly type_name: string;
  readonly name: string;
}

const aboutTypeKeys = {
  remote_schema: "Name of the remote schema.",
  type_name: "Object type that has the field, with its customized name.",
  name: "Name of the field in the API.",
};
const typeKeys = { remote_schema: nonEmptyText, type_name: graphqlName, name: nonEmptyText };
const typeArguments: z.ZodType<TypeRelationshipName> = object({ about: aboutTypeKeys, required: typeKeys });
const typeDefinitionArguments: z.ZodType<TypeRelationshipName & { readonly definition: JsonObject }> = object({
  about: { ...aboutTypeKeys, definition: "The relationship: `to_source` or `to_remote_schema`." },
  required: { ...typeKeys, definition: strictRemoteRelationship },
});

function typeRelationshipId({ remote_schema, type_name, name }: TypeRelationshipName): ObjectId {
  return { kind: "remote_schema_relationship", name: remote_schema, type: type_name, relationship: name };
}

type TypeRelationshipRequest = Request<z.output<typeof typeDefinitionArguments>>;

/** Creates or replaces a relationship of a type. Does nothing if the remote schema does not exist. */
function createTypeRelationship({ catalog, input }: TypeRelationshipRequest): Result<Change> {
  return ok({ catalog: putTypeRelationship(catalog, input), targets: [typeRelationshipId(input)] });
}

function putTypeRelationship(
  catalog: Catalog,
  { remote_schema, type_name, name, definition }: TypeRelationshipRequest["input"],
): Catalog {
  const schemas = mapWhere(
    catalog.remote_schemas,
    (schema) => schema.name === remote_schema,
    (schema) => {
      const type = schema.remote_relationships.find((each) => each.type_name === type_name);
      const relationships = putRelationship(type?.relationships ?? [], { name, definition });
      const types = put(schema.remote_relationships, { type_name, relationships }, (each) => each === type);
      return set(schema, "remote_relationships", types);
    },
  );
  return set(catalog, "remote_schemas", schemas);
}

function updateTypeRelationship(request: TypeRelationshipRequest): Result<Change> {
  const found = checkTypeRelationship(request);
  return found.ok ? createTypeRelationship(request) : found;
}

function deleteTypeRelationship(request: Request<TypeRelationshipName>): Result<Change> {
  const { catalog, input } = request;
  if (!catalog.remote_schemas.some(({ name }) => name === input.remote_schema)) return ok({ catalog });
  const found = checkTypeRelationship(request);
  return found.ok ? ok({ catalog: dropObjects(catalog, [typeRelationshipId(input)]) }) : found;
}

function checkTypeRelationship({ catalog, path, input }: Request<TypeRelationshipName>): Result<undefined> {
  const { remote_schema, type_name, name } = input;
  const types = catalog.remote_schemas.find((schema) => schema.name === remote_schema)?.remote_relationships ?? [];
  const relationships = types.find((type) => type.type_name === type_name)?.relationships ?? [];
  const names = relationships.map((each) => each.name);
  if (names.includes(name)) return ok(undefined);
  const message = `no relationship defined on remote schema "${remote_schema}" with name "${name}"`;
  return fail("not-exists", path, message, hintFor(name, names));
}

export const remoteRelationshipOperations = [
  operation("create_remote_relationship", {
    about:
      "Adds a field to a table with rows of another source or data of a remote schema. An existing one of the name is replaced.",
    effect: "change",
    endpoints: { metadata: "prefixed", query: [1] },
    input: definitionArguments("create_remote_relationship"),
    check: "target",
    apply: createRelationship,
  }),
  operation("update_remote_relationship", {
    about: "Replaces the definition of a remote relationship of a table.",
    effect: "change",
    endpoints: { metadata: "prefixed", query: [1] },
    input: definitionArguments("update_remote_relationship"),
    check: "target",
    apply: updateRelationship,
  }),
  operation("delete_remote_relationship", {
    about: "Removes a remote relationship of a table.",
    effect: "change",
    endpoints: { metadata: "prefixed", query: [1] },
    input: namedArguments,
    check: "new-entries",
    atomic: true,
    apply: deleteRelationship,
  }),
  operation("create_remote_schema_remote_relationship", {
    about: "Adds a field to a type of a remote schema, with rows of a source or data of another remote schema.",
    effect: "change",
    endpoints: { metadata: "plain" },
    input: typeDefinitionArguments,
    check: "target",
    apply: createTypeRelationship,
  }),
  operation("update_remote_schema_remote_relationship", {
    about: "Replaces the definition of a remote relationship of a remote schema.",
    effect: "change",
    endpoints: { metadata: "plain" },
    input: typeDefinitionArguments,
    check: "target",
    apply: updateTypeRelationship,
  }),
  operation("delete_remote_schema_remote_relationship", {
    about: "Removes a remote relationship of a remote schema.",
    effect: "change",
    endpoints: { metadata: "plain" },
    input: typeArguments,
    check: "new-entries",
    apply: deleteTypeRelationship,
  }),
];
