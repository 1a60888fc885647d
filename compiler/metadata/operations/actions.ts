/** Operations on actions, their permissions, and custom types. */

import type { z } from "zod";
import type { ObjectId } from "../../2-analyze/object-id.ts";
import type { Action, ActionDefinition, CustomTypes } from "../../catalog/outside-sources.ts";
import { actionDefinition, customTypes } from "../../catalog/schema/actions.ts";
import { choose, has, object } from "../../catalog/schema/combinators.ts";
import { bool, graphqlName, json, nonEmptyText, roleName, text } from "../../catalog/schema/scalars.ts";
import { fail, ok, type Result } from "../../diagnostics/diagnostic.ts";
import { dropObjects } from "../drop-objects.ts";
import { mapWhere, put, set, without } from "../edit.ts";
import { hintFor, isInconsistent } from "../lookups.ts";
import { type Change, operation, type Request } from "../operation.ts";
import { transformsOf } from "../transforms.ts";

interface ActionArguments {
  readonly name: string;
  readonly definition: ActionDefinition;
  readonly comment?: string;
}

const actionArguments: z.ZodType<ActionArguments> = object({
  about: {
    name: "Name of the root field.",
    definition: "Handler, arguments and result.",
    comment: "Description of the root field in the GraphQL schema.",
  },
  required: { name: graphqlName, definition: actionDefinition },
  optional: { comment: text },
});

function actionId(name: string): ObjectId {
  return { kind: "action", name };
}

function findAction({ catalog, path }: Request<unknown>, name: string): Result<Action> {
  const found = catalog.actions.find((action) => action.name === name);
  if (found !== undefined) return ok(found);
  const names = catalog.actions.map((action) => action.name);
  return fail("not-exists", path, `action with name "${name}" does not exist`, hintFor(name, names));
}

function storeAction(request: Request<ActionArguments>, permissions: Action["permissions"]): Result<Change> {
  const { catalog, input } = request;
  const actions = put(catalog.actions, { ...input, permissions }, ({ name }) => name === input.name);
  return ok({
    catalog: set(catalog, "actions", actions),
    targets: [actionId(input.name)],
    ...transformsOf(request, input.definition),
  });
}

function createAction(request: Request<ActionArguments>): Result<Change> {
  const { catalog, path, input } = request;
  const isTaken = catalog.actions.some(({ name }) => name === input.name);
  if (isTaken && !isInconsistent(request, actionId(input.name))) {
    return fail("already-exists", path, `action with name "${input.name}" already exists`);
  }
  return storeAction(request, []);
}

/** Replaces the definition and the comment of an action. Keeps its permissions. */
function updateAction(request: Request<ActionArguments>): Result<Change> {
  const found = findAction(request, request.input.name);
  return found.ok ? storeAction(request, found.value.permissions) : found;
}

/** `clear_data` deletes the stored calls of an asynchronous action. */
const dropArguments = object({
  about: { name: "Name of the action.", clear_data: "Also deletes the stored results of asynchronous calls." },
  required: { name: nonEmptyText },
  defaulted: { clear_data: bool.default(true) },
});

function dropAction(request: Request<z.output<typeof dropArguments>>): Result<Change> {
  const { catalog, input } = request;
  const found = findAction(request, input.name);
  if (!found.ok) return found;
  const effects = input.clear_data ? [{ kind: "clear_action" as const, action: input.name }] : [];
  return ok({ catalog: dropObjects(catalog, [actionId(input.name)]), effects });
}

// ---------------------------------------------------------------- permissions

/** `definition` is accepted from older clients and ignored. */
const createPermissionArguments = object({
  about: {
    action: "Name of the action.",
    role: "Role that may call the action.",
    comment: "Note for readers of the metadata, without effect.",
    definition: "Accepted without effect.",
  },
  required: { action: nonEmptyText, role: roleName },
  optional: { comment: text, definition: json },
});

