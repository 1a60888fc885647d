/** Prepared statements of mutation fields. They belong to the plan and do not depend on the values of a request. */
import { createHash } from "node:crypto";
import type { PreparedStatement } from "../databases/sources/source.ts";
import type { WritePlan, WriteStep } from "../model/planner/mutate/plan.ts";

/** Fields of a mutation that run in one transaction, all of one source. */
export interface PreparedWrites {
  readonly source: string;
  readonly plans: readonly WritePlan[];
  /** Steps of all fields, in order. */
  readonly steps: readonly PreparedStep[];
}

export interface PreparedStep {
  readonly step: WriteStep;
  /** Index of the field's plan. */
  readonly field: number;
  readonly statement: PreparedStatement;
  /** True if some values of the step are results of earlier steps. */
  readonly needsResults: boolean;
}

/**
 * Groups fields into transactions: one for all fields of a single source, otherwise one per field.
 * @param named true if the statements will be reused, so that they are prepared under a name
 * @param separate true if remote calls run between the fields, so that each field needs its own transaction
 */
export function prepareWrites(
  plans: readonly WritePlan[],
  { named, separate = false }: { readonly named: boolean; readonly separate?: boolean },
): readonly PreparedWrites[] {
  const [first] = plans;
  if (first === undefined) return [];
  const isSingle = !separate && plans.every(({ source }) => source === first.source);
  return (isSingle ? [plans] : plans.map((plan) => [plan])).map((group) => ({
    source: group[0]?.source ?? first.source,
    plans: group,
    steps: group.flatMap(({ steps }, field) => steps.map((step) => preparedStep(step, field, named))),
  }));
}

function preparedStep(step: WriteStep, field: number, named: boolean): PreparedStep {
  const { text, slots } = step;
  const statement = named ? { text, name: statementName(text) } : { text };
  return { step, field, statement, needsResults: slots.some(isResult) };
}

export const isResult = ({ kind }: WriteStep["slots"][number]): boolean => kind === "result" || kind === "copied";

/** Returns the name of a prepared statement, shared by all plans with the same text. */
export function statementName(text: string): string {
  return `p${createHash("sha256").update(text).digest("hex").slice(0, 32)}`;
}
