/** A response and its transform → what it is taken for (`automation.md` D.2). */
import type { Interruptible } from "../../values/interruptible.ts";
import type { Budget } from "./budget.ts";
import type { ResponseTransform } from "./definition.ts";
import { evaluate } from "./evaluator.ts";
import type { JsonValue } from "./json-value.ts";
import { type IncomingResponse, responseScope } from "./scope.ts";
import { mapOutcome, type Outcome } from "./template-error.ts";
import { bodyOf } from "./transform-request.ts";

export type ResponseBody =
  /** As it came, whatever it is: the transform has no body. */
  { readonly kind: "unchanged" } | { readonly kind: "json"; readonly value: JsonValue } | { readonly kind: "none" };

/** Evaluates the body of a response; a form becomes a JSON string. */
export function* transformResponse(
  { body, programs }: ResponseTransform,
  response: IncomingResponse,
  budget: Budget,
): Interruptible<Outcome<ResponseBody>> {
  if (!body) return { ok: true, value: { kind: "unchanged" } };
  const evaluated = yield* evaluate(programs, responseScope(response), budget);
  return mapOutcome(bodyOf(body, evaluated), (given) =>
    given.kind === "form" ? { kind: "json", value: given.text } : given,
  );
}
