/**
 * Prepares a planned subscription: it polls a database, forwards a subscription to a remote schema, follows the log of
 * asynchronous actions, or delivers one constant result.
 */

import { createHash } from "node:crypto";
import { asText, noMemory } from "../databases/sources/byte-reads.ts";
import { Deadline } from "../databases/sources/deadline.ts";
import type { SqlValue } from "../databases/sources/source.ts";
import { bind, sessionText } from "../model/definitions/parameters.ts";
import type { PlannedCursor } from "../model/planner/plan.ts";
import type { PreparedOperation, Subscription, SubscriptionSink } from "../ports/graphql.ts";
import type { Meters } from "../ports/metrics.ts";
import { invariant } from "../values/errors.ts";
import { stringifyJson } from "../values/json-number.ts";
import type { Session } from "../values/session.ts";
import { inSpan } from "../values/span.ts";
import { encodeBytes } from "./encode-bytes.ts";
import { queryData } from "./encode-data.ts";
import { type Generation, sourceOf } from "./generation.ts";
import { type JoinInput, joinRun, joinValues } from "./joins/run-joins.ts";
import type { SourceStepInput } from "./joins/source-step.ts";
import { identityOf } from "./operation-identity.ts";
import { fieldsOfStatement, spanOfRemote, withSpan } from "./operation-spans.ts";
import type { PlannedOperation } from "./plan-operation.ts";
import type { Streamed } from "./remote/remote-stream.ts";
import type { RemoteValues } from "./remote/remote-values.ts";
import { routedOperation, routedSource, targetIn, withRouting } from "./route.ts";
import { startOfStream } from "./stream-start.ts";
import { withCursor } from "./subscribe/delivery.ts";
import type { LiveQueries } from "./subscribe/live-queries.ts";
import type { Cursor, JoinedResult, LiveQuery } from "./subscribe/live-query.ts";
import { type ActionSubscriptionInput, subscribeToActions } from "./subscribe-actions.ts";
import { tagSubscription } from "./tag-statements.ts";

interface SubscriptionInput {
  readonly generation: Generation;
  readonly current: () => Generation;
  readonly session: Session;
  /** The plan on `generation`. */
  readonly planned: PlannedOperation;
  /** Plans the same operation on another generation. */
  readonly plan: (generation: Generation) => PlannedOperation;
  readonly live: LiveQueries;
  readonly meters: Meters;
  readonly services: ActionSubscriptionInput["services"];
}

/**
 * Prepares a subscription.
 * @throws EngineError for an invalid value
 */
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
  const { remote, maxJoined } = services;
  const query = liveQuery({ generation, planned, session, meters, remote, maxJoined });
  if (!query) {
    const data = () => queryData(planned.plan.plan, []);
    return { kind: "subscription", subscribe: async (sink) => completeAtOnce(data(), sink) };
  }
  const planOnCurrent = (): PlannedQuery => {
    const next = current();
    const replanned = plan(next);
    const query = liveQuery({ generation: next, planned: replanned, session, meters, remote, maxJoined });
    invariant(query, "a subscription of a database stays one in every generation");
    return { query, planned: replanned };
  };
  // A metadata change replans running subscriptions only. This subscription is not running before `subscribe`.
  const currentQuery = (): PlannedQuery => (current() === generation ? { query, planned } : planOnCurrent());
  const replan = (): LiveQuery => planOnCurrent().query;
  const isStream = query.statement.kind === "stream";
  return {
    kind: "subscription",
    isStream,
    async subscribe(sink) {
      const { query: first, planned: on } = currentQuery();
      const start = await startOfStream(first.statement.source, on.plan.plan.statements[0]?.cursor, first.values);
      const { statement, values, ...joined } = currentQuery().query;
      return live.subscribe(
        {
          query: { statement, values: withCursor(values, statement, start === undefined ? [] : [start]), ...joined },
          replan,
        },
        sink,
      );
    },
  };
}

interface PlannedQuery {
  readonly query: LiveQuery;
  readonly planned: PlannedOperation;
}

type Prepared = Extract<PreparedOperation, { kind: "subscription" }>;

