/** What the joins of an operation ask of other sources and servers, level by level; nobody is asked. */
import type { JoinStep } from "../../model/planner/joins/join-plan.ts";
import type { ExplainedJoin } from "../../ports/administration.ts";
import type { Session } from "../../values/session.ts";
import { explainStatement } from "../explain-statement.ts";
import type { Generation } from "../generation.ts";
import { joinQueryForm } from "../remote/join-query.ts";

export interface ExplainedJoinsInput {
  readonly generation: Generation;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly session: Session;
}

export function explainJoins(
  steps: readonly JoinStep[],
  input: ExplainedJoinsInput,
): Promise<readonly ExplainedJoin[]> {
  return Promise.all(steps.map((step) => explainJoin(step, input)));
}

/** The keys are not known: statements have none, requests have their names. */
async function explainJoin(step: JoinStep, input: ExplainedJoinsInput): Promise<ExplainedJoin> {
  const { generation, variables, session } = input;
  const fields = step.places.map(({ path }) => fieldsOf(path));
  const values = { variables, session: session.variables, elsewhere: session.elsewhere };
  if (step.kind === "source") {
    return { fields, source: step.source, ...(await explainStatement({ generation, session }, step, values)) };
  }
  return { fields, remote_schema: step.server.name, query: joinQueryForm(step.places, values) };
}

/** `$.selectionSet.orders.selectionSet.customer` → `orders.customer` */
const fieldsOf = (path: string): string => path.split(".selectionSet.").slice(1).join(".");
