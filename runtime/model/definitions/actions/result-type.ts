/** Result type of an action, with which the handler's response is validated. */
import { type FieldDefinitionNode, Kind, print, type TypeNode } from "graphql";
import type { ActionDefinition } from "./action.ts";

export interface ResultField {
  readonly name: string;
  /** `[Tag!]` */
  readonly type: string;
}

export interface ResultType {
  /** `[Order!]!` */
  readonly type: string;
  /** `Order` */
  readonly name: string;
  /** Fields of all object types of actions, by type name. */
  readonly objects: ReadonlyMap<string, readonly ResultField[]>;
  /** Names of all enums of actions. */
  readonly enums: ReadonlySet<string>;
}

const known = new WeakMap<ActionDefinition, ResultType>();

export function resultTypeOf(action: ActionDefinition): ResultType {
  let type = known.get(action);
  if (type === undefined) {
    type = readResultType(action);
    known.set(action, type);
  }
  return type;
}

function readResultType({ types, field }: ActionDefinition): ResultType {
  const { type } = field();
  const objects = new Map<string, readonly ResultField[]>();
  const enums = new Set<string>();
  for (const node of types.document().definitions) {
    if (node.kind === Kind.ENUM_TYPE_DEFINITION) enums.add(node.name.value);
    if (node.kind === Kind.OBJECT_TYPE_DEFINITION) objects.set(node.name.value, (node.fields ?? []).map(fieldOf));
  }
  return { type: print(type), name: baseName(type), objects, enums };
}

const fieldOf = ({ name, type }: FieldDefinitionNode): ResultField => ({ name: name.value, type: print(type) });

function baseName(type: TypeNode): string {
  return type.kind === Kind.NAMED_TYPE ? type.name.value : baseName(type.type);
}
