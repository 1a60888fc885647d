/**
 * `plan_metadata`: what changes of the metadata would do. They are made on a draft that nobody commits; what is compared is
 * what `engine diff` compares: the rights of roles, and their generated modules.
 */
import { posix } from "node:path";
import { adminRole } from "../../compiler/3-lower/admin-role.ts";
import type { Json } from "../../compiler/catalog/model.ts";
import { atomicChange } from "../../compiler/metadata/bulk.ts";
import type { PlanCall } from "../../compiler/metadata/dispatch.ts";
import { type Interruptible, inSlices } from "../values/interruptible.ts";
import { accessChanges, readAccess, wideningSummary } from "./access.ts";
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
  const after: Compiled = { ...draft };
  const modules = await inSlices(moduleChanges(before, after, roles));
  // Where roles are named, modules that roles share were not compared.
  const sameSchemas = roles ? undefined : rolesOfSameModules(modules, [before, after]);
  const wanted = { roles, sameSchemas };
  const [from, to] = [await inSlices(readAccess(before, wanted)), await inSlices(readAccess(after, wanted))];
  const access = accessChanges(from, to);
  const { widens, mayWiden } = wideningSummary(access);
  return {
    resource_version: environment.context.resourceVersion,
    summary: { widens, may_widen: mayWiden },
    access: access.map((change) => ({ ...change })),
    modules: modulesJson(modules),
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

interface ModuleChange {
  readonly path: string;
  /** `null`: there was none of this path. */
  readonly before: string | null;
  readonly after: string | null;
}

/** It yields after each module that is compared. */
function* moduleChanges(
  before: Compiled,
  after: Compiled,
  roles: ReadonlySet<string> | undefined,
): Interruptible<readonly ModuleChange[]> {
  const [from, to] = [modulesOf(before, roles), modulesOf(after, roles)];
  const textIn = (paths: ReadonlySet<string>, { planned }: Compiled, path: string): string | null =>
    paths.has(path) ? planned.module(path).text : null;
  const changed: ModuleChange[] = [];
  for (const path of [...new Set([...from, ...to])].sort()) {
    const change = { path, before: textIn(from, before, path), after: textIn(to, after, path) };
    if (change.before !== change.after) changed.push(change);
    yield;
  }
  return changed;
}

/**
 * The roles whose schemas cannot differ: none of their modules does, and none that roles share. A shared module that is
 * new or gone is imported by none that stayed as it was.
 */
function rolesOfSameModules(
  changes: readonly ModuleChange[],
  states: readonly [Compiled, Compiled],
): ReadonlySet<string> {
  const [before, after] = states;
  const known = before.program.roles().filter((role) => after.program.hasRole(role));
  const folderOf = (role: string): string => posix.join(posix.dirname(before.program.roleModule(role)), "/");
  const roleFolders = posix.join(posix.dirname(posix.dirname(before.program.roleModule(adminRole))), "/");
  const isShared = ({ path, before: from, after: to }: ModuleChange): boolean =>
    !path.startsWith(roleFolders) && from !== null && to !== null;
  if (changes.some(isShared)) return new Set();
  return new Set(known.filter((role) => !changes.some(({ path }) => path.startsWith(folderOf(role)))));
}

function modulesJson(changed: readonly ModuleChange[]): readonly Json[] {
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
