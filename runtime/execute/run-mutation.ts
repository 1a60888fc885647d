/** A planned mutation: binds its values, then writes source by source. */
import { Deadline } from "../sources/deadline.ts";
import type { Session } from "../values/session.ts";
import { answerText } from "./answer.ts";
import type { Basis } from "./basis.ts";
import { sourceOf } from "./generation.ts";
import type { InputValidator } from "./input-validator.ts";
import type { PlannedOperation } from "./plan-operation.ts";
import { bindWrites, runWrites } from "./write.ts";

interface MutationOptions {
  readonly validator: InputValidator;
  /** Plans and runs it anew. */
  readonly again: () => Promise<string>;
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
  { validator, again }: MutationOptions,
): () => Promise<string> {
  const { generation } = basis;
  const input = { variables, session: session.variables };
  // What is not committed by then is rolled back.
  const timeLimit = generation.guard.timeLimitMilliseconds(session.role);
  const bound = writes.map((each) => bindWrites(each, input));
  return async () => {
    const answers: string[] = [];
    const deadline = Deadline.of(timeLimit);
    for (const each of bound) {
      const source = sourceOf(generation, each.writes.source);
      if (each.validations.length > 0) await validator.validate(each.validations, session);
      try {
        answers.push(...(await runWrites(each, source, { errors: "graphql", basis, deadline })));
      } catch (error) {
        // Nothing of it was committed.
        if (basis.hasRefused && answers.length === 0) return again();
        throw error;
      }
    }
    return answerText(plan.parts, (part) => (part.kind === "write" ? answers[part.write] : undefined) ?? "null");
  };
}
