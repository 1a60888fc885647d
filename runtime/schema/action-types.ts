/** Root fields that handlers of actions answer: custom types, with what the role may read of tables beside them. */
import type { ActionTypes } from "../definitions/actions/action.ts";
import type { ActionRoot } from "../definitions/roots.ts";
import { lazy } from "../values/lazy.ts";
import { relationshipFields } from "./output-types.ts";
import type { TypeRegistry } from "./registry.ts";
import { SdlTypes } from "./sdl-types.ts";
import type { ObjectTypeDef, OutputField } from "./types.ts";

type Named = readonly [string, OutputField];

/** The types of the action are read when a request asks for the field. */
export function actionField(types: TypeRegistry, root: ActionRoot): OutputField {
  const field = lazy(() => {
    const { types: written, field } = root.action();
    return withOutputs(types, root, sdlTypes(written).field(field(), { kind: "action", root }));
  });
  return {
    type: () => field().type(),
    get list() {
      return field().list;
    },
    get required() {
      return field().required;
    },
    get behind() {
      return field().behind ?? "";
    },
    description: () => field().description?.(),
    args: () => field().args(),
    meta: { kind: "action", root },
  };
}

export function isActionRoot(root: { readonly kind: string }): root is ActionRoot {
  return root.kind === "action";
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
    fields: lazy(() => new Map([...memberFields(types, root, type), ...readFields(types, root, name)])),
  }));
}

function* memberFields(types: TypeRegistry, root: ActionRoot, type: ObjectTypeDef): Iterable<Named> {
  for (const [name, field] of type.fields()) {
    yield [name, { ...withOutputs(types, root, field), meta: { kind: "action_member", name } }];
  }
}

/** What the role may read of tables. */
function readFields(types: TypeRegistry, { outputs }: ActionRoot, name: string): Iterable<Named> {
  const rows = Object.hasOwn(outputs, name) ? outputs[name] : undefined;
  return rows === undefined ? [] : relationshipFields(types, rows().view);
}
