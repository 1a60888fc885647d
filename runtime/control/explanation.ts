/** The result of `explain_access`, which commands also produce without a server. */
import { type ExplainedPart, isEmptyFilter, type Step, unknown } from "../../compiler/access/explanation.ts";
import type { Json } from "../../compiler/catalog/model.ts";

export interface AccessExplanation extends Explained {
  readonly verdict: Verdict;
  /** Reason of the step that decides. */
  readonly reason: string;
}

export interface Explained {
  readonly steps: readonly Step[];
  /** Row filter of the permission, and its check. */
  readonly rows?: EvaluatedPart;
  readonly check?: EvaluatedPart;
}

/** A part of a filter with its truth for the row; `null`: unknown, which counts as false. */
export interface EvaluatedPart {
  readonly expression: Json;
  /** Parent role that has this filter. */
  readonly role?: string;
  /** Table whose select permission the parts come from. */
  readonly permission?: string;
  /** Absent without a row. */
  readonly result?: boolean | null;
  readonly parts?: readonly EvaluatedPart[];
}

/** `depends`: the verdict differs by row. */
type Verdict = "allowed" | "denied" | "depends";

/** Adds the verdict, with the reason of the step that decides it. */
export function withVerdict({ steps, ...filters }: Explained): AccessExplanation {
  const deciding = steps.find(({ result }) => result === "failed") ?? steps.find(({ result }) => result === "unknown");
  if (deciding) {
    const verdict = deciding.result === "failed" ? "denied" : "depends";
    return { verdict, reason: deciding.reason, steps, ...filters };
  }
  return { verdict: "allowed", reason: steps.at(-1)?.reason ?? "", steps, ...filters };
}

interface Filters<Part> {
  readonly rows?: Part | undefined;
  readonly check?: Part | undefined;
}

/** Returns the filters with the truth of each part, if known. */
export function shownFilters<Part extends ExplainedPart>(
  { rows, check }: Filters<Part>,
  truths?: ReadonlyMap<ExplainedPart, boolean | null>,
): Pick<Explained, "rows" | "check"> {
  return { ...(rows && { rows: withTruth(rows, truths) }), ...(check && { check: withTruth(check, truths) }) };
}

function withTruth(part: ExplainedPart, truths: ReadonlyMap<ExplainedPart, boolean | null> | undefined): EvaluatedPart {
  const { expression, role, permission, parts = [] } = part;
  return {
    expression,
    ...(role !== undefined && { role }),
    ...(permission !== undefined && { permission }),
    ...(truths?.has(part) && { result: truths.get(part) ?? null }),
    ...(parts.length > 0 && { parts: parts.map((inner) => withTruth(inner, truths)) }),
  };
}

/** Returns the steps of filters that are not evaluated: the verdict depends on the row. */
export function unevaluatedSteps({ rows, check }: Filters<ExplainedPart>, displayName: string): readonly Step[] {
  return [
    ...(rows && !isEmptyFilter(rows) ? [unknown("rows", `the row filter decides which rows of ${displayName}`)] : []),
    ...(check && !isEmptyFilter(check) ? [unknown("check", "the check decides on each written row")] : []),
  ];
}
