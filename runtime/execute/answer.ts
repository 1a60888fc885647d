/** The parts of a plan and their values → the JSON text of `data`. The text that a database built goes in as it came. */

import type { SqlValue } from "../databases/sources/source.ts";
import { mergePlaced } from "../model/dialects/placed-texts.ts";
import type { Plan, PlanPart } from "../model/planner/plan.ts";

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

/** JSON texts by key. */
export type RemoteValues = ReadonlyMap<string, string>;

/** What was given outside databases. */
export interface OutsideValues {
  /** By the requests of the plan, then by key. */
  readonly remotes: readonly (RemoteValues | undefined)[];
  /** JSON texts by the calls of the plan. */
  readonly actions: readonly (string | undefined)[];
}

const nothingOutside: OutsideValues = { remotes: [], actions: [] };

/** A field that is answered outside databases. */
export type OutsidePart = Extract<PlanPart, { kind: "remote" | "action" }>;

export function outsideText(part: OutsidePart, { remotes, actions }: OutsideValues): string {
  return (part.kind === "remote" ? remotes[part.request]?.get(part.key) : actions[part.action]) ?? "null";
}

/** A field that is answered from the text of the schema. */
export type SchemaPart = Extract<PlanPart, { kind: "introspection" | "sdl" }>;

/**
 * The answer of a query, or one of a subscription.
 * @param rows the single row of each statement
 * @param describe absent: nothing is asked of the schema
 * @param outside what remote servers and handlers of actions gave
 */
export function queryAnswer(
  plan: Plan,
  rows: readonly (readonly SqlValue[])[],
  describe?: (part: SchemaPart) => string,
  outside: OutsideValues = nothingOutside,
): string {
  return answerText(plan.parts, (part) => {
    switch (part.kind) {
      case "column":
        return rows[part.statement]?.[part.column] ?? "null";
      case "merged":
        return mergePlaced(part.columns.map(({ statement, column }) => rows[statement]?.[column] ?? null));
      case "remote":
      case "action":
        return outsideText(part, outside);
      case "introspection":
      case "sdl":
        return describe?.(part) ?? "null";
      case "write":
        throw new Error("invariant: a query writes nothing");
    }
  });
}
