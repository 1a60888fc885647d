/** A saved query → IR of `operations/<collection>.<query>.ts`: what all roles share of it. */
import { type OperationDefinitionNode, parse } from "graphql";
import { defaultValue, typeNodeText } from "../../runtime/model/definitions/saved/variable.ts";
import { readOperation } from "../../runtime/model/planner/request/document.ts";
import { invariant } from "../../runtime/values/errors.ts";
import type { SavedQuery } from "../2-analyze/analysis.ts";
import type { SavedOperationIr } from "./ir.ts";

export function lowerSavedOperation({ collection, name, query }: SavedQuery): SavedOperationIr {
  const { definition, usedVariables } = readOperation(query, null);
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

/** The operation of a document that has one. */
export function operationOf(query: string): OperationDefinitionNode {
  const operation = parse(query, { noLocation: true }).definitions.find((each) => each.kind === "OperationDefinition");
  invariant(operation, "a saved operation is an operation");
  return operation;
}
