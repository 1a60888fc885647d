/** Root fields that handlers of actions answer: custom types, with what the role may read of tables beside them. */

import { lazy } from "../../values/lazy.ts";
import type { ActionDefinition, ActionTypes } from "../definitions/actions/action.ts";
import type { ActionRoot } from "../definitions/roots.ts";
import { argument } from "./argument.ts";
import { delayedField } from "./delayed-field.ts";
import { joinFields } from "./join-types.ts";
import { relationshipFields, rowTypes } from "./output-types.ts";
import type { TypeRegistry } from "./registry.ts";
import { remoteJoinFields } from "./remote-join-types.ts";
import { SdlTypes } from "./sdl-types.ts";
import { type InputField, noArguments, type ObjectTypeDef, type OutputField } from "./types.ts";

type Named = readonly [string, OutputField];

/** The types of the action are read when a request asks for the field. */
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

/** Takes the arguments of the action, and answers the id of the call. */
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

/** What became of a call: `errors` and `output` are null until it has ended (`docs/actions.md`). */
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
          scalar("created_at", "timestamptz", true, "when the call was asked for"),
          scalar("errors", "json", false, "why the call has failed; null unless it has"),
          scalar("id", "uuid", true, "the unique id of the call"),
          ["output", outputField(types, root)],
        ]),
    ),
  }));
}

/** Null until the handler has answered. */
function outputField(types: TypeRegistry, root: ActionRoot): OutputField {
  const { behind = "", deprecation: _, ...field } = writtenField(types, root);
  return {
    ...field,
    behind: behind.replace(/!$/, ""),
    required: false,
    description: () => "what the handler answered; null until it has",
    args: noArguments,
    meta: { kind: "action_member", name: "output" },
  };
}

/** As a root field of an action has them, whatever the role. */
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

/** A field of an output type, whose objects have relationships. */
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

/** What is joined to the objects. */
function* joinedFields(types: TypeRegistry, { relationships }: ActionRoot, name: string): Iterable<Named> {
  const own = Object.hasOwn(relationships, name) ? relationships[name] : undefined;
  if (own === undefined) return;
  yield* joinFields(types, own(), rowTypes);
  yield* remoteJoinFields(types, own(), name);
}

/** What the role may read of tables. */
function readFields(types: TypeRegistry, { outputs }: ActionRoot, name: string): Iterable<Named> {
  const rows = Object.hasOwn(outputs, name) ? outputs[name] : undefined;
  return rows === undefined ? [] : relationshipFields(types, rows().view);
}
