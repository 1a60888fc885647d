/** Lowers a saved query to the IR of `operations/<collection>.<query>.ts`, which all roles share. */
import type { SavedOperation } from "../../runtime/model/definitions/saved/operation.ts";
import {
  defaultValue,
  variable as savedVariable,
  typeNodeText,
} from "../../runtime/model/definitions/saved/variable.ts";
import type { SavedQuery } from "../2-analyze/analysis.ts";
import { operationOf } from "../2-analyze/saved-operations.ts";
import type { SavedOperationIr } from "./ir.ts";

export function lowerSavedOperation(saved: SavedQuery): SavedOperationIr {
  const { collection, name, query } = saved;
  const { definition, usedVariables } = operationOf(saved);
  const variables = (definition.variableDefinitions ?? []).map(({ variable, type, defaultValue: value }) => ({
    name: variable.name.value,
    type: typeNodeText(type),
    ...(value && { default: defaultValue(value) }),
    unused: !usedVariables.has(variable.name.value),
  }));
  const operationName = definition.name?.value;
  return {
    collection,
    name,
    ...(operationName !== undefined && { operationName }),
    kind: definition.operation,
    text: query,
    variables,
  };
}

/** Returns the definition that the emitted module exports. */
export function savedOperationOf({ variables, ...operation }: SavedOperationIr): SavedOperation {
  const definitions = variables.map(({ name, type, unused, ...more }) => {
    return [name, savedVariable(type, { ...more, ...(unused && { unused }) })] as const;
  });
  return { ...operation, variables: Object.fromEntries(definitions) };
}
