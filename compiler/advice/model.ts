/** Advice: findings about permissions, limits and indexes that a reviewer should know, each with its reason and a remedy. */
import type { Analysis } from "../2-analyze/analysis.ts";
import type { ObjectId } from "../2-analyze/object-id.ts";
import { objectPath } from "../2-analyze/object-path.ts";
import type { ByName } from "../access/model.ts";
import type { Json } from "../catalog/model.ts";
import type { ReviewFacts } from "../shape/review-facts.ts";
import type { VerifiedUses } from "./verified-uses.ts";

/** From the most to the least severe. */
export const severities = ["error", "warning", "note"] as const;

export type Severity = (typeof severities)[number];

export interface Finding {
  readonly rule: string;
  readonly severity: Severity;
  /** Names of the objects, separated by dots; stable while the metadata changes elsewhere. Exceptions refer to it. */
  readonly place: string;
  /** JSONPath in the metadata document. */
  readonly path: string;
  readonly reason: string;
  readonly fix: string;
}

/** A rule that was not applied to a source, or not at all. */
export interface Skipped {
  readonly rule: string;
  readonly reason: string;
}

export interface Advice {
  /** The most severe first, then by place. */
  readonly findings: readonly Finding[];
  readonly skipped: readonly Skipped[];
}

export interface AdviceInput {
  readonly analysis: Analysis;
  /** By source; sources without known facts have none. */
  readonly facts: ReadonlyMap<string, ReviewFacts>;
  /** Results of `EXPLAIN`, by source; sources without a database at hand have none. */
  readonly verified?: ReadonlyMap<string, VerifiedUses>;
  /** Role of requests without credentials; `null` if the server refuses them, `undefined` if it is not known. */
  readonly unauthorizedRole: string | null | undefined;
  /** Returns the API limits that apply to a role. */
  readonly limitsOf: (role: string) => ByName<Json>;
}

export interface Rule {
  readonly id: string;
  /** A noun phrase for the findings. */
  readonly title: string;
  /** The danger, in one sentence. */
  readonly about: string;
  /** The most severe of its findings. */
  readonly severity: Severity;
  /** Facts without which the rule finds nothing. */
  readonly needs?: "facts" | "unauthorized role";
  /** A database verifies the findings with `EXPLAIN`. */
  readonly verifiable?: true;
  /** Yields findings, and `undefined` after each table, so that other work can run. */
  readonly find: (input: AdviceInput) => Iterable<Finding | undefined>;
}

/** Returns the path of a part of an object in the metadata document. */
export function pathOf({ analysis }: AdviceInput, id: ObjectId): string {
  return objectPath(analysis.catalog, id);
}
