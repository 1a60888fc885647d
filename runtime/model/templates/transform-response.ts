/** The body of a response after its transform. */
import type { Interruptible } from "../../values/interruptible.ts";
import type { Budget } from "./budget.ts";
import type { ResponseTransform } from "./definition.ts";
import { evaluate } from "./evaluator.ts";
import type { JsonValue } from "./json-value.ts";
import { type IncomingResponse, responseScope } from "./scope.ts";
import { mapOutcome, type Outcome } from "./template-error.ts";
import { bodyOf } from "./transform-request.ts";

export type ResponseBody =
  /** The transform has no body: the response is used unchanged. */
  { readonly kind: "unchanged" } | { readonly kind: "json"; readonly value: JsonValue } | { readonly kind: "none" };

/** Evaluates the body of a response. A form becomes a JSON string. */
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
