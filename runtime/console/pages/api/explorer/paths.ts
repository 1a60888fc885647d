/** Paths in the schema of a role: each step is a field, a type of an abstract field, an argument or an input field. */
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isInputObjectType,
  isObjectType,
  isUnionType,
  type OperationTypeNode,
} from "graphql";

interface FieldStep {
  readonly kind: "field";
  readonly name: string;
  readonly type: GraphQLOutputType;
  readonly args: readonly GraphQLArgument[];
}

/** An inline fragment: fields that only one type of an interface or union has. */
interface TypeStep {
  readonly kind: "type";
  readonly name: string;
  readonly type: GraphQLOutputType;
}

interface ArgumentStep {
  readonly kind: "argument";
  readonly name: string;
  readonly type: GraphQLInputType;
}

interface InputStep {
  readonly kind: "input";
  readonly name: string;
  readonly type: GraphQLInputType;
}

export type SelectionStep = FieldStep | TypeStep;
export type ValueStep = ArgumentStep | InputStep;
export type Step = SelectionStep | ValueStep;

export interface SchemaPath {
  readonly operation: OperationTypeNode;
  readonly steps: readonly Step[];
}

export const fieldStep = ({ name, type, args }: GraphQLField<unknown, unknown>): FieldStep => ({
  kind: "field",
  name,
  type,
  args,
});

const argumentStep = ({ name, type }: GraphQLArgument): ArgumentStep => ({ kind: "argument", name, type });

export const inputStep = ({ name, type }: GraphQLInputField): InputStep => ({ kind: "input", name, type });

/** Returns the root fields of an operation type; none if the schema does not have it. */
export function rootSteps(schema: GraphQLSchema, operation: OperationTypeNode): readonly Step[] {
  return Object.values(schema.getRootType(operation)?.getFields() ?? {}).map(fieldStep);
}

/** Returns the steps that may follow a step: arguments before fields. */
export function childSteps(schema: GraphQLSchema, step: Step): readonly Step[] {
  const named = getNamedType(step.type);
  if (isInputObjectType(named)) return Object.values(named.getFields()).map(inputStep);
  const fields = "getFields" in named && !isUnionType(named) ? Object.values(named.getFields()) : [];
  const types = isAbstractType(named) && step.kind === "field" ? schema.getPossibleTypes(named) : [];
  return [
    ...(step.kind === "field" ? step.args.map(argumentStep) : []),
    ...(fields as readonly GraphQLField<unknown, unknown>[]).map(fieldStep),
    ...types.map((type): TypeStep => ({ kind: "type", name: type.name, type })),
  ];
}

/** Returns true if steps may follow. Does not resolve the fields of its type, which is slow for thousands of rows. */
export function hasChildSteps(step: Step): boolean {
  const named = getNamedType(step.type);
  if (step.kind === "field" && step.args.length > 0) return true;
  return isInputObjectType(named) || isObjectType(named) || isAbstractType(named);
}

/** Returns the type and field of a path, for its documentation. Arguments are on the page of their field. */
export function entryOf(
  schema: GraphQLSchema,
  { operation, steps }: SchemaPath,
): { readonly type: string | null; readonly field?: string } {
  const step = steps.at(-1);
  const before = steps.slice(0, -1);
  if (step?.kind === "argument") return entryOf(schema, { operation, steps: before });
  if (step?.kind === "type") return { type: step.name };
  const owner = before.at(-1);
  const type = owner ? getNamedType(owner.type).name : (schema.getRootType(operation)?.name ?? null);
  return step ? { type, field: step.name } : { type };
}
