/** Comparison inputs of column types: `Int_comparison_exp`. */

import { lazy, sortedMap } from "../../values/lazy.ts";
import type { CastOperator, Operator, StructuredOperator } from "../definitions/operator.ts";
import type { ScalarType } from "../definitions/scalar-type.ts";
import type { SourceDefinition } from "../definitions/table.ts";
import type { TypeRegistry } from "./registry.ts";
import type { InputField, InputObjectTypeDef } from "./types.ts";

/** Returns the input with the operators of a column type. */
export function comparisonType(types: TypeRegistry, source: SourceDefinition, type: ScalarType): InputObjectTypeDef {
  const { naming, dialect } = source;
  const base = type.enumeration ? type.graphql : naming.commonType(type.graphql);
  const name = naming.joined(base, dialect.comparisonSuffix(type));
  const isEnum = type.enumeration !== undefined && type.element === undefined;
  return types.get<InputObjectTypeDef>(name, () => ({
    kind: "input",
    name,
    description: `Boolean expression to compare columns of type "${type.graphql}". All fields are combined with logical 'AND'.`,
    fields: lazy(() =>
      sortedMap(
        dialect
          .operators(type)
          .filter(({ name }) => !isEnum || enumOperators.has(name))
          .map((operator) => [naming.field(operator.name), operatorField(types, source, operator)]),
      ),
    ),
  }));
}

/** Operators of enum tables, whose values have no order. */
const enumOperators: ReadonlySet<string> = new Set(["_eq", "_neq", "_in", "_nin", "_is_null"]);

function operatorField(types: TypeRegistry, source: SourceDefinition, operator: Operator): InputField {
  const field = {
    list: false,
    required: false,
    nullIsAbsent: false,
    meta: { kind: "operator", operator },
    ...(operator.description === undefined ? {} : { description: operator.description }),
  } as const;
  switch (operator.kind) {
    case "compare": {
      const { operand, list } = operator;
      const isListOfLists = list && operand.element?.element !== undefined;
      return {
        ...field,
        list: list || operand.element !== undefined,
        type: () => types.scalarOf(operand),
        ...(isListOfLists && { suffix: "!]!]", alsoDeclared: `[${types.scalarOf(operand).name}]` }),
      };
    }
    case "flag":
      return { ...field, type: () => types.scalar("Boolean") };
    case "cast":
      return { ...field, type: () => castType(types, source, operator) };
    case "structured":
      return { ...field, type: () => structuredType(types, source, operator) };
  }
}

/** Returns the input type of an operator with several operands. */
function structuredType(
  types: TypeRegistry,
  { naming }: SourceDefinition,
  operator: StructuredOperator,
): InputObjectTypeDef {
  const name = naming.commonType(operator.inputType);
  return types.get<InputObjectTypeDef>(name, () => ({
    kind: "input",
    name,
    fields: lazy(
      () =>
        new Map(
          Object.entries(operator.fields).map(([field, { type, required, defaultValue }]) => [
            naming.field(field),
            {
              type: () => types.scalarOf(type),
              list: false,
              required,
              nullIsAbsent: !required,
              meta: { kind: "operand", name: field },
              ...(defaultValue === undefined ? {} : { defaultValue }),
            },
          ]),
        ),
    ),
  }));
}

/** Returns the input type of the operators after a cast: `{String: String_comparison_exp}`. */
function castType(
  types: TypeRegistry,
  source: SourceDefinition,
  { inputType, target }: CastOperator,
): InputObjectTypeDef {
  const name = source.naming.commonType(inputType);
  return types.get<InputObjectTypeDef>(name, () => ({
    kind: "input",
    name,
    fields: lazy(
      () =>
        new Map([
          [
            target.graphql,
            {
              type: () => comparisonType(types, source, target),
              list: false,
              required: false,
              nullIsAbsent: false,
              meta: { kind: "argument" },
            },
          ],
        ]),
    ),
  }));
}
