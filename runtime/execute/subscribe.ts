/** A subscription with its values → what the poller asks, or its only result where no database is asked. */

import { type BindInput, bind, sessionText } from "../definitions/parameters.ts";
import type { PlannedCursor } from "../planner/plan.ts";
import type { Subscription, SubscriptionSink } from "../ports/graphql.ts";
import type { SqlValue, TextRow } from "../sources/source.ts";
import type { Cursor, LiveQuery } from "../subscribe/live-query.ts";
import { invariant } from "../values/errors.ts";
import { type Generation, sourceOf } from "./generation.ts";
import type { CachedPlan } from "./plan-cache.ts";

/**
 * The statement and the values of a planned subscription.
 * @param answer the text columns of its row → JSON text of `data`'s value
 * @returns `undefined` when the answer needs no database
 * @throws EngineError for a bad value
 */
export function liveQuery(
  generation: Generation,
  planned: CachedPlan,
  role: string,
  input: BindInput,
  answer: (row: TextRow) => string,
): LiveQuery | undefined {
  const { plan, statements, multiplexed } = planned;
  const [statement] = plan.statements;
  const [single] = statements;
  if (!statement || !single) return undefined;
  const { multiplexed: together, cursor } = statement;
  invariant(multiplexed && together, "a subscription is planned for many");
  const user = statement.callsFunctions ? sessionText(input.session) : undefined;
  const timeLimit = generation.guard.timeLimitMilliseconds(role);
  return {
    statement: {
      kind: cursor ? "stream" : "live",
      source: sourceOf(generation, statement.source),
      key: JSON.stringify([role, statement.text, plan.parts, user ?? null]),
      role,
      ...(user === undefined ? {} : { user }),
      ...(timeLimit === undefined ? {} : { timeLimit }),
      ...(cursor ? { cursor: cursorOf(cursor) } : {}),
      single,
      multiplexed,
      multiplexedValues: (sets: readonly (readonly SqlValue[])[]) => together.values(sets),
      answer,
    },
    values: bind(statement.slots, input),
  };
}

function cursorOf({ column, slot, frontier }: PlannedCursor): Cursor {
  const cursor = { of: column, value: slot, column: 1 };
  if (!frontier) return cursor;
  return { ...cursor, frontier: { statement: { text: frontier.text }, value: frontier.slot } };
}

/** Delivers what cannot change. */
export async function completeAtOnce(data: string, sink: SubscriptionSink): Promise<Subscription> {
  sink.next(data);
  sink.complete();
  return { stop: () => {} };
}
