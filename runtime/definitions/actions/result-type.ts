/** The type of an action's result: what the handler has to answer. */
import { type FieldDefinitionNode, Kind, print, type TypeNode } from "graphql";
import type { ActionDefinition } from "./action.ts";

export interface ResultType {
  /** `[Order!]!` */
  readonly type: string;
  /** `Order` */
  readonly name: string;
  readonly isObject: boolean;
  /** Fields that are never null, in the order of the type. */
  readonly required: readonly string[];
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
  const name = baseName(type);
  const node = types.document().definitions.find((each) => "name" in each && each.name?.value === name);
  const isObject = node?.kind === Kind.OBJECT_TYPE_DEFINITION;
  const members = isObject ? (node.fields ?? []) : [];
  return { type: print(type), name, isObject, required: members.filter(isRequired).map((each) => each.name.value) };
}

const isRequired = ({ type }: FieldDefinitionNode): boolean => type.kind === Kind.NON_NULL_TYPE;

function baseName(type: TypeNode): string {
  return type.kind === Kind.NAMED_TYPE ? type.name.value : baseName(type.type);
}
