/** A planned mutation: binds its values, then writes source by source. */
import type { AnswerHeaders } from "../ports/graphql.ts";
import { Deadline } from "../sources/deadline.ts";
import type { PreparedStatement } from "../sources/source.ts";
import type { Caller } from "../values/caller.ts";
import type { Session } from "../values/session.ts";
import { noSpan, type Span } from "../values/span.ts";
import { answerText, outsideText, type RemoteValues } from "./answer.ts";
import type { Basis } from "./basis.ts";
import { joinedWrites } from "./joins/joined-values.ts";
import { OutsideJoins } from "./joins/outside-joins.ts";
import { joinRun, joinValues } from "./joins/run-joins.ts";
import { fieldsOfWrites, spannedStatement } from "./operation-spans.ts";
import type { ExecuteOptions, OutsideServices } from "./options.ts";
import { bindOutside, joinAll, Outside, turnsOf } from "./outside.ts";
import type { PlannedOperation } from "./plan-operation.ts";
import { tellPlaces } from "./read-after.ts";
import { routedForWriting } from "./route.ts";
import { tagStatements } from "./tag-statements.ts";
import { bindWrites, runWrites } from "./write.ts";

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
  { validator, again, ...services }: MutationOptions,
): (headers?: AnswerHeaders) => Promise<string> {
  const { variables, plan } = planned;
  const { writes } = plan;
  const { parts } = plan.plan;
  const { generation } = basis;
  const { span = noSpan } = session;
  const tag = tagStatements(generation, planned, session);
  const input = { variables, session: session.variables, elsewhere: session.elsewhere };
  // What is not committed by then is rolled back.
  const timeLimit = generation.guard.timeLimitMilliseconds(session.role);
  const joined = joinedWrites(parts);
  const bound = writes.map((each) => ({
    ...bindWrites(each, input),
    source: routedForWriting(generation, each.source, session),
  }));
  const asked = bindOutside(planned, session, services);
  const turns = turnsOf(parts, asked);
  const outside = new Outside(basis, session, services, tag);
  return async (headers) => {
    const answers: string[] = [];
    const given: { remotes: RemoteValues[]; actions: string[] } = { remotes: [], actions: [] };
    let asks = 0;
    const deadline = Deadline.of(timeLimit);
    /** Asks those whose turn is after so many writes. */
    const askOutside = async (): Promise<void> => {
      for (const { kind, index, afterWrites } of turns.slice(asks)) {
        if (afterWrites > answers.length) return;
        await basis.check();
        deadline?.check();
        const options = { milliseconds: deadline?.timeoutMilliseconds(), headers };
        asks++;
        const [remote, action] = [asked.remotes[index], asked.actions[index]];
        if (kind === "remote" && remote) given.remotes[index] = await outside.remote(remote, options);
        if (kind === "action" && action) given.actions[index] = await outside.action(action, options);
      }
    };
    let first = 0;
    for (const each of bound) {
      await askOutside();
      const { source } = each;
      if (each.validations.length > 0) await validator.validate(each.validations, session);
      try {
        const from = first;
        const asking = { source, fields: fieldsOfWrites(plan.plan, from, each.writes.plans.length) };
        const tagWrite = (statement: PreparedStatement, field: number): PreparedStatement =>
          tag(source.name, statement, () => fieldsOfWrites(plan.plan, from + field, 1));
        first += each.writes.plans.length;
        const run = (inner: Span) =>
          runWrites(each, source, { errors: "graphql", basis, deadline, span: inner, tag: tagWrite });
        answers.push(...(await spannedStatement(span, asking, run)));
      } catch (error) {
        // Nothing of it was committed.
        if (basis.hasRefused && answers.length === 0 && asks === 0) return again(undefined, headers);
        throw error;
      }
    }
    await askOutside();
    const { remote, mostJoined } = services;
    const run = joinRun(plan.plan, { generation, remote, mostJoined, variables, session, deadline, headers, tag });
    const [complete, outsideValues] = await Promise.all([
      joined.length === 0 ? answers : joinValues(answers, joined, run),
      joinAll(given, new OutsideJoins(parts, run)),
    ]);
    const written = bound.map(({ source }) => source);
    if (written.some(({ logPlace }) => logPlace !== undefined)) await tellPlaces(written, session, headers);
    return answerText(parts, (part) => {
      if (part.kind === "remote" || part.kind === "action") return outsideText(part, outsideValues);
      return (part.kind === "write" ? complete[part.write] : undefined) ?? "null";
    });
  };
}
