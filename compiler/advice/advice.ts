/** Applies all rules of advice to an analysis. Pure. */
import type { Interruptible } from "../../runtime/values/interruptible.ts";
import { compareText } from "../../runtime/values/text-order.ts";
import { type Advice, type AdviceInput, type Finding, type Rule, type Skipped, severities } from "./model.ts";
import { missingLimits } from "./rules/missing-limits.ts";
import { notColocated } from "./rules/not-colocated.ts";
import { ownerFunction } from "./rules/owner-function.ts";
import { readableSecret } from "./rules/readable-secret.ts";
import { unfilteredOwner } from "./rules/unfiltered-owner.ts";
import { unindexedFilter } from "./rules/unindexed-filter.ts";
import { unindexedJoin } from "./rules/unindexed-join.ts";
import { unlimitedList } from "./rules/unlimited-list.ts";
import { unusedRole } from "./rules/unused-role.ts";

/** All rules, by the danger of their findings. */
export const rules: readonly Rule[] = [
  readableSecret,
  unfilteredOwner,
  ownerFunction,
  unlimitedList,
  missingLimits,
  unindexedFilter,
  unindexedJoin,
  notColocated,
  unusedRole,
];

/** Yields after each table, so that other work can run. */
export function* adviceOf(input: AdviceInput): Interruptible<Advice> {
  const findings: Finding[] = [];
  for (const rule of rules) {
    for (const finding of rule.find(input)) {
      if (finding !== undefined) findings.push(finding);
      yield;
    }
  }
  return { findings: findings.sort(bySeverity), skipped: rules.flatMap((rule) => skippedOf(rule, input)) };
}

function bySeverity(one: Finding, other: Finding): number {
  const order = severities.indexOf(one.severity) - severities.indexOf(other.severity);
  return order || compareText(one.place, other.place) || compareText(one.rule, other.rule);
}

function skippedOf(
  { id, needs, verifiable }: Rule,
  { analysis, facts, verified, unauthorizedRole }: AdviceInput,
): readonly Skipped[] {
  if (needs === "unauthorized role" && unauthorizedRole === undefined) {
    return [{ rule: id, reason: "the role of requests without credentials is not known" }];
  }
  if (needs !== "facts") return [];
  const unknown = [...analysis.sources.keys()].filter((name) => !facts.has(name));
  const incomplete = verifiable ? [...(verified?.values() ?? [])].flatMap((each) => each.incomplete ?? []) : [];
  return [...unknown.map((name) => `indexes and functions of source ${name} are not known`), ...incomplete].map(
    (reason) => ({ rule: id, reason }),
  );
}
