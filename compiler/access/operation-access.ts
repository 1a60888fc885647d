/** The plans of a saved operation for one role → its SQL and requests, and where values come from. */

import type { ValueSource } from "../../runtime/model/definitions/parameters.ts";
import { assertNever } from "../../runtime/values/errors.ts";
import type { SavedOutcome } from "../5-plan/plan-operation.ts";
import type { PlanIr, SlotIr } from "../5-plan/plans-ir.ts";
import { canonicalJson } from "../catalog/canonical.ts";
import type { OperationAccess, RequestAccess, StatementAccess } from "./model.ts";
import { callsAccess, requestAccess } from "./request-access.ts";

/** `undefined`: the role cannot run it. */
export function operationAccess(outcome: SavedOutcome): OperationAccess | undefined {
  if (outcome.kind === "fault") return undefined;
  if (outcome.kind === "open") return "planned when asked";
  const plans = Object.entries(outcome.plans.plans);
  return { statements: Object.fromEntries(plans.map(([name, plan]) => [name, statementsOf(plan)])) };
}

type Asked = StatementAccess | RequestAccess;

function statementsOf({ statements, writes, remotes = [], joins = [] }: PlanIr): readonly Asked[] {
  return [
    ...statements.map(({ source, text, slots }) => ({ source, sql: text, parameters: slots.map(slotText) })),
    ...writes.flatMap(({ source, steps }) =>
      steps.map(({ text, slots }) => ({ source, sql: text, parameters: slots.map(slotText) })),
    ),
    ...remotes.map(requestAccess),
    ...joins.flatMap((step): readonly Asked[] => {
      if (step.kind === "remote") return step.places.map(callsAccess);
      return [{ source: step.source, sql: step.text, parameters: step.slots.map(slotText) }];
    }),
  ];
}

function slotText(slot: SlotIr): string {
  switch (slot.kind) {
    case "value":
      return sourceText(slot.source);
    case "column":
      return `${slot.name} of the rows to write`;
    case "join_keys":
      return slot.column === undefined ? "positions of keys" : `keys ${slot.column + 1} to join by`;
    case "result":
      return `column ${slot.column + 1} of statement ${slot.step + 1}`;
    case "copied":
      return slot.parts.map(({ step, column }) => `column ${column + 1} of statement ${step + 1}`).join(", ");
    case "session":
      return `session variable ${slot.variable}`;
    case "whole_session":
      return "all session variables";
    default:
      return assertNever(slot);
  }
}

function sourceText(source: ValueSource): string {
  switch (source.kind) {
    case "variable":
      return ["$", source.name, ...source.within.map((key) => `[${JSON.stringify(key)}]`)].join("");
    case "constant":
      return canonicalJson(source.value);
    case "literal":
      return `literal ${source.index + 1}`;
    case "list":
      return `[${source.items.map(sourceText).join(", ")}]`;
    case "object":
      return `{${source.members.map(([name, value]) => `${JSON.stringify(name)}: ${sourceText(value)}`).join(", ")}}`;
    default:
      return assertNever(source);
  }
}
