/** Operations on relationships between tables of one source. */

import type { z } from "zod";
import { type ObjectId, objectKey } from "../../2-analyze/object-id.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import type { ArrayUsing, ObjectUsing, QualifiedName, Relationship, SourceKind, Table } from "../../catalog/model.ts";
import { object } from "../../catalog/schema/combinators.ts";
import { sourceKinds } from "../../catalog/schema/names.ts";
import { arrayUsing, objectUsing } from "../../catalog/schema/relationships.ts";
import { nonEmptyText, text } from "../../catalog/schema/scalars.ts";
import { fail, ok, type Result } from "../../diagnostics/diagnostic.ts";
import { fieldName, flag, inSource, ofTable } from "../arguments.ts";
import { dropWithDependents } from "../drop-objects.ts";
import { changeTable, mapWhere, set } from "../edit.ts";
import { findConsistentTable, findTable, hintFor, isInconsistent, print, shapeOf } from "../lookups.ts";
import { type Change, operation, type Request, type State } from "../operation.ts";
import { renameInPermissions } from "../rename-in-permissions.ts";

interface TableTarget {
  readonly source: string;
  readonly table: QualifiedName;
}

type RelationshipId = ObjectId & { readonly kind: "object_relation" | "array_relation" };

// ---------------------------------------------------------------- create

interface NewRelationship<Using> extends TableTarget, Relationship<Using> {}

function createArguments<U>(using: (defaultSchema: string) => z.ZodType<U>) {
  return (kind: SourceKind): z.ZodType<NewRelationship<U>> =>
    object({
      about: {
        name: "Name of the field in the API.",
        using: "Definition: a foreign key or a mapping of columns.",
        comment: "Description of the field in the GraphQL schema.",
      },
      required: { ...ofTable(kind), name: fieldName, using: using(sourceKinds[kind].defaultSchema) },
      defaulted: inSource,
      optional: { comment: text },
    });
}

const createObjectRelationship = (request: Request<NewRelationship<ObjectUsing>>) =>
  createRelationship(request, "object_relation", (table, relationship) =>
    set(table, "object_relationships", [...table.object_relationships, relationship]),
  );

const createArrayRelationship = (request: Request<NewRelationship<ArrayUsing>>) =>
  createRelationship(request, "array_relation", (table, relationship) =>
    set(table, "array_relationships", [...table.array_relationships, relationship]),
  );

function createRelationship<U>(
  request: Request<NewRelationship<U>>,
  kind: RelationshipId["kind"],
  add: (table: Table, relationship: Relationship<U>) => Table,
): Result<Change> {
  const { catalog, input, path } = request;
  const { source, table, ...relationship } = input;
  const found = findConsistentTable(request, source, table);
  if (!found.ok) return found;
  if (isFieldTaken(request, found.value.table, source, input.name)) {
    const message = `field with name "${input.name}" already exists in table "${print(request.kind, table)}"`;
    return fail("already-exists", path, message);
  }
  // A relationship that still has the name is inconsistent and is replaced.
  const edit = (owner: Table) => add(withoutRelationship(owner, input.name), relationship);
  return ok({
    catalog: changeTable(catalog, source, table, edit),
    targets: [{ kind, source, table, name: input.name }],
  });
}

function withoutRelationship(table: Table, name: string): Table {
  const others = <U>(list: readonly Relationship<U>[]) =>
    list.some((each) => each.name === name) ? list.filter((each) => each.name !== name) : list;
  const { object_relationships, array_relationships } = table;
  return set(
    set(table, "object_relationships", others(object_relationships)),
    "array_relationships",
    others(array_relationships),
  );
}

/** Returns true if a column or a consistent relationship or computed field of the table has this name. */
function isFieldTaken(state: State, table: Table, source: string, name: string): boolean {
  if (shapeOf(state, source, table.table)?.columns.some((column) => column.name === name)) return true;
  const lists = [
    ["object_relation", table.object_relationships],
    ["array_relation", table.array_relationships],
    ["computed_field", table.computed_fields],
    ["remote_relationship", table.remote_relationships],
  ] as const;
  return lists.some(
    ([kind, fields]) =>
      fields.some((field) => field.name === name) && !isInconsistent(state, { kind, source, table: table.table, name }),
  );
}

// ---------------------------------------------------------------- drop, rename, comment

interface FoundRelationship {
  readonly table: Table;
  readonly id: RelationshipId;
}

/** Finds a relationship, even an inconsistent one. */
function findRelationship(request: Request<TableTarget>, name: string): Result<FoundRelationship> {
  const { source, table } = request.input;
  const found = findTable(request, source, table);
  if (!found.ok) return found;
  const { object_relationships, array_relationships } = found.value.table;
  const isObject = object_relationships.some((each) => each.name === name);
  if (!isObject && !array_relationships.some((each) => each.name === name)) {
    const names = [...object_relationships, ...array_relationships].map((each) => each.name);
    return fail("not-exists", request.path, `"${name}" does not exist`, hintFor(name, names));
  }
  const kind = isObject ? "object_relation" : "array_relation";
  return ok({ table: found.value.table, id: { kind, source, table, name } });
}

