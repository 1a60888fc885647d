/** Encodes `data` as JSON from the parts of a plan and their values. Texts built by a database are copied unchanged. */

import type { SqlValue } from "../databases/sources/source.ts";
import { mergePlaced } from "../model/dialects/placed-texts.ts";
import type { Plan, PlanPart } from "../model/planner/plan.ts";

/** A part whose value the caller supplies. */
export type ValuePart = Exclude<PlanPart, { kind: "json" | "object" }>;

/**
 * Returns the JSON text of an object.
 * @param value returns the JSON text of a part
 */
export function objectText(parts: readonly PlanPart[], value: (part: ValuePart) => string): string {
  let text = "{";
  for (const part of parts) {
    // GraphQL names need no escaping.
    text += `${text === "{" ? "" : ","}"${part.key}":`;
    if (part.kind === "json") text += part.json;
    else if (part.kind === "object") text += objectText(part.parts, value);
    else text += "protect" in part && part.protect ? part.protect(value(part)) : value(part);
  }
  return `${text}}`;
}

/** JSON texts by response key. */
export type RemoteValues = ReadonlyMap<string, string>;

/** Results of remote schemas and action handlers. */
export interface RemoteResults {
  /** Values by request of the plan, then by response key. */
  readonly remotes: readonly (RemoteValues | undefined)[];
  /** JSON texts by call of the plan. */
  readonly actions: readonly (string | undefined)[];
}

const noRemoteResults: RemoteResults = { remotes: [], actions: [] };

/** A field that a remote schema or an action handler resolves. */
export type RemotePart = Extract<PlanPart, { kind: "remote" | "action" }>;

export function remoteText(part: RemotePart, { remotes, actions }: RemoteResults): string {
  return (part.kind === "remote" ? remotes[part.request]?.get(part.key) : actions[part.action]) ?? "null";
}

/** A field resolved from the text of the schema. */
export type SchemaPart = Extract<PlanPart, { kind: "introspection" | "sdl" }>;

/**
 * Encodes the `data` of a query, or of one result of a subscription.
 * @param rows the single row of each statement
 * @param describe resolves introspection fields; absent if the plan has none
 */
export function queryData(
  plan: Plan,
  rows: readonly (readonly SqlValue[])[],
  describe?: (part: SchemaPart) => string,
  remote: RemoteResults = noRemoteResults,
): string {
  return objectText(plan.parts, (part) => {
    switch (part.kind) {
      case "column":
        return rows[part.statement]?.[part.column] ?? "null";
      case "merged":
        return mergePlaced(part.columns.map(({ statement, column }) => rows[statement]?.[column] ?? null));
      case "remote":
      case "action":
        return remoteText(part, remote);
      case "introspection":
      case "sdl":
        return describe?.(part) ?? "null";
      case "write":
        throw new Error("invariant: a query writes nothing");
    }
  });
}
