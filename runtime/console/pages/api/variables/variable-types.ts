/** Completion and validation of variables by the types that the operation defines. */
import type { Completion, CompletionResult } from "@codemirror/autocomplete";
import {
  coerceInputValue,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  type OperationDefinitionNode,
  typeFromAST,
} from "graphql";
import { type JsonPath, jsonCursor, rangeOfValue } from "./json-position.ts";

interface Variable {
  readonly type: GraphQLInputType;
  readonly isRequired: boolean;
}

export type VariableTypes = ReadonlyMap<string, Variable>;

/** Variables whose types the schema does not have are missing. */
export function variableTypes(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
): VariableTypes {
  const found = new Map<string, Variable>();
  for (const { variable, type: node, defaultValue } of variableDefinitions) {
    const type = typeFromAST(schema, node as Parameters<typeof typeFromAST>[1]);
    if (isInputType(type)) found.set(variable.name.value, { type, isRequired: isNonNullType(type) && !defaultValue });
  }
  return found;
}

function typeAt(types: VariableTypes, [name, ...rest]: JsonPath): GraphQLInputType | undefined {
  let type: GraphQLInputType | undefined = types.get(String(name))?.type;
  for (const key of rest) {
    const nullable: GraphQLInputType | undefined = type && getNullableType(type);
    if (typeof key === "number") type = isListType(nullable) ? nullable.ofType : undefined;
    else type = inputFieldsOf(type).find((field) => field.name === key)?.type;
  }
  return type;
}

/** Returns names and values for a position of the JSON text. */
export function completionsAt(text: string, position: number, types: VariableTypes): CompletionResult | null {
  const cursor = jsonCursor(text, position);
  if (!cursor) return null;
  const { expects, path, names, from } = cursor;
  const isInQuotes = text[from] === '"' && text[position] === '"';
  const to = isInQuotes ? position + 1 : position;
  const options = expects === "value" ? valuesOf(typeAt(types, path)) : namesAt(types, path, names, text.slice(to));
  return options.length === 0 ? null : { from, to, options, filter: true };
}

function namesAt(types: VariableTypes, path: JsonPath, taken: readonly string[], rest: string): readonly Completion[] {
  const members =
    path.length === 0 ? [...types].map(([name, { type }]) => ({ name, type })) : inputFieldsOf(typeAt(types, path));
  const end = /^\s*:/.test(rest) ? "" : ": ";
  return members
    .filter(({ name }) => !taken.includes(name))
    .map(({ name, type }) => ({
      label: JSON.stringify(name),
      displayLabel: name,
      detail: String(type),
      apply: `${JSON.stringify(name)}${end}`,
    }));
}

function inputFieldsOf(type: GraphQLInputType | undefined) {
  const nullable = type && getNullableType(type);
  // A single object may be written for a list.
  const item = isListType(nullable) ? getNullableType(nullable.ofType) : nullable;
  return isInputObjectType(item) ? Object.values(item.getFields()) : [];
}

function valuesOf(type: GraphQLInputType | undefined): readonly Completion[] {
  const nullable = type && getNullableType(type);
  const named = nullable && getNamedType(nullable);
  const none = type && !isNonNullType(type) ? [{ label: "null" }] : [];
  if (isListType(nullable)) return none;
  if (isEnumType(named)) {
    const values = named.getValues().map(({ name }) => ({ label: JSON.stringify(name), displayLabel: name }));
    return [...values, ...none];
  }
  return [...(named?.name === "Boolean" ? [{ label: "true" }, { label: "false" }] : []), ...none];
}

interface Problem {
  readonly from: number;
  readonly to: number;
  readonly message: string;
}

/** Returns the problems of JSON text without syntax errors. */
export function problemsOf(text: string, types: VariableTypes): readonly Problem[] {
  const value: unknown = JSON.parse(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return [{ from: 0, to: text.length, message: "Write the variables as a JSON object." }];
  }
  const problems: Problem[] = [];
  const add = (path: JsonPath, message: string): void => {
    problems.push({ ...(rangeOfValue(text, path) ?? { from: 0, to: text.length }), message });
  };
  const known = [...types.keys()].map((name) => `$${name}`).join(", ");
  for (const [name, member] of Object.entries(value)) {
    const type = types.get(name)?.type;
    if (type) coerceInputValue(member, type, (path, _value, { message }) => add([name, ...path], message));
    else add([name], `The operation has no variable $${name}. ${known === "" ? "It has none." : `It has ${known}.`}`);
  }
  for (const [name, { isRequired, type }] of types) {
    if (isRequired && !(name in value)) add([], `The variable $${name} of type ${type} is missing.`);
  }
  return problems;
}
