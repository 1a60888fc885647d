/** The parts of a plan and their values → the JSON text of `data`. The text that a database built goes in as it came. */
import { mergePlaced } from "../dialects/placed-texts.ts";
import type { Plan, PlanPart } from "../planner/plan.ts";
import type { SqlValue } from "../sources/source.ts";

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

/** A field that is answered from the text of the schema. */
export type SchemaPart = Extract<PlanPart, { kind: "introspection" | "sdl" }>;

/**
 * The answer of a query, or one of a subscription.
 * @param rows the single row of each statement
 * @param describe absent: nothing is asked of the schema
 * @param remotes what each request to a remote server gave, by key
 */
export function queryAnswer(
  plan: Plan,
  rows: readonly (readonly SqlValue[])[],
  describe?: (part: SchemaPart) => string,
  remotes: readonly RemoteValues[] = [],
): string {
  return answerText(plan.parts, (part) => {
    switch (part.kind) {
      case "column":
        return rows[part.statement]?.[part.column] ?? "null";
      case "merged":
        return mergePlaced(part.columns.map(({ statement, column }) => rows[statement]?.[column] ?? null));
      case "remote":
        return remotes[part.request]?.get(part.key) ?? "null";
      case "introspection":
      case "sdl":
        return describe?.(part) ?? "null";
      case "write":
        throw new Error("invariant: a query writes nothing");
    }
  });
}
