/** A subscription → the statement that will answer it, for the explain endpoint (`graphql-api.md` 9). */

import type { DatabaseSource, PreparedStatement, SqlValue } from "../databases/sources/source.ts";
import { bind, type ParameterSlot } from "../model/definitions/parameters.ts";
import type { JoinStep } from "../model/planner/joins/join-plan.ts";
import { planSubscription } from "../model/planner/plan-subscription.ts";
import type { Operation } from "../model/planner/request/document.ts";
import type { GraphqlRequest } from "../ports/graphql.ts";
import { EngineError, invariant } from "../values/errors.ts";
import type { Session } from "../values/session.ts";
import type { Generation } from "./generation.ts";
import type { ExecuteOptions } from "./options.ts";
import { routedSource } from "./route.ts";
import { startOfStream } from "./stream-start.ts";
import { readVariables } from "./variables.ts";

/** What is asked to be explained, with the variables that were given. */
export interface ExplainedOperation {
  readonly operation: Operation;
  readonly variables: GraphqlRequest["variables"];
  /** What is joined is explained, too; else it is refused. */
  readonly joins: boolean;
}

/** `graphql-api.md` 9. */
export function joinsNotExplained(): EngineError {
  return new EngineError("invalid-params", "$", "queries with remote relationships cannot be explained");
}

export interface ExplainedSubscription {
  readonly source: DatabaseSource;
  /**
   * The statement for many, unless its source is asked one by one, and its values for this subscription alone: what an
   * EXPLAIN of it runs with.
   */
  readonly statement: PreparedStatement;
  readonly values: readonly SqlValue[];
  readonly variables: SubscriptionVariables;
  /** Of the operation, with their defaults. */
  readonly given: Readonly<Record<string, unknown>>;
  /** What is joined to the rows. */
  readonly steps: readonly JoinStep[];
}

/** What tells apart two subscriptions that share the statement; values as the database gets them. */
interface SubscriptionVariables {
  /** Session variables that the statement uses. */
  readonly session: Readonly<Record<string, SqlValue>>;
  /** Variables of the operation that are a parameter as they are. */
  readonly query: Readonly<Record<string, SqlValue>>;
  /** The values of all arguments, written in the document or given by variables, in the order of the statement. */
  readonly synthetic: readonly SqlValue[];
  /** Where a stream begins: the value by its column. */
  readonly cursor: Readonly<Record<string, SqlValue>>;
}

/**
 * Plans a subscription without running it; a relative beginning of a stream is evaluated, as it would be for the stream.
 * @throws EngineError what a subscription of this session would be refused with
 */
export async function explainSubscription(
  generation: Generation,
  { operation, variables, joins }: ExplainedOperation,
  session: Session,
  options: ExecuteOptions,
): Promise<ExplainedSubscription> {
  const given = readVariables(operation.declared, variables, options);
  const { plan } = planSubscription(operation, generation.schemaOf(session, options.api), given, options);
  if (plan.actions) throw new EngineError("invalid-params", "$", "subscriptions on actions cannot be explained");
  const { joins: steps = [] } = plan;
  if (steps.length > 0 && !joins) throw joinsNotExplained();
  const [statement] = plan.statements;
  if (!statement) throw new EngineError("not-supported", "$", "there is no statement to explain");
  const { multiplexed, cursor } = statement;
  invariant(multiplexed, "a subscription has a multiplexed statement");
  const bound = bind(multiplexed.slots, { variables: given, session: session.variables });
  const source = routedSource(generation, statement.source, session);
  const start = await startOfStream(source, cursor, bound);
  const values = cursor && start !== undefined ? bound.with(cursor.slot, start) : bound;
  return {
    source,
    statement: { text: source.isAskedOneByOne ? statement.text : multiplexed.text },
    values: source.isAskedOneByOne ? values : multiplexed.values([values]),
    given,
    steps,
    variables: {
      ...variablesOf(multiplexed.slots, values, session),
      cursor: cursor ? { [cursor.column]: values[cursor.slot] ?? null } : {},
    },
  };
}

function variablesOf(
  slots: readonly ParameterSlot[],
  values: readonly SqlValue[],
  session: Session,
): Omit<SubscriptionVariables, "cursor"> {
  const used: Record<string, SqlValue> = Object.create(null);
  const query: Record<string, SqlValue> = Object.create(null);
  const synthetic: SqlValue[] = [];
  for (const [i, slot] of slots.entries()) {
    const value = values[i] ?? null;
    if (slot.kind === "session") used[slot.variable] = value;
    else if (slot.kind === "whole_session") Object.assign(used, Object.fromEntries(session.variables));
    else if (slot.kind === "value") {
      synthetic.push(value);
      if (slot.source.kind === "variable" && slot.source.within.length === 0) query[slot.source.name] = value;
    }
  }
  return { session: used, query, synthetic };
}
