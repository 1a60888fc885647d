/**
 * A planned subscription with its values → what the poller asks, what a remote server is asked, or its only result where
 * nobody is.
 */

import type { SqlValue } from "../databases/sources/source.ts";
import { bind, sessionText } from "../model/definitions/parameters.ts";
import type { PlannedCursor } from "../model/planner/plan.ts";
import type { PreparedOperation, Subscription, SubscriptionSink } from "../ports/graphql.ts";
import type { Meters } from "../ports/metrics.ts";
import { invariant } from "../values/errors.ts";
import type { Session } from "../values/session.ts";
import { inSpan } from "../values/span.ts";
import { queryAnswer } from "./answer.ts";
import { type Generation, sourceOf } from "./generation.ts";
import { type JoinedAnswerInput, joinedAnswer } from "./joins/joined-answer.ts";
import { identityOf } from "./operation-identity.ts";
import { fieldsOfStatement, spanOfRemote, within } from "./operation-spans.ts";
import type { PlannedOperation } from "./plan-operation.ts";
import type { Streamed } from "./remote/remote-stream.ts";
import type { RemoteValues } from "./remote/remote-values.ts";
import { routedOperation, routedSource, targetIn, withRouting } from "./route.ts";
import { startOfStream } from "./stream-start.ts";
import { withCursor } from "./subscribe/delivery.ts";
import type { LiveQueries } from "./subscribe/live-queries.ts";
import type { Cursor, LiveQuery } from "./subscribe/live-query.ts";
import { type ActionSubscriptionInput, subscribeToActions } from "./subscribe-actions.ts";
import { tagSubscription } from "./tag-statements.ts";

interface SubscriptionInput {
  readonly generation: Generation;
  readonly current: () => Generation;
  readonly session: Session;
  /** On `generation`. */
  readonly planned: PlannedOperation;
  /** Plans the same operation on another Generation. */
  readonly plan: (generation: Generation) => PlannedOperation;
  readonly live: LiveQueries;
  readonly meters: Meters;
  readonly services: ActionSubscriptionInput["services"];
}

/** @throws EngineError for a bad value */
export function prepareSubscription({
  generation,
  current,
  session,
  planned,
  plan,
  live,
  meters,
  services,
}: SubscriptionInput): Prepared {
  if (planned.plan.plan.remotes) return prepareStream({ generation, current, session, planned, plan, services });
  if (planned.plan.plan.actions) {
    const input = { current, session, plan, services };
    return { kind: "subscription", subscribe: (sink) => subscribeToActions(input, sink) };
  }
  const { remote, mostJoined } = services;
  const query = liveQuery({ generation, planned, session, meters, remote, mostJoined });
  if (!query) {
    const data = () => queryAnswer(planned.plan.plan, []);
    return { kind: "subscription", subscribe: async (sink) => completeAtOnce(data(), sink) };
  }
  const replanned = (): Begun => {
    const next = current();
    const again = plan(next);
    const query = liveQuery({ generation: next, planned: again, session, meters, remote, mostJoined });
    invariant(query, "a subscription that asks a database does so in every generation");
    return { query, planned: again };
  };
  // A change of the metadata since then has moved only the subscriptions that ran already.
  const newest = (): Begun => (current() === generation ? { query, planned } : replanned());
  const replan = (): LiveQuery => replanned().query;
  const isStream = query.statement.kind === "stream";
  return {
    kind: "subscription",
    isStream,
    async subscribe(sink) {
      const { query: first, planned: on } = newest();
      const start = await startOfStream(first.statement.source, on.plan.plan.statements[0]?.cursor, first.values);
      const { statement, values, ...joined } = newest().query;
      return live.subscribe(
        { query: { statement, values: withCursor(values, statement, start), ...joined }, replan },
        sink,
      );
    },
  };
}

interface Begun {
  readonly query: LiveQuery;
  readonly planned: PlannedOperation;
}

type Prepared = Extract<PreparedOperation, { kind: "subscription" }>;

/** What a remote server tells. */
function prepareStream(input: Omit<SubscriptionInput, "live" | "meters">): Prepared {
  const { generation, current, session, planned, plan, services } = input;
  const { remote } = services;
  const streamed = ({ plan: { plan: parts }, variables }: PlannedOperation): Streamed => {
    const [first] = parts.remotes ?? [];
    invariant(first, "the same subscription asks a remote server in every generation");
    const answer = (values: RemoteValues) => queryAnswer(parts, [], undefined, { remotes: [values], actions: [] });
    return { bound: remote.bind(first, variables, session), answer };
  };
  const bound = streamed(planned);
  const replan = (): Streamed => streamed(plan(current()));
  return {
    kind: "subscription",
    subscribe: async (sink) => {
      const streamed = current() === generation ? bound : replan();
      const asking = spanOfRemote(session.span, streamed.bound.plan);
      return inSpan(asking, async () =>
        remote.streams.subscribe({ streamed: { ...streamed, bound: within(asking, streamed.bound) }, replan, sink }),
      );
    },
  };
}

interface LiveQueryInput extends JoinedAnswerInput {
  readonly meters: Meters;
}

/** @returns `undefined` when the answer needs no database */
function liveQuery(given: LiveQueryInput): LiveQuery | undefined {
  const { generation, planned, meters } = given;
  const { schema, variables, plan: ahead, operation } = planned;
  const session = withRouting(generation, given.session, () => routedOperation(operation().definition));
  const input = { ...given, session };
  const { role } = schema;
  const { plan, statements, multiplexed } = ahead;
  const [statement] = plan.statements;
  const [single] = statements;
  if (!statement || !single) return undefined;
  const { multiplexed: together, cursor } = statement;
  invariant(multiplexed && together, "a subscription is planned for many");
  const tag = tagSubscription(generation, planned);
  const fields = () => fieldsOfStatement(plan, 0);
  const user = statement.callsFunctions ? sessionText(session.variables) : undefined;
  const timeLimit = generation.guard.timeLimitMilliseconds(role);
  const source = routedSource(generation, statement.source, session);
  const { routing_to } = targetIn(sourceOf(generation, statement.source), session);
  return {
    statement: {
      kind: cursor ? "stream" : "live",
      source,
      ...(routing_to === "primary" && { reader: source }),
      key: JSON.stringify([role, statement.text, plan.parts, user ?? null, routing_to === "primary"]),
      role,
      name: operation().definition.name?.value ?? null,
      ...(meters.isOn && { about: identityOf(operation()) }),
      ...(user === undefined ? {} : { user }),
      ...(timeLimit === undefined ? {} : { timeLimit }),
      ...(cursor ? { cursor: cursorOf(cursor) } : {}),
      single: tag(statement.source, single, fields),
      multiplexed: tag(statement.source, multiplexed, fields),
      multiplexedValues: (sets: readonly (readonly SqlValue[])[]) => together.values(sets),
      answer: (row) => queryAnswer(plan, [row]),
    },
    values: bind(statement.slots, { variables, session: session.variables }),
    ...joinedAnswer(input),
  };
}

function cursorOf({ column, slot, frontier }: PlannedCursor): Cursor {
  const cursor = { of: column, value: slot, column: 1 };
  if (!frontier) return cursor;
  return { ...cursor, frontier: { statement: { text: frontier.text }, value: frontier.slot } };
}

/** Delivers what cannot change. */
function completeAtOnce(data: string, sink: SubscriptionSink): Subscription {
  sink.next(data);
  sink.complete();
  return { stop: () => {} };
}
