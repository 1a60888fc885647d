/** A planned mutation: binds its values, then writes source by source. */
import type { AnswerHeaders } from "../ports/graphql.ts";
import type { RemoteRequests } from "../remote/remote-requests.ts";
import { Deadline } from "../sources/deadline.ts";
import type { Caller } from "../values/caller.ts";
import type { Session } from "../values/session.ts";
import { answerText, type RemoteValues } from "./answer.ts";
import type { Basis } from "./basis.ts";
import { sourceOf } from "./generation.ts";
import type { InputValidator } from "./input-validator.ts";
import type { PlannedOperation } from "./plan-operation.ts";
import { bindWrites, runWrites } from "./write.ts";

interface MutationOptions {
  readonly validator: InputValidator;
  readonly remote: RemoteRequests;
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
  { variables, plan: { plan, writes } }: PlannedOperation,
  session: Session,
  { validator, remote, again }: MutationOptions,
): (headers?: AnswerHeaders) => Promise<string> {
  const { generation } = basis;
  const input = { variables, session: session.variables };
  // What is not committed by then is rolled back.
  const timeLimit = generation.guard.timeLimitMilliseconds(session.role);
  const bound = writes.map((each) => bindWrites(each, input));
  const asked = (plan.remotes ?? []).map((each) => remote.bind(each, variables, session));
  return async (headers) => {
    const answers: string[] = [];
    const remotes: RemoteValues[] = [];
    const deadline = Deadline.of(timeLimit);
    /** Asks the remote servers whose turn is after so many writes. */
    const askRemotes = async (): Promise<void> => {
      for (const each of asked.slice(remotes.length)) {
        if (each.plan.afterWrites > answers.length) return;
        await basis.check();
        deadline?.check();
        remotes.push(await remote.ask(each, deadline?.timeoutMilliseconds(), headers));
      }
    };
    for (const each of bound) {
      await askRemotes();
      const source = sourceOf(generation, each.writes.source);
      if (each.validations.length > 0) await validator.validate(each.validations, session);
      try {
        answers.push(...(await runWrites(each, source, { errors: "graphql", basis, deadline })));
      } catch (error) {
        // Nothing of it was committed.
        if (basis.hasRefused && answers.length === 0 && remotes.length === 0) return again(undefined, headers);
        throw error;
      }
    }
    await askRemotes();
    return answerText(plan.parts, (part) => {
      if (part.kind === "remote") return remotes[part.request]?.get(part.key) ?? "null";
      return (part.kind === "write" ? answers[part.write] : undefined) ?? "null";
    });
  };
}
