/** A planned mutation: binds its values, then writes source by source. */

import { Deadline } from "../databases/sources/deadline.ts";
import type { DatabaseSource, PreparedStatement } from "../databases/sources/source.ts";
import type { AnswerHeaders } from "../ports/graphql.ts";
import type { Caller } from "../values/caller.ts";
import type { Session } from "../values/session.ts";
import { noSpan, type Span } from "../values/span.ts";
import { answerText, type OutsideValues, outsideText } from "./answer.ts";
import type { Basis } from "./basis.ts";
import { OutsideJoins } from "./joins/outside-joins.ts";
import { joinRun, joinValues } from "./joins/run-joins.ts";
import { fieldsOfWrites, spannedStatement } from "./operation-spans.ts";
import type { ExecuteOptions, OutsideServices } from "./options.ts";
import { type BoundOutside, bindOutside, Outside, OutsideTurns } from "./outside.ts";
import type { PlannedOperation } from "./plan-operation.ts";
import { tellPlaces } from "./read-after.ts";
import { routedForWriting } from "./route.ts";
import { type TagStatement, tagStatements } from "./tag-statements.ts";
import { type BoundWrites, bindWrites, runWrites } from "./write.ts";

interface MutationOptions extends OutsideServices, Pick<ExecuteOptions, "validator"> {
  /** Plans and runs it anew. */
  readonly again: (caller?: Caller, headers?: AnswerHeaders) => Promise<string>;
}

/**
 * All values are bound at once, so that a bad one runs nothing.
 * @returns runs it: the JSON text of `data`'s value
 * @throws EngineError for a bad value
 */
export function prepareMutation(
  basis: Basis,
  planned: PlannedOperation,
  session: Session,
  options: MutationOptions,
): (headers?: AnswerHeaders) => Promise<string> {
  const { variables, plan } = planned;
  const { generation } = basis;
  const tag = tagStatements(generation, planned, session);
  const input = { variables, session: session.variables, elsewhere: session.elsewhere };
  const bound = plan.writes.map((writes) => ({
    bound: bindWrites(writes, input),
    source: routedForWriting(generation, writes.source, session),
  }));
  const asked = bindOutside(planned, session, options);
  const run = { basis, planned, session, options, tag, bound, asked };
  return (headers) => runMutation(run, headers);
}

interface Mutation {
  readonly basis: Basis;
  readonly planned: PlannedOperation;
  readonly session: Session;
  readonly options: MutationOptions;
  readonly tag: TagStatement;
  readonly bound: readonly SourceWrites[];
  readonly asked: BoundOutside;
}

interface SourceWrites {
  readonly bound: BoundWrites;
  readonly source: DatabaseSource;
}

async function runMutation(mutation: Mutation, headers: AnswerHeaders | undefined): Promise<string> {
  const { basis, planned, session, options, tag, bound, asked } = mutation;
  const { plan, variables } = planned;
  const { plan: whole, joinedWrites } = plan;
  const { generation } = basis;
  // What is not committed by then is rolled back.
  const deadline = Deadline.of(generation.guard.timeLimitMilliseconds(session.role));
  const isAsked = asked.remotes.length + asked.actions.length > 0;
  const turns = isAsked ? new OutsideTurns(new Outside(basis, session, options, tag), asked, whole.parts) : undefined;
  const check = async (): Promise<void> => {
    await basis.check();
    deadline?.check();
  };
  const asking = () => ({ milliseconds: deadline?.timeoutMilliseconds(), headers });
  const answers: string[] = [];
  for (const writes of bound) {
    if (turns) await turns.ask(answers.length, check, asking);
    const { validations } = writes.bound;
    if (validations.length > 0) await options.validator.validate(validations, session);
    try {
      answers.push(...(await runFields(mutation, writes, answers.length, deadline)));
    } catch (error) {
      // Nothing of it was committed.
      if (basis.hasRefused && answers.length === 0 && !turns?.hasBegun) return options.again(undefined, headers);
      throw error;
    }
  }
  if (turns) await turns.ask(answers.length, check, asking);
  let texts: readonly string[] = answers;
  let outside: OutsideValues = { remotes: [], actions: [] };
  if (turns !== undefined || joinedWrites.length > 0) {
    const { remote, mostJoined } = options;
    const run = joinRun(whole, { generation, remote, mostJoined, variables, session, deadline, headers, tag });
    [texts, outside] = await Promise.all([
      joinedWrites.length === 0 ? texts : joinValues(texts, joinedWrites, run),
      turns?.joined(new OutsideJoins(whole.parts, run)) ?? outside,
    ]);
  }
  const written = bound.map(({ source }) => source);
  if (written.some(({ logPlace }) => logPlace !== undefined)) await tellPlaces(written, session, headers);
  return answerText(whole.parts, (part) => {
    if (part.kind === "remote" || part.kind === "action") return outsideText(part, outside);
    return (part.kind === "write" ? texts[part.write] : undefined) ?? "null";
  });
}

/**
 * Writes the fields of one source.
 * @param first which of the plan's fields is the first of them
 * @returns the JSON text of each field's answer
 */
function runFields(
  { basis, planned, session, tag }: Mutation,
  { bound, source }: SourceWrites,
  first: number,
  deadline: Deadline | undefined,
): Promise<readonly string[]> {
  const { plan } = planned.plan;
  const { span = noSpan } = session;
  const tagWrite = (statement: PreparedStatement, field: number): PreparedStatement =>
    tag(source.name, statement, () => fieldsOfWrites(plan, first + field, 1));
  const run = (inner: Span) =>
    runWrites(bound, source, {
      errors: "graphql",
      basis,
      deadline,
      span: inner,
      clientHeaders: session.clientHeaders,
      tag: tagWrite,
    });
  if (!span.isRecording) return run(noSpan);
  const fields = fieldsOfWrites(plan, first, bound.writes.plans.length);
  return spannedStatement(span, { source, fields }, run);
}
