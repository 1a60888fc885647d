/** Operations on logical models, and on permissions of logical models and of native queries. */

import type { z } from "zod";
import type { ObjectId } from "../../2-analyze/object-id.ts";
import { logicalModel as writeLogicalModel } from "../../catalog/canonical/table.ts";
import type { InlineModel, Json, LogicalModel, Source } from "../../catalog/model.ts";
import { object, oneOf } from "../../catalog/schema/combinators.ts";
import { logicalModel } from "../../catalog/schema/native.ts";
import { selectPermission } from "../../catalog/schema/permissions.ts";
import { graphqlName, roleName, sourceName, text } from "../../catalog/schema/scalars.ts";
import { fail, ok, type Result } from "../../diagnostics/diagnostic.ts";
import { inSource, withSource } from "../arguments.ts";
import { dropObjects } from "../drop-objects.ts";
import { changeModel, changeSource, type ModelName, put, set } from "../edit.ts";
import { hintFor, isInconsistent } from "../lookups.ts";
import { type Change, operation, type Request } from "../operation.ts";

/**
 * Returns a consistent source of the operation's kind. Fails if there is none.
 * @param printed the name in the message
 */
function findModelSource(
  { catalog, analysis, kind, path }: Request<unknown>,
  name: string,
  printed = `"${name}"`,
): Result<Source> {
  const ofKind = catalog.sources.filter((source) => source.kind === kind);
  const found = ofKind.find((source) => source.name === name && analysis.sources.has(name));
  if (found !== undefined) return ok(found);
  const names = ofKind.map((source) => source.name);
  return fail("not-found", path, `Source ${printed} not found.`, hintFor(name, names));
}

function noSuchModel({ path }: Request<unknown>, name: string, source: string, names: Iterable<string>) {
  const message = `Logical model "${name}" not found in source "${source}".`;
  return fail("not-found", path, message, hintFor(name, names));
}

// ---------------------------------------------------------------- models

function modelId(source: string, name: string): ObjectId {
  return { kind: "logical_model", source, name };
}

const trackArguments = withSource(logicalModel);

/** Tracks a logical model, or replaces an inconsistent one. */
function trackModel(request: Request<z.output<typeof trackArguments>>): Result<Change> {
  const { catalog, path, input } = request;
  const { source: name, object: model } = input;
  const source = findModelSource(request, name, name);
  if (!source.ok) return source;
  const matches = (each: LogicalModel) => each.name === model.name;
  const id = modelId(name, model.name);
  if (source.value.logical_models.some(matches) && !isInconsistent(request, id)) {
    return fail("already-tracked", path, `Logical model '${model.name}' is already tracked.`);
  }
  return ok({
    catalog: changeSource(catalog, name, (owner) =>
      set(owner, "logical_models", put(owner.logical_models, model, matches)),
    ),
    targets: [id],
  });
}

const untrackArguments = object({
  about: { name: "Name of the logical model." },
  required: { source: sourceName, name: graphqlName },
});

/** Untracks a logical model. The consistency check refuses the change if an object uses the model. */
function untrackModel(request: Request<z.output<typeof untrackArguments>>): Result<Change> {
  const { source: ownerName, name } = request.input;
  const source = findModelSource(request, ownerName);
  if (!source.ok) return source;
  const names = source.value.logical_models.map((model) => model.name);
  if (!names.includes(name)) return noSuchModel(request, name, ownerName, names);
  return ok({ catalog: dropObjects(request.catalog, [modelId(ownerName, name)]) });
}

const getArguments = object({ required: { source: sourceName } });

function getModels(request: Request<z.output<typeof getArguments>>): Result<Json> {
  const source = findModelSource(request, request.input.source, request.input.source);
  if (!source.ok) return source;
  const models = [...source.value.logical_models].sort((a, b) => (a.name < b.name ? -1 : 1));
  return ok(models.map(writeLogicalModel));
}

// ---------------------------------------------------------------- permissions