function editRelationship(
  catalog: Catalog,
  { source, table, name }: RelationshipId,
  to: <U>(relationship: Relationship<U>) => Relationship<U>,
): Catalog {
  const edit = <U>(list: readonly Relationship<U>[]) => mapWhere(list, (each) => each.name === name, to);
  return changeTable(catalog, source, table, (owner) =>
    set(
      set(owner, "object_relationships", edit(owner.object_relationships)),
      "array_relationships",
      edit(owner.array_relationships),
    ),
  );
}

const dropArguments = (kind: SourceKind) =>
  object({
    about: {
      relationship: "Name of the relationship.",
      cascade: "Also drops permissions that use the relationship; without it, they make the operation fail.",
    },
    required: { ...ofTable(kind), relationship: nonEmptyText },
    defaulted: { ...inSource, cascade: flag },
  });

function dropRelationship(request: Request<z.output<ReturnType<typeof dropArguments>>>): Result<Change> {
  const { relationship, cascade } = request.input;
  const found = findRelationship(request, relationship);
  if (!found.ok) return found;
  const catalog = dropWithDependents(request, [found.value.id], { cascade });
  return catalog.ok ? ok({ catalog: catalog.value }) : catalog;
}

const renameArguments = (kind: SourceKind) =>
  object({
    about: { name: "Name of the relationship.", new_name: "New name, which permissions of the table get too." },
    required: { ...ofTable(kind), name: nonEmptyText, new_name: fieldName },
    defaulted: inSource,
  });

/** Renames a relationship, also in the permissions of all tables that refer to it. */
function renameRelationship(request: Request<z.output<ReturnType<typeof renameArguments>>>): Result<Change> {
  const { path, kind, input } = request;
  const { source, name, new_name } = input;
  const found = findRelationship(request, name);
  if (!found.ok) return found;
  const { id, table } = found.value;
  if (isFieldTaken(request, table, source, new_name)) {
    const message =
      `cannot rename relationship "${name}" to "${new_name}" in table "${print(kind, table.table)}" ` +
      "as a column/relationship with the name already exists";
    return fail("already-exists", path, message);
  }
  const renamed = { ...id, name: new_name };
  const adapted = renameInPermissions(request, { source, table: input.table, from: name, to: new_name });
  return ok({
    catalog: editRelationship(adapted, id, (relationship) => ({ ...relationship, name: new_name })),
    renamed: (other) => (isSame(other, id) ? renamed : other),
  });
}

function isSame(left: ObjectId, right: ObjectId): boolean {
  return objectKey(left) === objectKey(right);
}

const commentArguments = (kind: SourceKind) =>
  object({
    about: {
      relationship: "Name of the relationship.",
      comment: "Description of the field in the GraphQL schema. Default: none.",
    },
    required: { ...ofTable(kind), relationship: nonEmptyText },
    defaulted: inSource,
    optional: { comment: text },
  });

/** Sets the comment of a relationship, or removes it if the argument is absent. */
function setComment(request: Request<z.output<ReturnType<typeof commentArguments>>>): Result<Change> {
  const { relationship, comment } = request.input;
  const found = findRelationship(request, relationship);
  if (!found.ok) return found;
  const catalog = editRelationship(request.catalog, found.value.id, ({ comment: _previous, ...others }) => ({
    ...others,
    ...(comment !== undefined && { comment }),
  }));
  return ok({ catalog, targets: [found.value.id] });
}

export const relationshipOperations = [
  operation("create_object_relationship", {
    about: "Adds a field with one related row to a table.",
    effect: "change",
    endpoints: { metadata: "prefixed", query: [1] },
    input: createArguments(objectUsing),
    check: "target",
    atomic: true,
    apply: createObjectRelationship,
  }),
  operation("create_array_relationship", {
    about: "Adds a field with a list of related rows to a table.",
    effect: "change",
    endpoints: { metadata: "prefixed", query: [1] },
    input: createArguments(arrayUsing),
    check: "target",
    atomic: true,
    apply: createArrayRelationship,
  }),
  operation("drop_relationship", {
    about: "Removes a relationship of a table.",
    effect: "change",
    endpoints: { metadata: "prefixed", query: [1] },
    input: dropArguments,
    check: "new-entries",
    atomic: true,
    apply: dropRelationship,
  }),
  operation("rename_relationship", {
    about: "Changes the name of a relationship.",
    effect: "change",
    endpoints: { metadata: "prefixed", query: [1] },
    input: renameArguments,
    check: "new-entries",
    apply: renameRelationship,
  }),
  operation("set_relationship_comment", {
    about: "Sets or removes the description of a relationship.",
    effect: "change",
    endpoints: { metadata: "prefixed", query: [1] },
    input: commentArguments,
    check: "target",
    apply: setComment,
  }),
];
