/** Text of new fields and values. Values that the user has to choose become variables, so that the operation is valid. */
import {
  type GraphQLArgument,
  GraphQLBoolean,
  type GraphQLInputField,
  type GraphQLInputType,
  GraphQLNonNull,
  type GraphQLOutputType,
  GraphQLString,
  getNamedType,
  getNullableType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
  isUnionType,
} from "graphql";
import { firstMember } from "./group-keys.ts";
import { fieldStep, inputStep, type SelectionStep, type Step, type ValueStep } from "./paths.ts";

/** Variables of one operation. */
export interface Variables {
  /** Definitions of added variables, such as `$id: Int!`. */
  readonly added: readonly string[];
  /** Defines a variable under a free name, and returns its name with `$`. */
  add(name: string, type: GraphQLInputType): string;
}

/** @param taken names of the variables that the operation defines */
export function variablesBeside(taken: readonly string[]): Variables {
  const names = new Set(taken);
  const added: string[] = [];
  return {
    added,
    add(wanted, type) {
      let name = wanted;
      for (let number = 2; names.has(name); number++) name = `${wanted}${number}`;
      names.add(name);
      added.push(`$${name}: ${type}`);
      return `$${name}`;
    },
  };
}

/**
 * Returns the text of a selection.
 * @param indent white space before its line; `null` for a text of one line
 */
export function selectionText(
  [step, ...rest]: readonly [SelectionStep, ...Step[]],
  variables: Variables,
  indent: string | null,
): string {
  const [next] = rest;
  const head = step.kind === "type" ? `... on ${step.name}` : `${step.name}${argumentsText(step, rest, variables)}`;
  if (!isCompositeType(getNamedType(step.type))) return head;
  const inner = isSelection(next) ? rest : defaultSelection(step.type);
  return `${head} ${selectionSetText(inner as [SelectionStep, ...Step[]], variables, indent)}`;
}

/** Returns the text of a selection set with one selection. */
export function selectionSetText(
  steps: readonly [SelectionStep, ...Step[]],
  variables: Variables,
  indent: string | null,
): string {
  if (indent === null) return `{ ${selectionText(steps, variables, null)} }`;
  const inner = `${indent}  `;
  return `{\n${inner}${selectionText(steps, variables, inner)}\n${indent}}`;
}

const isSelection = (step: Step | undefined): boolean => step?.kind === "field" || step?.kind === "type";

function argumentsText(
  { args, type: field }: SelectionStep & { readonly kind: "field" },
  rest: readonly Step[],
  variables: Variables,
) {
  const [next] = rest;
  const required = args.filter(
    (arg) => isRequiredArgument(arg) && !(next?.kind === "argument" && next.name === arg.name),
  );
  const texts = required.map((arg) => `${arg.name}: ${keysText(arg, field) ?? variables.add(arg.name, arg.type)}`);
  if (next?.kind === "argument")
    texts.push(`${next.name}: ${valueText(rest as [ValueStep, ...ValueStep[]], variables)}`);
  return texts.length === 0 ? "" : `(${texts.join(", ")})`;
}

/**
 * Returns the keys of groups, because a variable would not show which fields of `key` can be selected: the column that a
 * check box of `key` selects. `undefined` for other arguments.
 */
function keysText({ type }: GraphQLArgument, field: GraphQLOutputType): string | undefined {
  const [keys, groups] = [getNamedType(type), getNamedType(field)];
  const key = isObjectType(groups) ? groups.getFields().key : undefined;
  const column = isInputObjectType(keys) ? keys.getFields().column : undefined;
  const columns = column && getNullableType(column.type);
  if (key === undefined || !isEnumType(columns)) return undefined;
  const [first] = defaultSelection(key.type);
  return first && columns.getValue(first.name) ? `[{column: ${first.name}}]` : undefined;
}

const typename: SelectionStep = {
  kind: "field",
  name: "__typename",
  type: new GraphQLNonNull(GraphQLString),
  args: [],
};

const maxDepth = 3;

/** Returns the selection of a new object: its `id` or first leaf, if necessary within its first object. */
function defaultSelection(type: GraphQLOutputType, depth = 0): readonly SelectionStep[] {
  const named = getNamedType(type);
  if (!isCompositeType(named) || isUnionType(named)) return [typename];
  const fields = Object.values(named.getFields()).filter(({ args }) => !args.some(isRequiredArgument));
  const leaves = fields.filter((field) => isLeafType(getNamedType(field.type)));
  const leaf = leaves.find(({ name }) => name === "id") ?? leaves[0];
  if (leaf) return [fieldStep(leaf)];
  const [object] = fields;
  if (!object || depth === maxDepth) return [typename];
  return [fieldStep(object), ...defaultSelection(object.type, depth + 1)];
}

/** Returns the value of the first step, with the values of the others inside. */
export function valueText(
  [step, ...rest]: readonly [ValueStep, ...ValueStep[]],
  variables: Variables,
  parents: readonly ValueStep[] = [],
): string {
  const named = getNamedType(step.type);
  if (!isInputObjectType(named)) return leafText(step, variables, parents);
  const [next, ...others] = rest;
  const required = Object.values(named.getFields()).filter(
    (field) => isRequiredInputField(field) && field.name !== next?.name,
  );
  const fields = required.map((field) => `${field.name}: ${requiredText(field, variables)}`);
  const first = next ? undefined : named.getFields()[firstMember(named) ?? ""];
  if (first) fields.push(`${first.name}: ${valueText([inputStep(first)], variables, [...parents, step])}`);
  if (next) fields.push(`${next.name}: ${valueText([next, ...others], variables, [...parents, step])}`);
  const text = `{${fields.join(", ")}}`;
  return isListType(getNullableType(step.type)) ? `[${text}]` : text;
}

function requiredText({ name, type }: GraphQLInputField, variables: Variables): string {
  const nullable = getNullableType(type);
  return isEnumType(nullable) ? firstValue(nullable) : variables.add(name, type);
}

function leafText(step: ValueStep, variables: Variables, parents: readonly ValueStep[]): string {
  const nullable = getNullableType(step.type);
  if (isEnumType(nullable)) return firstValue(nullable);
  if (getNamedType(nullable) === GraphQLBoolean && !isListType(nullable)) return "true";
  // Operators have names such as `_eq`: the column is the better name.
  const named = [...parents, step].findLast(({ name }) => !name.startsWith("_"));
  return variables.add(named?.name ?? step.name, step.type);
}

const firstValue = (type: { getValues(): readonly { readonly name: string }[] }): string =>
  type.getValues()[0]?.name ?? "null";
