/**
 * `plan_metadata`: what changes of the metadata would do. They are made on a draft that nobody commits; what is compared is
 * what `engine diff` compares: the rights of roles, and their generated modules.
 */
import type { Json } from "../../compiler/catalog/model.ts";
import { atomicChange } from "../../compiler/metadata/bulk.ts";
import type { PlanCall } from "../../compiler/metadata/dispatch.ts";
import { accessChanges, accessOfProgram, wideningSummary } from "./access.ts";
import { applyChange, type ChangeEnvironment } from "./apply-change.ts";
import type { Compiled } from "./compile-analysis.ts";
import type { Draft } from "./state.ts";

/** Of more modules the answer has the names alone. */
const mostTexts = 200;

/** @throws EngineError as the first of the changes that would be refused */
export async function planChanges(call: PlanCall, draft: Draft, environment: ChangeEnvironment): Promise<Json> {
  const before: Compiled = { ...draft };
  for (const change of call.changes) {
    await applyChange(change.effect === "bulk" ? atomicChange(change) : change, draft, environment);
  }
  const roles = call.roles && withInheriting(call.roles, [before, draft]);
  const access = accessChanges(accessOfProgram(before, roles), accessOfProgram(draft, roles));
  const { widens, mayWiden } = wideningSummary(access);
  return {
    resource_version: environment.context.resourceVersion,
    summary: { widens, may_widen: mayWiden },
    access: access.map((change) => ({ ...change })),
    modules: moduleChanges(before, draft, roles),
    inconsistent: draft.analysis.inconsistencies.length,
  };
}

/** These roles and those that inherit from them. */
function withInheriting(roles: readonly string[], states: readonly Compiled[]): ReadonlySet<string> {
  const found = new Set(roles);
  // Inherited roles may inherit from inherited ones: a set that is walked while it grows.
  for (const role of found) {
    for (const { analysis } of states) {
      for (const [name, { role_set }] of analysis.inheritedRoles) if (role_set.includes(role)) found.add(name);
    }
  }
  return found;
}

function moduleChanges(before: Compiled, after: Compiled, roles: ReadonlySet<string> | undefined): readonly Json[] {
  const [from, to] = [modulesOf(before, roles), modulesOf(after, roles)];
  const textIn = (paths: ReadonlySet<string>, { planned }: Compiled, path: string): string | null =>
    paths.has(path) ? planned.module(path).text : null;
  const changed = [...new Set([...from, ...to])].sort().flatMap((path) => {
    const texts = { before: textIn(from, before, path), after: textIn(to, after, path) };
    return texts.before === texts.after ? [] : [{ path, ...texts }];
  });
  return changed.map(({ path, ...texts }, index) => ({
    path,
    kind: texts.before === null ? "added" : texts.after === null ? "removed" : "changed",
    ...(index < mostTexts && texts),
  }));
}

function modulesOf({ program, planned }: Compiled, roles: ReadonlySet<string> | undefined): ReadonlySet<string> {
  if (!roles) return new Set(planned.paths().filter((path) => path.endsWith(".ts")));
  return new Set([...roles].flatMap((role) => (program.hasRole(role) ? planned.modulesOf(role) : [])));
}
