/** Explains the limits and the allow-list that apply to all requests of a role. */
import type { Json } from "../catalog/model.ts";
import { failed, passed, type Step, unknown } from "./explanation.ts";
import type { ByName } from "./model.ts";

export interface RequestRules {
  /** API limits of the role, by name. */
  readonly limits: ByName<Json>;
  /** Saved operations that the role may send; absent if the role may send others. */
  readonly onlySaved?: readonly string[] | undefined;
}

export function ruleSteps({ limits, onlySaved }: RequestRules, role: string): readonly Step[] {
  return [
    ...Object.entries(limits).flatMap(([name, limit]) => {
      const text = texts[name]?.(limit);
      return text === undefined ? [] : [passed("limit", `${text} (${name})`)];
    }),
    ...(onlySaved ? [allowListStep(onlySaved, role)] : []),
  ];
}

/** Explains whether the allow-list contains an operation; nothing if the role may send others. */
export function admissionSteps({ onlySaved }: RequestRules, role: string, isAllowed: boolean): readonly Step[] {
  if (onlySaved === undefined) return [];
  const contains = `the allow-list ${isAllowed ? "contains" : "does not contain"} the operation for role ${role}`;
  return isAllowed ? [passed("allow_list", contains)] : [failed("allow_list", contains, operationsHint(onlySaved))];
}

function allowListStep(operations: readonly string[], role: string): Step {
  const reason = `the allow-list is enabled: role ${role} may send only saved operations`;
  return { ...unknown("allow_list", reason), hint: operationsHint(operations) };
}

const operationsHint = (operations: readonly string[]): string =>
  operations.length === 0 ? "it contains none for the role" : `operations: ${operations.join(", ")}`;

const texts: Readonly<Record<string, (limit: Json) => string>> = {
  batch_limit: (limit) => `a request has at most ${String(limit)} operations`,
  depth_limit: (limit) => `fields are nested at most ${String(limit)} levels deep`,
  node_limit: (limit) => `a document selects at most ${String(limit)} fields`,
  rate_limit: (limit) => `at most ${rateOf(limit)} requests per minute`,
  time_limit: (limit) => `an operation runs at most ${String(limit)} seconds`,
};

const rateOf = (limit: Json): string => String(Object(limit).max_reqs_per_min);
