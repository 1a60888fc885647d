/** What an answer goes by, from when it is read to when it is sent. */
import type { AnswerBasis, AnswerHeaders } from "../ports/graphql.ts";
import { EngineError } from "../values/errors.ts";

/** Of one answer; that of a batch has several. */
export class ReadBases implements AnswerBasis, Pick<AnswerHeaders, "restOn"> {
  readonly #bases: AnswerBasis[] = [];

  restOn(basis: AnswerBasis): void {
    this.#bases.push(basis);
  }

  holds(): true | Promise<boolean> {
    const looks = this.#bases.map((basis) => basis.holds());
    if (looks.every((holds) => holds === true)) return true;
    return Promise.all(looks).then((all) => all.every(Boolean));
  }
}

/** In place of an answer that was ready when the process stood still. */
export function overtakenAnswer(): EngineError {
  const message =
    "the metadata was changed while this server stood still, so what it had read is not given any more; what it had written stays written";
  return new EngineError("conflict", "$", message, { status: 409 });
}
