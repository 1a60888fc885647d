/**
 * Has a write confirmed before it runs. A client that shows forms requests the consent of a person (`input_required`); any other client
 * repeats the call with the argument `confirm`. Until then, the call only reports its effect, which a rehearsal in a
 * rolled-back transaction determines.
 */
import type { RoleTool } from "../../model/definitions/tools/agent-tool.ts";
import type { WriteEffect } from "../../ports/agent-tools.ts";
import { EngineError, pathTo } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";
import { checkArguments } from "./check-arguments.ts";
import type { Exchange } from "./exchange.ts";
import { type PendingWrite, subjectOf } from "./request-state.ts";
import { confirmationArgument } from "./visible-tools.ts";

type Values = Readonly<Record<string, unknown>>;

export type Confirmation =
  | { readonly kind: "confirmed"; readonly values: Values }
  /** A text for the model, because the write did not run. */
  | { readonly kind: "text"; readonly text: string }
  /** A whole result, which requests a confirmation. */
  | { readonly kind: "result"; readonly result: string };

/** @throws EngineError for invalid arguments, or if the write would fail */
export async function confirmWrite(exchange: Exchange, tool: RoleTool, values: Values): Promise<Confirmation> {
  return exchange.dialect.elicits ? byForm(exchange, tool, values) : byArgument(exchange, tool, values);
}

// Clients without forms.

async function byArgument(exchange: Exchange, tool: RoleTool, values: Values): Promise<Confirmation> {
  const name = confirmationArgument(tool.input);
  const { [name]: confirmation, ...others } = values;
  checkArguments(tool.input, others);
  if (confirmation === true) return { kind: "confirmed", values: others };
  if (confirmation !== undefined && confirmation !== false) {
    throw new EngineError("parse-failed", pathTo("$", name), "expected true or false");
  }
  const { effect } = await rehearse(exchange, tool, others);
  const text =
    `Nothing has changed yet. ${effectText(tool, effect)}\nShow this effect to the user. If the user agrees, call the ` +
    `tool again with the same arguments and "${name}": true.`;
  return { kind: "text", text };
}

// Clients with forms (basic/patterns/mrtr).

/** The key of the form among the input requests. */
const formKey = "confirmation";

/** A rehearsal up to this duration in milliseconds is repeated after the confirmation. */
const cheapRehearsal = 250;

async function byForm(exchange: Exchange, tool: RoleTool, values: Values): Promise<Confirmation> {
  const { inputResponses, requestState } = exchange.params;
  checkArguments(tool.input, values);
  const response = isObject(inputResponses) ? inputResponses[formKey] : undefined;
  const action = isObject(response) ? response.action : undefined;
  if (action === "decline" || action === "cancel") return { kind: "text", text: refusals[action] };
  const subject = subjectOf(exchange.admitted.session, tool.tool.name, values);
  const pending = action === "accept" ? await exchange.states.open(requestState, subject) : undefined;
  if (pending === undefined) return request(exchange, tool, { subject, ...(await rehearse(exchange, tool, values)) });
  if (pending.effect === null || pending.duration > cheapRehearsal) return { kind: "confirmed", values };
  const current = await rehearse(exchange, tool, values);
  if (exceeds(current.effect, pending.effect)) return request(exchange, tool, { subject, ...current });
  return { kind: "confirmed", values };
}

const refusals = {
  decline: "The user declined the call. Nothing has changed; do not repeat it unless the user asks for it.",
  cancel: "The user closed the form without a decision. Nothing has changed.",
} as const;

async function request(exchange: Exchange, tool: RoleTool, write: PendingWrite): Promise<Confirmation> {
  const { title = tool.tool.name } = tool.tool;
  const form = {
    method: "elicitation/create",
    params: {
      mode: "form",
      message: `${title}: ${effectText(tool, write.effect)}`,
      requestedSchema: { type: "object", properties: {} },
    },
  };
  const requestState = await exchange.states.seal(write);
  const members = JSON.stringify({ resultType: "input_required", inputRequests: { [formKey]: form }, requestState });
  return { kind: "result", result: `${members.slice(0, -1)},${exchange.meta}}` };
}

async function rehearse(
  { services, admitted }: Exchange,
  tool: RoleTool,
  values: Values,
): Promise<Pick<PendingWrite, "effect" | "duration">> {
  const start = performance.now();
  const effect = await services.agentTools.rehearse(tool, values, admitted);
  return { effect, duration: Math.ceil(performance.now() - start) };
}

const changes = ["inserted", "updated", "deleted"] as const;

/** Returns true if a write would change more rows of a table than was shown. */
function exceeds(current: readonly WriteEffect[] | null, shown: readonly WriteEffect[]): boolean {
  if (current === null) return true;
  return current.some((effect) => {
    const before = shown.find(({ table }) => table === effect.table);
    return changes.some((change) => effect[change] > (before?.[change] ?? 0));
  });
}

function effectText({ hints }: RoleTool, effect: readonly WriteEffect[] | null): string {
  const calls = hints.openWorld ? " It calls other services, whose effects are unknown." : "";
  if (effect === null) return `The call changes data; its effect cannot be determined in advance.${calls}`;
  const lines = effect.flatMap((rows) => {
    const parts = changes.filter((change) => rows[change] > 0).map((change) => counted(rows[change], change));
    return parts.length === 0 ? [] : [`- ${rows.table ?? "other tables"}: ${parts.join(", ")}`];
  });
  if (lines.length === 0) return `At present, the call would change no rows.${calls}`;
  return `The call would change these rows:\n${lines.join("\n")}${calls}`;
}

const counted = (count: number, change: string): string => `${count} ${count === 1 ? "row" : "rows"} ${change}`;
