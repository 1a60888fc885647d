/**
 * What is joined to the rows of a subscription, for one session (`--experimental-features remote_joins_in_subscriptions`).
 * Subscriptions of several sessions share the statement for the rows; what is joined each of them is asked for apart.
 */
import { createHash } from "node:crypto";
import { Deadline } from "../../databases/sources/deadline.ts";
import { stringifyJson } from "../../values/json-number.ts";
import { queryAnswer } from "../answer.ts";
import type { PlannedOperation } from "../plan-operation.ts";
import type { JoinedAnswer } from "../subscribe/live-query.ts";
import { type JoinInput, joinRun, joinValues } from "./run-joins.ts";
import type { SourceStepInput } from "./source-step.ts";

export interface JoinedAnswerInput
  extends Pick<SourceStepInput, "generation" | "session">,
    Pick<JoinInput, "remote" | "mostJoined"> {
  readonly planned: PlannedOperation;
}

/** Absent: nothing is joined. */
export function joinedAnswer(input: JoinedAnswerInput): { readonly joined?: JoinedAnswer } {
  const { planned, generation, session, remote, mostJoined } = input;
  const { plan, joined } = planned.plan;
  const columns = joined.get(0);
  if (columns === undefined) return {};
  const { variables } = planned;
  const timeLimit = generation.guard.timeLimitMilliseconds(session.role);
  const answer: JoinedAnswer["answer"] = async (row, caller) => {
    const deadline = Deadline.of(timeLimit, caller);
    const run = joinRun(plan, {
      generation,
      remote,
      mostJoined,
      variables,
      session,
      caller: deadline ?? caller,
      deadline,
    });
    const joining = joinValues(row, columns, run);
    return queryAnswer(plan, [await (deadline ? deadline.race(joining) : joining)]);
  };
  return { joined: { key: keyOf(input), answer } };
}

/** Short, and without what the session holds. */
function keyOf({ planned, session }: JoinedAnswerInput): string {
  const { query, variables } = planned;
  const { role, clientHeaders = {}, backendOnly } = session;
  const operation = planned.operation().definition.name?.value ?? null;
  const headers = Object.entries(clientHeaders).sort(byName);
  const values = [...session.variables].sort(byName);
  const text = stringifyJson([query, operation, variables, role, backendOnly, values, headers]);
  return createHash("sha256").update(text).digest("base64");
}

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);
