/** The statements of mutation fields, as sources prepare them: kept with a plan, whatever the values of a request are. */
import { createHash } from "node:crypto";
import type { PreparedStatement } from "../databases/sources/source.ts";
import type { WritePlan, WriteStep } from "../model/planner/mutate/plan.ts";

/** Fields of a mutation that run in one transaction: all of one source. */
export interface PreparedWrites {
  readonly source: string;
  readonly plans: readonly WritePlan[];
  /** Those of all fields, in their order. */
  readonly steps: readonly PreparedStep[];
}

export interface PreparedStep {
  readonly step: WriteStep;
  /** The index of its plan. */
  readonly field: number;
  readonly statement: PreparedStatement;
  /** Some of its values are not known before earlier steps have run. */
  readonly needsResults: boolean;
}

/**
 * The fields of one source run together, all or nothing; those of several run one by one, until one fails.
 * @param named whether the statements will come again
 * @param apart something else is asked between them: each field runs by itself
 */
export function prepareWrites(
  plans: readonly WritePlan[],
  { named, apart = false }: { readonly named: boolean; readonly apart?: boolean },
): readonly PreparedWrites[] {
  const [first] = plans;
  if (first === undefined) return [];
  const isTogether = !apart && plans.every(({ source }) => source === first.source);
  return (isTogether ? [plans] : plans.map((plan) => [plan])).map((group) => ({
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

/** Equal statements share a name, whichever plan they belong to. */
export function statementName(text: string): string {
  return `p${createHash("sha256").update(text).digest("hex").slice(0, 32)}`;
}
