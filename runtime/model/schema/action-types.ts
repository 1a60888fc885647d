/** Root fields of actions: custom types, with the role's relationships to tables. */
import { lazy } from "../../values/lazy.ts";
import type { ActionDefinition, ActionTypes } from "../definitions/actions/action.ts";
import type { ActionRoot } from "../definitions/roots.ts";
import { argument } from "./argument.ts";
import { joinFields } from "./join-types.ts";
import { relationshipFields, rowTypes } from "./output-types.ts";
import type { TypeRegistry } from "./registry.ts";
import { remoteJoinFields } from "./remote-join-types.ts";
import { SdlTypes } from "./sdl-types.ts";
import { type InputField, noArguments, type ObjectTypeDef, type OutputField } from "./types.ts";

type Named = readonly [string, OutputField];

/** Returns the root field. The types of the action are parsed on first use. */
export function actionField(types: TypeRegistry, root: ActionRoot, name: string): OutputField {
  switch (root.kind) {
    case "action":
      return answerField(types, root);
    case "start_action":
      return startField(types, root);
    case "action_result":
      return resultField(types, root, name);
  }
}

function answerField(types: TypeRegistry, root: ActionRoot): OutputField {
  return delayedField(
    lazy(() => writtenField(types, root)),
    { kind: "action", root },
  );
}

function writtenField(types: TypeRegistry, root: ActionRoot): OutputField {
  const { types: written, field } = root.action();
  return withOutputs(types, root, sdlTypes(written).field(field(), { kind: "action", root }));
}

/**
 * Returns the field that starts an asynchronous action: it takes the action's arguments and returns the id of the call.
 */
function startField(types: TypeRegistry, root: ActionRoot): OutputField {
  const field = lazy(() => writtenField(types, root));
  return {
    type: () => types.scalar("uuid"),
    list: false,
    required: true,
    description: () => field().description?.(),
    args: () => field().args(),
    meta: { kind: "action", root },
  };
}

/**
 * Returns the field with the result of an asynchronous call. `errors` and `output` are null until it has ended
 * (`docs/how-to/actions.md`).
 */
function resultField(types: TypeRegistry, root: ActionRoot, name: string): OutputField {
  const id = argument(() => types.scalar("uuid"), `the unique id of the call of action "${name}"`, { required: true });
  return {
    type: () => resultType(types, root, name),
    list: false,
    required: false,
    description: () => `the result of a call of action "${name}"`,
    args: () => new Map([["id", id]]),
    meta: { kind: "action", root },
  };
}

function resultType(types: TypeRegistry, root: ActionRoot, name: string): ObjectTypeDef {
  const scalar = (member: string, type: string, required: boolean, description: string): Named => [
    member,
    {
      type: () => types.scalar(type),
      list: false,
      required,
      description: () => description,
      args: noArguments,
      meta: { kind: "action_member", name: member },
    },
  ];
  return types.get<ObjectTypeDef>(`result of action ${name}`, () => ({
    kind: "object",
    name,
    description: `fields of action: "${name}"`,
    fields: lazy(
      () =>
        new Map([
          scalar("created_at", "timestamptz", true, "time at which the call was accepted"),
          scalar("errors", "json", false, "error of the call, if it failed"),
          scalar("id", "uuid", true, "unique id of the call"),
          ["output", outputField(types, root)],
        ]),
    ),
  }));
}

/** Returns the field `output`, which is null until the handler has responded. */
function outputField(types: TypeRegistry, root: ActionRoot): OutputField {
  const { suffix = "", deprecation: _, ...field } = writtenField(types, root);
  return {
    ...field,
    suffix: suffix.replace(/!$/, ""),
    required: false,
    description: () => "output of the handler; null until it has responded",
    args: noArguments,
    meta: { kind: "action_member", name: "output" },
  };
}

/** Returns the argument types of an action's root field, which do not depend on the role. */
export function actionArgumentTypes(
  { types, field }: ActionDefinition,
  use: ActionRoot["kind"],
): ReadonlyMap<string, InputField> {
  if (use !== "action_result") return sdlTypes(types).field(field(), { kind: "remote_member" }).args();
  return new Map([["id", argument(() => ({ kind: "scalar", name: "uuid" }), undefined, { required: true })]]);
}

export function isActionRoot(root: { readonly kind: string }): root is ActionRoot {
  return root.kind === "action" || root.kind === "start_action" || root.kind === "action_result";
}

const known = new WeakMap<ActionTypes, SdlTypes>();

function sdlTypes(written: ActionTypes): SdlTypes {
  let types = known.get(written);
  if (types === undefined) {
    types = new SdlTypes(written.document(), { kind: "remote_member" });
    known.set(written, types);
  }
  return types;
}

/** Adds relationships to the objects that a field returns. */
function withOutputs(types: TypeRegistry, root: ActionRoot, field: OutputField): OutputField {
  return {
    ...field,
    type: lazy(() => {
      const type = field.type();
      return type.kind === "object" ? outputType(types, root, type) : type;
    }),
  };
}

function outputType(types: TypeRegistry, root: ActionRoot, type: ObjectTypeDef): ObjectTypeDef {
  const { name } = type;
  return types.get<ObjectTypeDef>(`action ${name}`, () => ({
    ...type,
    fields: lazy(() => {
      return new Map([
        ...memberFields(types, root, type),
        ...readFields(types, root, name),
        ...joinedFields(types, root, name),
      ]);
    }),
  }));
}

function* memberFields(types: TypeRegistry, root: ActionRoot, type: ObjectTypeDef): Iterable<Named> {
  for (const [name, field] of type.fields()) {
    yield [name, { ...withOutputs(types, root, field), meta: { kind: "action_member", name } }];
  }
}

/** Yields the remote relationships of the objects. */
function* joinedFields(types: TypeRegistry, { relationships }: ActionRoot, name: string): Iterable<Named> {
  const own = Object.hasOwn(relationships, name) ? relationships[name] : undefined;
  if (own === undefined) return;
  yield* joinFields(types, own(), rowTypes);
  yield* remoteJoinFields(types, own(), name);
}

/** Returns the relationships to tables that the role may read. */
function readFields(types: TypeRegistry, { outputs }: ActionRoot, name: string): Iterable<Named> {
  const rows = Object.hasOwn(outputs, name) ? outputs[name] : undefined;
  return rows === undefined ? [] : relationshipFields(types, rows().view);
}

// A field whose types are parsed on first use.

/**
 * Returns a field that is built on first use.
 * @param meta meaning of the field, if known without its types
 */
export function delayedField(field: () => OutputField, meta?: OutputField["meta"]): OutputField {
  return {
    type: () => field().type(),
    get list() {
      return field().list;
    },
    get required() {
      return field().required;
    },
    get suffix() {
      return field().suffix ?? "";
    },
    get deprecation() {
      return field().deprecation;
    },
    description: () => field().description?.(),
    args: () => field().args(),
    get meta() {
      return meta ?? field().meta;
    },
  };
}