/** Creates a permission. Does nothing if the action does not exist. */
function createPermission(request: Request<z.output<typeof createPermissionArguments>>): Result<Change> {
  const { catalog, path, input } = request;
  const { action: name, role, comment } = input;
  const action = catalog.actions.find((each) => each.name === name);
  if (action?.permissions.some((permission) => permission.role === role)) {
    return fail("already-exists", path, `permission for role "${role}" is already defined on "${name}"`);
  }
  const permission = { role, ...(comment !== undefined && { comment }) };
  const actions = mapWhere(
    catalog.actions,
    (each) => each === action,
    (each) => ({ ...each, permissions: [...each.permissions, permission] }),
  );
  return ok({ catalog: set(catalog, "actions", actions), targets: [{ kind: "action_permission", name, role }] });
}

interface PermissionName {
  readonly action: string;
  readonly role: string;
}

/** Accepts the name of the action as `action` or `name`. */
const byAction: z.ZodType<PermissionName> = object({
  about: { action: "Name of the action." },
  required: { action: nonEmptyText, role: roleName },
});
const byName = object({
  about: { name: "Name of the action, instead of `action`." },
  required: { name: nonEmptyText, role: roleName },
}).transform(({ name, role }): PermissionName => ({ action: name, role }));
const dropPermissionArguments = choose<PermissionName>(
  () => [byAction, byName],
  (input) => (has(input, "name") && !has(input, "action") ? byName : byAction),
);

function dropPermission(request: Request<PermissionName>): Result<Change> {
  const { catalog, path, input } = request;
  const { action: name, role } = input;
  const found = findAction(request, name);
  if (!found.ok) return found;
  const roles = found.value.permissions.map((permission) => permission.role);
  if (!roles.includes(role)) {
    return fail("not-exists", path, `permission for role: "${role}" is not defined on "${name}"`, hintFor(role, roles));
  }
  const permissions = without(found.value.permissions, (permission) => permission.role === role);
  const actions = mapWhere(
    catalog.actions,
    (action) => action === found.value,
    (action) => ({ ...action, permissions }),
  );
  return ok({ catalog: set(catalog, "actions", actions), targets: [{ kind: "action_permission", name, role }] });
}

// ---------------------------------------------------------------- types

/** Replaces all custom types. */
function setCustomTypes({ catalog, input }: Request<CustomTypes>): Result<Change> {
  return ok({ catalog: { ...catalog, custom_types: input }, targets: [{ kind: "custom_types" }] });
}

export const actionOperations = [
  operation("create_action", {
    about: "Adds a root field that an HTTP service of yours resolves. Its types must exist: see `set_custom_types`.",
    effect: "change",
    endpoints: { metadata: "plain", query: [1] },
    input: actionArguments,
    check: "target",
    atomic: true,
    apply: createAction,
  }),
  operation("update_action", {
    about: "Replaces the definition of an action. Its permissions stay.",
    effect: "change",
    endpoints: { metadata: "plain", query: [1] },
    input: actionArguments,
    check: "target",
    atomic: true,
    apply: updateAction,
  }),
  operation("drop_action", {
    about: "Removes an action, with its permissions.",
    effect: "change",
    endpoints: { metadata: "plain", query: [1] },
    input: dropArguments,
    check: "new-entries",
    atomic: true,
    apply: dropAction,
  }),
  operation("create_action_permission", {
    about: "Allows a role to call an action.",
    effect: "change",
    endpoints: { metadata: "plain", query: [1] },
    input: createPermissionArguments,
    check: "target",
    atomic: true,
    apply: createPermission,
  }),
  operation("drop_action_permission", {
    about: "Removes the permission of a role to call an action.",
    effect: "change",
    endpoints: { metadata: "plain", query: [1] },
    input: dropPermissionArguments,
    check: "target",
    atomic: true,
    apply: dropPermission,
  }),
  operation("set_custom_types", {
    about: "Replaces all types of actions.",
    effect: "change",
    endpoints: { metadata: "plain", query: [1] },
    input: customTypes,
    check: "target",
    atomic: true,
    apply: setCustomTypes,
  }),
];
