/** Operations on computed fields of tables. */

import type { z } from "zod";
import { pathTo } from "../../../runtime/values/errors.ts";
import type { ObjectId } from "../../2-analyze/object-id.ts";
import type { ComputedField, QualifiedName, SourceKind } from "../../catalog/model.ts";
import { object } from "../../catalog/schema/combinators.ts";
import { computedFieldDefinition } from "../../catalog/schema/functions.ts";
import { sourceKinds } from "../../catalog/schema/names.ts";
import { nonEmptyText, text } from "../../catalog/schema/scalars.ts";
import { fail, ok, type Result } from "../../diagnostics/diagnostic.ts";
import { flag, inSource, ofTable } from "../arguments.ts";
import { dropWithDependents } from "../drop-objects.ts";
import { changeTable, put, set } from "../edit.ts";
import { findConsistentTable, findTable, hintFor } from "../lookups.ts";
import { type Change, operation, type Request } from "../operation.ts";

interface FieldTarget {
  readonly source: string;
  readonly table: QualifiedName;
  readonly name: string;
}

interface NewField extends FieldTarget, ComputedField {}

const addArguments = (kind: SourceKind): z.ZodType<NewField> =>
  object({
    about: {
      name: "Name of the field in the API.",
      definition: "The function and its arguments.",
      comment: "Description of the field in the GraphQL schema.",
    },
    required: {
      ...ofTable(kind),
      name: nonEmptyText,
      definition: computedFieldDefinition(sourceKinds[kind].defaultSchema),
    },
    defaulted: inSource,
    optional: { comment: text },
  });

function fieldId({ source, table, name }: FieldTarget): ObjectId {
  return { kind: "computed_field", source, table, name };
}

/** Moves the error path to the argument that names the table. */
function atTable<I>(request: Request<I>): Request<I> {
  return { ...request, path: pathTo(request.path, "table") };
}

/** Adds or replaces a computed field. Introspects the source again, because the function may be new. */
function addComputedField(request: Request<NewField>): Result<Change> {
  const { catalog, input } = request;
  const { source, table, ...field } = input;
  const found = findConsistentTable(atTable(request), source, table);
  if (!found.ok) return found;
  return ok({
    catalog: changeTable(catalog, source, table, (owner) =>
      set(
        owner,
        "computed_fields",
        put(owner.computed_fields, field, ({ name }) => name === field.name),
      ),
    ),
    targets: [fieldId(input)],
    effects: [{ kind: "introspect", sources: [source] }],
  });
}

const dropArguments = (kind: SourceKind) =>
  object({
    about: { name: "Name of the computed field." },
    required: { ...ofTable(kind), name: nonEmptyText },
    defaulted: { ...inSource, cascade: flag },
  });

/** Drops a computed field. `cascade` drops permissions that use it, not only their references to it. */
function dropComputedField(request: Request<z.output<ReturnType<typeof dropArguments>>>): Result<Change> {
  const { path, input } = request;
  const found = findTable(atTable(request), input.source, input.table);
  if (!found.ok) return found;
  const names = found.value.table.computed_fields.map(({ name }) => name);
  if (!names.includes(input.name)) {
    const message = `computed field "${input.name}" does not exist`;
    return fail("not-exists", pathTo(path, "name"), message, hintFor(input.name, names));
  }
  const catalog = dropWithDependents(request, [fieldId(input)], { cascade: input.cascade });
  return catalog.ok ? ok({ catalog: catalog.value }) : catalog;
}

export const computedFieldOperations = [
  operation("add_computed_field", {
    about: "Adds a field to a table that a function of the database computes from each row.",
    effect: "change",
    endpoints: { metadata: "prefixed", query: [1] },
    input: addArguments,
    check: "target",
    apply: addComputedField,
  }),
  operation("drop_computed_field", {
    about: "Removes a computed field of a table.",
    effect: "change",
    endpoints: { metadata: "prefixed", query: [1] },
    input: dropArguments,
    check: "new-entries",
    apply: dropComputedField,
  }),
];
