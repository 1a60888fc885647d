/** Checks right before a response is sent that its generation is not stale (`execute/pinned-generation.ts`). */
import type { ResponseBuilder, ResponseValidity } from "../ports/graphql.ts";
import { EngineError } from "../values/errors.ts";

const none: readonly never[] = [];

/** The validity of a response: it is current while all its parts are current. A batch has several parts. */
export class CombinedValidity
  implements ResponseValidity, Pick<ResponseBuilder, "validWhile" | "addError" | "discardErrors">
{
  readonly #parts: ResponseValidity[] = [];
  #errors: EngineError[] | undefined;

  /** Errors of null fields in the current part. */
  get errors(): readonly EngineError[] {
    return this.#errors ?? none;
  }

  addError(error: EngineError): void {
    this.#errors ??= [];
    this.#errors.push(error);
  }

  /** Discards collected errors. Also called between the parts of a batch, because each part has its own errors. */
  discardErrors(): void {
    this.#errors = undefined;
  }

  validWhile(validity: ResponseValidity): void {
    this.#parts.push(validity);
  }

  isCurrent(): true | Promise<boolean> {
    const checks = this.#parts.map((part) => part.isCurrent());
    if (checks.every((current) => current === true)) return true;
    return Promise.all(checks).then((all) => all.every(Boolean));
  }
}

/** Returns the error that replaces a complete response whose generation became stale. */
export function staleResponse(): EngineError {
  const message = "metadata changed while this process was suspended; reads were discarded, committed writes remain";
  return new EngineError("conflict", "$", message, { status: 409 });
}