function prepareStream(input: Omit<SubscriptionInput, "live" | "meters">): Prepared {
  const { generation, current, session, planned, plan, services } = input;
  const { remote } = services;
  const streamed = ({ plan: { plan: parts }, variables }: PlannedOperation): Streamed => {
    const [first] = parts.remotes ?? [];
    invariant(first, "a subscription of a remote schema stays one in every generation");
    const encode = (values: RemoteValues) => queryData(parts, [], undefined, { remotes: [values], actions: [] });
    return { bound: remote.bind(first, variables, session), encode };
  };
  const bound = streamed(planned);
  const replan = (): Streamed => streamed(plan(current()));
  return {
    kind: "subscription",
    subscribe: async (sink) => {
      const streamed = current() === generation ? bound : replan();
      const callSpan = spanOfRemote(session.span, streamed.bound.plan);
      return inSpan(callSpan, async () =>
        remote.streams.subscribe({
          streamed: { ...streamed, bound: withSpan(callSpan, streamed.bound) },
          replan,
          sink,
        }),
      );
    },
  };
}

interface LiveQueryInput extends JoinedResultInput {
  readonly meters: Meters;
}

/** Returns the polled query; `undefined` if the result does not depend on a database. */
function liveQuery(unrouted: LiveQueryInput): LiveQuery | undefined {
  const { generation, planned, meters } = unrouted;
  const { schema, variables, plan: cachedPlan, operation } = planned;
  const session = withRouting(generation, unrouted.session, () => routedOperation(operation().definition));
  const input = { ...unrouted, session };
  const { role } = schema;
  const { plan, statements, multiplexed, byteParts } = cachedPlan;
  const [statement] = plan.statements;
  const [single] = statements;
  if (!statement || !single) return undefined;
  const { multiplexed: batched, cursor } = statement;
  invariant(multiplexed && batched, "a subscription has a batched statement");
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
      multiplexedValues: (sets: readonly (readonly SqlValue[])[]) => batched.values(sets),
      ...(byteParts
        ? { takesBytes: true, encode: (row) => encodeBytes(byteParts, [{ values: row, memory: noMemory }]) }
        : { encode: (row) => queryData(plan, [asText(row)]) }),
    },
    values: bind(statement.slots, { variables, session: session.variables }),
    ...joinedResult(input),
  };
}

function cursorOf({ column, keys, slots, highWaterMark }: PlannedCursor): Cursor {
  const cursor = { of: [column, ...keys], values: slots };
  if (!highWaterMark) return cursor;
  return { ...cursor, highWaterMark: { statement: { text: highWaterMark.text }, values: highWaterMark.slots } };
}

/** Delivers a constant result. */
function completeAtOnce(data: string, sink: SubscriptionSink): Subscription {
  sink.next(data);
  sink.complete();
  return { stop: () => {} };
}

// Joins of a subscription (`--experimental-features remote_joins_in_subscriptions`). Subscriptions of several sessions
// share the statement for the rows, but joins run for each session separately.

interface JoinedResultInput
  extends Pick<SourceStepInput, "generation" | "session">,
    Pick<JoinInput, "remote" | "maxJoined"> {
  readonly planned: PlannedOperation;
}

/** Returns the joins of a subscription; an empty object if nothing is joined. */
function joinedResult(input: JoinedResultInput): { readonly joined?: JoinedResult } {
  const { planned, generation, session, remote, maxJoined } = input;
  const { plan, joined } = planned.plan;
  const columns = joined.get(0);
  if (columns === undefined) return {};
  const { variables } = planned;
  const timeLimit = generation.guard.timeLimitMilliseconds(session.role);
  const join: JoinedResult["join"] = async (row, caller) => {
    const deadline = Deadline.of(timeLimit, caller);
    const run = joinRun(plan, {
      generation,
      remote,
      maxJoined,
      variables,
      session,
      caller: deadline ?? caller,
      deadline,
      takesFaults: true,
    });
    const joining = joinValues(row, columns, run);
    const data = queryData(plan, [await (deadline ? deadline.race(joining) : joining)]);
    return { data, errors: run.errors };
  };
  return { joined: { key: keyOf(input), join } };
}

/**
 * Returns a hash of operation, values and session, which is short and does not contain session values in plain text.
 */
function keyOf({ planned, session }: JoinedResultInput): string {
  const { query, variables } = planned;
  const { role, clientHeaders = {}, backendOnly } = session;
  const operation = planned.operation().definition.name?.value ?? null;
  const headers = Object.entries(clientHeaders).sort(byName);
  const values = [...session.variables].sort(byName);
  const text = stringifyJson([query, operation, variables, role, backendOnly, values, headers]);
  return createHash("sha256").update(text).digest("base64");
}

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);
