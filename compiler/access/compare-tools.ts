/** Compares the tools for assistants of a role. */
import type { AgentToolHints } from "../../runtime/model/definitions/tools/agent-tool.ts";
import { allowedEffect, type Changes, type Effect, isSame, limitEffect, pairs } from "./change.ts";
import { toolText } from "./describe.ts";
import type { RoleAccess, ToolAccess } from "./model.ts";

type Role = Pick<RoleAccess, "tools" | "operations">;
type Tool = NonNullable<RoleAccess["tools"]>[string];

export function compareTools(before: Role, after: Role, changes: Changes): void {
  for (const [name, from = {}, to = {}] of pairs(before.tools ?? {}, after.tools ?? {})) {
    const own = changes.about({ area: "tools", subject: name });
    compareVariants(from, to, own);
    const operation = to.frontend?.operation ?? to.backend?.operation;
    const isKept = operation !== undefined && operation === (from.frontend ?? from.backend)?.operation;
    if (!isKept || isSame(before.operations[operation], after.operations[operation])) continue;
    // The difference is reported for the saved operation.
    own.changed({ aspect: "SQL of saved operation", name: operation, effect: "none" });
  }
}

function compareVariants(before: Tool, after: Tool, changes: Changes): void {
  compareTool(before.frontend, after.frontend, changes, "");
  const isReported = isSame(before.backend, before.frontend) && isSame(after.backend, after.frontend);
  if (!isReported) compareTool(before.backend, after.backend, changes, " for backends");
}

/** @param suffix appended to the aspects */
function compareTool(
  before: ToolAccess | undefined,
  after: ToolAccess | undefined,
  changes: Changes,
  suffix: string,
): void {
  const aspect = `tool${suffix}`;
  if (before === undefined && after) changes.added({ aspect, after: toolText(after), effect: "widens" });
  if (before && after === undefined) changes.removed({ aspect, after: toolText(before), effect: "widens" });
  if (before === undefined || after === undefined) return;
  if (before.operation !== after.operation) {
    const details = { before: before.operation, after: after.operation, effect: "may widen" } as const;
    changes.changed({ aspect: `saved operation${suffix}`, ...details });
  }
  for (const hint of hintNames) {
    if (before.hints[hint] === after.hints[hint]) continue;
    const [from, to] = [before.hints[hint], after.hints[hint]].map((value) => hintTexts[hint][value ? 0 : 1]);
    const effect = hintEffect(hint, after.hints[hint]);
    changes.changed({ aspect: `effect${suffix}`, name: hint, before: from, after: to, effect });
  }
  for (const [name, from, to] of pairs({ ...before.limits }, { ...after.limits })) {
    if (from === to) continue;
    const details = { before: String(from), after: String(to), effect: limitEffect(from, to) };
    changes.changed({ aspect: `limit${suffix}`, name, ...details });
  }
  compareScopes(before.scopes, after.scopes, changes, suffix);
}

/** A caller needs all scopes, so that each of them narrows. */
function compareScopes(before: readonly string[], after: readonly string[], changes: Changes, suffix: string): void {
  const aspect = `required scope${suffix}`;
  for (const name of after) if (!before.includes(name)) changes.added({ aspect, name, effect: "narrows" });
  for (const name of before) if (!after.includes(name)) changes.removed({ aspect, name, effect: "narrows" });
}

/** Texts of a hint that is true, and of a hint that is false. */
const hintTexts: Readonly<Record<keyof AgentToolHints, readonly [string, string]>> = {
  readOnly: ["only reads", "may write"],
  destructive: ["may change or delete rows", "changes and deletes no rows"],
  openWorld: ["calls other servers", "calls no other server"],
  idempotent: ["a second call has no further effect", "a second call may have a further effect"],
};
const hintNames = Object.keys(hintTexts) as readonly (keyof AgentToolHints)[];

function hintEffect(hint: keyof AgentToolHints, after: boolean): Effect {
  switch (hint) {
    case "readOnly":
      return allowedEffect(after, !after);
    case "destructive":
    case "openWorld":
      return allowedEffect(!after, after);
    case "idempotent":
      return "none";
  }
}
