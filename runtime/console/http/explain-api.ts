/** Client of `explain_access`. */
import { runOperation } from "./metadata-api.ts";
import type { Json, JsonObject } from "./metadata-types.ts";

export interface Explanation {
  readonly verdict: "allowed" | "denied" | "depends";
  readonly reason: string;
  readonly steps: readonly ExplanationStep[];
  readonly rows?: ExplainedPart;
  readonly check?: ExplainedPart;
}

export interface ExplanationStep {
  readonly check: string;
  readonly result: "passed" | "failed" | "unknown";
  readonly reason: string;
  readonly hint?: string;
}

/** A part of a row filter. */
export interface ExplainedPart {
  readonly expression: Json;
  /** Parent role that has the filter. */
  readonly role?: string;
  /** Table whose select permission the parts come from. */
  readonly permission?: string;
  /** Absent without a row; `null` for the unknown truth of a comparison with null. */
  readonly result?: boolean | null;
  readonly parts?: readonly ExplainedPart[];
}

/** Members of the arguments that name what is explained: `on` or `request`. */
export type Explained = { readonly on: JsonObject } | { readonly request: JsonObject; readonly backend: boolean };

/** @throws ApiError */
export function explainAccess(
  explained: Explained,
  role: string,
  session: Readonly<Record<string, string>>,
): Promise<Explanation> {
  return runOperation({ type: "explain_access", args: { role, session, ...explained } });
}
