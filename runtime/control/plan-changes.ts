/**
 * `plan_metadata`: reports the effects of metadata changes without storing them. Applies them to a draft and compares, like
 * `engine diff`, the access of roles and their generated modules.
 */
import { posix } from "node:path";
import { adminRole } from "../../compiler/3-lower/admin-role.ts";
import type { Json, JsonObject } from "../../compiler/catalog/model.ts";
import { type ComparedPart, comparedParts, partPosition } from "../../compiler/catalog/parts.ts";
import { atomicChange } from "../../compiler/metadata/bulk.ts";
import type { PlanCall } from "../../compiler/metadata/dispatch.ts";
import { type Interruptible, runInSlices } from "../values/interruptible.ts";
import { accessChanges, readAccess, wideningSummary } from "./access.ts";
import { applyChange, type ChangeEnvironment } from "./apply-change.ts";
import type { Compiled } from "./compile-analysis.ts";
import type { Draft } from "./state.ts";

/** Maximum number of changed modules, and of parts of the metadata, returned with their text. Further ones have only names. */
const maxTexts = 200;

/** @throws EngineError with the error of the first change that would be refused */
export async function planChanges(call: PlanCall, draft: Draft, environment: ChangeEnvironment): Promise<Json> {
  const before: Compiled = { ...draft };
  const { catalog } = draft;
  for (const change of call.changes) {
    await applyChange(change.effect === "bulk" ? atomicChange(change) : change, draft, environment);
  }
  return {
    resource_version: environment.context.resourceVersion,
    ...(await comparedEffects(before, { ...draft }, call.roles)),
    metadata: partsJson(comparedParts(catalog, draft.catalog)),
    inconsistent: draft.analysis.inconsistencies.length,
  };
}

/**
 * Compares the access of roles and their generated modules in two states.
 * @param selected roles to compare; roles that inherit from them are included. All roles by default
 */
export async function comparedEffects(
  before: Compiled,
  after: Compiled,
  selected?: readonly string[],
): Promise<JsonObject> {
  const roles = selected && withInheriting(selected, [before, after]);
  const modules = await runInSlices(moduleChanges(before, after, roles));
  // With selected roles, shared modules were not compared.
  const sameSchemas = roles ? undefined : rolesOfSameModules(modules, [before, after]);
  const selection = { roles, sameSchemas };
  const from = await runInSlices(readAccess(before, selection));
  const to = await runInSlices(readAccess(after, selection));
  const access = accessChanges(from, to);
  const { widens, mayWiden } = wideningSummary(access);
  return {
    summary: { widens, may_widen: mayWiden },
    access: access.map((change) => ({ ...change })),
    modules: modulesJson(modules),
  };
}

/** Returns these roles and all roles that inherit from them. */
function withInheriting(roles: readonly string[], states: readonly Compiled[]): ReadonlySet<string> {
  const found = new Set(roles);
  // Roles may inherit over several levels: the iteration also visits roles that it adds.
  for (const role of found) {
    for (const { analysis } of states) {
      for (const [name, { role_set }] of analysis.inheritedRoles) if (role_set.includes(role)) found.add(name);
    }
  }
  return found;
}

interface ModuleChange {
  readonly path: string;
  /** `null` if the module did not exist. */
  readonly before: string | null;
  readonly after: string | null;
}

/** Compares the generated modules of two states. Yields after each module. */
function* moduleChanges(
  before: Compiled,
  after: Compiled,
  roles: ReadonlySet<string> | undefined,
): Interruptible<readonly ModuleChange[]> {
  const [from, to] = [modulesOf(before, roles), modulesOf(after, roles)];
  const textIn = (paths: ReadonlySet<string>, { planned }: Compiled, path: string): string | null =>
    paths.has(path) ? planned.file(path).text : null;
  const changed: ModuleChange[] = [];
  for (const path of [...new Set([...from, ...to])].sort()) {
    const change = { path, before: textIn(from, before, path), after: textIn(to, after, path) };
    if (change.before !== change.after) changed.push(change);
    yield;
  }
  return changed;
}

/**
 * Returns the roles whose schemas are known to be equal: neither their modules nor existing shared modules have
 * changed. New and removed shared modules do not matter, since unchanged modules do not import them.
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
    ...(index < maxTexts && texts),
  }));
}

const partsJson = (changed: readonly ComparedPart[]): readonly Json[] =>
  changed.map(({ before, after, ...key }, index) => ({
    ...partPosition(key),
    ...(index < maxTexts && { before, after }),
  }));

function modulesOf({ program, planned }: Compiled, roles: ReadonlySet<string> | undefined): ReadonlySet<string> {
  if (!roles) return new Set(planned.paths().filter((path) => path.endsWith(".ts")));
  return new Set([...roles].flatMap((role) => (program.hasRole(role) ? planned.modulesOf(role) : [])));
}
