/**
 * Counts what operations are given and what they get, where the metadata asks for it (`set_metrics_config`): names of
 * variables and the outcomes of root fields, never a value.
 */
import { OperationTypeNode } from "graphql";
import type { Meters } from "../ports/metrics.ts";
import { membersOf } from "./json-text.ts";
import { identityOf } from "./operation-identity.ts";
import type { PlannedOperation } from "./plan-operation.ts";

/** What the client leaves out is absent, also where it has a default. */
export function countVariables(meters: Meters, { kind, operation, variables }: PlannedOperation): void {
  const parsed = operation();
  const about = identityOf(parsed);
  for (const name of parsed.declared.keys()) {
    const value = variables[name];
    const state = value === undefined ? "absent" : value === null ? "null" : "value";
    meters.operationVariables.add(1, { operation_type: kind, variable_name: name, state, ...about });
  }
}

/** @param answer the JSON text of `data`; empty: its only field was answered in pieces */
export function countAnswer(meters: Meters, { kind, operation }: PlannedOperation, answer: string): void {
  if (kind === OperationTypeNode.SUBSCRIPTION) return;
  const about = identityOf(operation());
  const counts = { value: answer === "" ? 1 : 0, null: 0, empty: 0 };
  for (const { from, to } of membersOf(answer, 0)) counts[resultOf(answer, from, to)]++;
  for (const [result, count] of Object.entries(counts)) {
    if (count > 0) meters.answerFields.add(count, { operation_type: kind, result, ...about });
  }
}

function resultOf(answer: string, from: number, to: number): "value" | "null" | "empty" {
  if (to - from === 4 && answer.startsWith("null", from)) return "null";
  return isEmpty.test(answer.slice(from, Math.min(to, from + longestEmpty))) ? "empty" : "value";
}

/** In characters: databases write blanks into lists and objects. */
const longestEmpty = 8;
const isEmpty = /^(?:\[\s*\]|\{\s*\})$/;
