/**
 * The stages of a mutation after planning: bind values, make writes and calls in the order of the fields, join, encode.
 */
import { Deadline } from "../databases/sources/deadline.ts";
import type { DatabaseSource, PreparedStatement } from "../databases/sources/source.ts";
import type { ResponseBuilder } from "../ports/graphql.ts";
import { noSpan, type Span } from "../values/span.ts";
import { objectText, type RemoteResults, remoteText } from "./encode-data.ts";
import { RemoteJoins } from "./joins/remote-joins.ts";
import { joinRun, joinValues } from "./joins/run-joins.ts";
import { fieldsOfWrites, spannedStatement, timed } from "./operation-spans.ts";
import { type PlannedRequest, timeLimitOf } from "./planned-request.ts";
import { type BoundRemoteCalls, bindRemoteCalls, RemoteCaller, SequentialRemoteCalls } from "./remote-calls.ts";
import { reportLogPositions, routedForWriting } from "./route.ts";
import { type TagStatement, tagStatements } from "./tag-statements.ts";
import { type BoundWrites, bindWrites, runWrites } from "./write.ts";

export interface BoundMutation {
  readonly kind: "mutation";
  readonly operation: PlannedRequest;
  readonly writes: readonly SourceWrites[];
  readonly calls: BoundRemoteCalls;
  readonly tag: TagStatement;
}

/** Consecutive fields that one transaction writes. */
interface SourceWrites {
  readonly bound: BoundWrites;
  readonly source: DatabaseSource;
}

/**
 * Binds all values before anything runs.
 * @throws EngineError for an invalid value
 */
export function bindMutation(operation: PlannedRequest): BoundMutation {
  const { pinned, planned, session, options } = operation;
  const { generation } = pinned;
  const { variables: sessionVariables, crossSourceValues } = session;
  const input = { variables: planned.variables, session: sessionVariables, crossSourceValues };
  const tag = tagStatements(generation, planned, session);
  const writes = planned.plan.writes.map((each) => ({
    bound: bindWrites(each, input),
    source: routedForWriting(generation, each.source, session),
  }));
  return { kind: "mutation", operation, writes, calls: bindRemoteCalls(planned, session, options), tag };
}

export interface MutationResults {
  /** The JSON text of each field that writes to a database. */
  readonly texts: readonly string[];
  readonly remote: RemoteResults;
  /** Deadline of the mutation, which its joins share. */
  readonly deadline: Deadline | undefined;
}

/**
 * Makes writes and remote calls in the order of the fields. Committed writes are kept if a later field fails.
 * @throws EngineError
 */
export async function runMutation(
  bound: BoundMutation,
  response: ResponseBuilder | undefined,
): Promise<MutationResults> {
  const { operation, writes, calls } = bound;
  const { pinned, session, options } = operation;
  // A transaction that has not committed by the deadline is rolled back.
  const deadline = Deadline.of(timeLimitOf(operation));
  const hasCalls = calls.remotes.length + calls.actions.length > 0;
  const remote = hasCalls ? sequentialCalls(bound) : undefined;
  const check = async (): Promise<void> => {
    await pinned.beforeWrite();
    deadline?.check();
  };
  const callOptions = () => {
    response?.noteEffect?.();
    return { milliseconds: deadline?.timeoutMilliseconds(), response };
  };
  const texts: string[] = [];
  for (const each of writes) {
    if (remote) await remote.callNext(texts.length, check, callOptions);
    const { validations } = each.bound;
    if (validations.length > 0) await options.validator.validate(validations, session);
    texts.push(...(await writeFields(bound, each, texts.length, deadline)));
    response?.noteEffect?.();
  }
  if (remote) await remote.callNext(texts.length, check, callOptions);
  const written = writes.map(({ source }) => source);
  if (written.some(({ logPosition }) => logPosition !== undefined))
    await reportLogPositions(written, session, response);
  return { texts, remote: remote?.results ?? { remotes: [], actions: [] }, deadline };
}

function sequentialCalls({ operation, calls, tag }: BoundMutation): SequentialRemoteCalls {
  const { pinned, planned, session, options } = operation;
  return new SequentialRemoteCalls(new RemoteCaller(pinned, session, options, tag), calls, planned.plan.plan.parts);
}

/**
 * Writes the fields of one source.
 * @param first index in the plan of the first of these fields
 * @returns the JSON text of each field
 */
function writeFields(
  { operation: { pinned, planned, session }, tag }: BoundMutation,
  { bound, source }: SourceWrites,
  first: number,
  deadline: Deadline | undefined,
): Promise<readonly string[]> {
  const { plan } = planned.plan;
  const { span = noSpan, clientHeaders } = session;
  const tagWrite = (statement: PreparedStatement, field: number): PreparedStatement =>
    tag(source.name, statement, () => fieldsOfWrites(plan, first + field, 1));
  const run = (inner: Span) =>
    runWrites(bound, source, { errors: "graphql", pinned, deadline, span: inner, clientHeaders, tag: tagWrite });
  if (!span.isRecording) return run(noSpan);
  const fields = fieldsOfWrites(plan, first, bound.writes.plans.length);
  return spannedStatement(span, { source, fields }, run);
}

/**
 * Joins values of other sources and remote schemas to the results, after all writes.
 * @throws EngineError
 */
export async function joinMutation(
  { operation, tag }: BoundMutation,
  results: MutationResults,
  response: ResponseBuilder | undefined,
): Promise<MutationResults> {
  const { pinned, planned, session, options } = operation;
  const { plan, joinedWrites } = planned.plan;
  if (plan.joins === undefined) return results;
  const { remote, maxJoined } = options;
  const { generation } = pinned;
  const { variables } = planned;
  const { texts, deadline } = results;
  const takesFaults = response?.addError !== undefined;
  const input = { generation, remote, maxJoined, variables, session, deadline, response, takesFaults, tag };
  const run = joinRun(plan, input);
  const joins = new RemoteJoins(plan.parts, run);
  const [joinedTexts, remotes, actions] = await timed(session.span, "join", () =>
    Promise.all([
      joinedWrites.length === 0 ? texts : joinValues(texts, joinedWrites, run),
      Promise.all(results.remote.remotes.map((each, i) => each && joins.remote(i, each))),
      Promise.all(results.remote.actions.map((each, i) => (each === undefined ? each : joins.action(i, each)))),
    ]),
  );
  for (const error of run.errors) response?.addError?.(error);
  return { texts: joinedTexts, remote: { remotes, actions }, deadline };
}

export function encodeMutation({ operation: { planned, session } }: BoundMutation, results: MutationResults): string {
  const { texts, remote } = results;
  return timed(session.span, "encode", () =>
    objectText(planned.plan.plan.parts, (part) => {
      if (part.kind === "remote" || part.kind === "action") return remoteText(part, remote);
      return (part.kind === "write" ? texts[part.write] : undefined) ?? "null";
    }),
  );
}