const modelType = oneOf(["logical_model", "native_query"]);
const aboutModel = {
  name: "Name of the logical model or native query.",
  type: "`native_query` for the model inside a native query.",
  permission: "Columns and filter, as in select permissions of tables.",
};
const ofModel = {
  required: { name: graphqlName, role: roleName },
  defaulted: { ...inSource, type: modelType.default("logical_model") },
};
const dropPermissionArguments = object({ about: { name: aboutModel.name, type: aboutModel.type }, ...ofModel });
const createPermissionArguments = object({
  about: { ...aboutModel },
  required: { ...ofModel.required, permission: selectPermission },
  defaulted: ofModel.defaulted,
  optional: { comment: text },
});

interface ModelTarget {
  readonly source: string;
  readonly type: ModelName["of"];
  readonly name: string;
}

/** Finds the model with the permissions. A native query that refers to a logical model has no permissions. */
function findModel(request: Request<ModelTarget>): Result<ModelName> {
  const { source: ownerName, type, name } = request.input;
  const source = findModelSource(request, ownerName);
  if (!source.ok) return source;
  const names = [...modelsOf(source.value, type)].map(([each]) => each);
  return names.includes(name) ? ok({ of: type, name }) : noSuchModel(request, name, ownerName, names);
}

function* modelsOf(
  { logical_models, native_queries }: Source,
  type: ModelName["of"],
): Generator<[string, InlineModel]> {
  if (type === "logical_model") for (const model of logical_models) yield [model.name, model];
  else {
    for (const { root_field_name, returns } of native_queries) {
      if (typeof returns !== "string") yield [root_field_name, returns];
    }
  }
}

/** Creates a permission, or replaces the permission of the same role. */
function createPermission(request: Request<z.output<typeof createPermissionArguments>>): Result<Change> {
  const { catalog, input } = request;
  const { source, role, permission, comment } = input;
  const model = findModel(request);
  if (!model.ok) return model;
  const entry = { role, permission, ...(comment !== undefined && { comment }) };
  const store = <M extends InlineModel>(owner: M): M =>
    set(
      owner,
      "select_permissions",
      put(owner.select_permissions, entry, (each) => each.role === role),
    );
  return ok({
    catalog: changeSource(catalog, source, (owner) => changeModel(owner, model.value, store)),
    targets: [{ kind: "model_permission", source, role, ...model.value }],
  });
}

/** Drops a permission. Does nothing if the role has none. */
function dropPermission(request: Request<z.output<typeof dropPermissionArguments>>): Result<Change> {
  const { source, role } = request.input;
  const model = findModel(request);
  if (!model.ok) return model;
  return ok({ catalog: dropObjects(request.catalog, [{ kind: "model_permission", source, role, ...model.value }]) });
}

export const logicalModelOperations = [
  operation("get_logical_model", {
    about: "Returns the logical models of a source.",
    effect: "read",
    endpoints: { metadata: "prefixed" },
    input: getArguments,
    read: getModels,
  }),
  operation("track_logical_model", {
    about: "Defines the structure of rows that native queries or stored procedures return.",
    effect: "change",
    endpoints: { metadata: "prefixed" },
    input: trackArguments,
    check: "target",
    atomic: true,
    apply: trackModel,
  }),
  operation("untrack_logical_model", {
    about: "Removes a logical model.",
    effect: "change",
    endpoints: { metadata: "prefixed" },
    input: untrackArguments,
    check: "new-entries",
    atomic: true,
    apply: untrackModel,
  }),
  operation("create_logical_model_select_permission", {
    about: "Allows a role to read rows of a logical model. An existing permission of the role is replaced.",
    effect: "change",
    endpoints: { metadata: "prefixed" },
    input: createPermissionArguments,
    check: "target",
    apply: createPermission,
  }),
  operation("drop_logical_model_select_permission", {
    about: "Removes the permission of a role to read rows of a logical model.",
    effect: "change",
    endpoints: { metadata: "prefixed" },
    input: dropPermissionArguments,
    check: "new-entries",
    apply: dropPermission,
  }),
];
