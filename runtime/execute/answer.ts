/** The parts of a plan and their values → the JSON text of `data`. */
import type { PlanPart } from "../planner/plan.ts";

/** A part that has a value of its own. */
export type ValuePart = Exclude<PlanPart, { kind: "json" | "object" }>;

/** @param value the JSON text of a part */
export function answerText(parts: readonly PlanPart[], value: (part: ValuePart) => string): string {
  let text = "{";
  for (const part of parts) {
    // Names of GraphQL have nothing to escape.
    text += `${text === "{" ? "" : ","}"${part.key}":`;
    if (part.kind === "json") text += part.json;
    else if (part.kind === "object") text += answerText(part.parts, value);
    else text += "protect" in part && part.protect ? part.protect(value(part)) : value(part);
  }
  return `${text}}`;
}
