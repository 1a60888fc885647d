/**
 * Compares two accesses: returns the changes for each role, and whether they widen access. Comparing in the opposite
 * direction returns the opposite changes: added becomes removed, and widening becomes narrowing.
 */
import { canonicalJson } from "../../runtime/values/canonical-json.ts";
import type { Json } from "../catalog/model.ts";
import {
  allowedEffect,
  type Change,
  Changes,
  combined,
  type Effect,
  isSame,
  limitEffect,
  named,
  pairs,
} from "./change.ts";
import { compareCronTriggers } from "./compare-cron-triggers.ts";
import { compareEventTriggers } from "./compare-event-triggers.ts";
import { compareHandlers } from "./compare-handlers.ts";
import { compareRemoteDocuments } from "./compare-remote.ts";
import { compareRelationships, compareTable } from "./compare-tables.ts";
import { compareTools } from "./compare-tools.ts";
import { membersText, operationText } from "./describe.ts";
import { followsFromAggregates } from "./group-roots.ts";
import type {
  Access,
  Allowed,
  ByName,
  FunctionAccess,
  MemberAccess,
  RoleAccess,
  SavedOperationAccess,
  SchemaAccess,
  TypeAccess,
} from "./model.ts";

export function compareAccess(before: Access, after: Access): readonly Change[] {
  const found: Change[] = [];
  for (const [role, from, to] of pairs(before.roles, after.roles)) {
    const own = new Changes({ role, area: "role", subject: role }, found);
    if (from === undefined && to !== undefined) own.added({ aspect: "role", effect: "widens" });
    if (from !== undefined && to === undefined) own.removed({ aspect: "role", effect: "widens" });
    compareRole(from ?? emptyRole(to), to ?? emptyRole(from), own);
  }
  const all = new Changes({ area: "other", subject: "" }, found);
  compareEndpoints(before, after, all.about({ area: "endpoints" }));
  compareSavedOperations(before, after, all);
  compareEventTriggers(before.eventTriggers, after.eventTriggers, all.about({ area: "events" }));
  compareHandlers(before.handlers, after.handlers, all.about({ area: "actions" }));
  compareCronTriggers(before.cronTriggers, after.cronTriggers, all.about({ area: "schedules" }));
  const hashes = { added: (): Effect => "none" };
  const note = (aspect: string) => (_from: string, _to: string, name: string) =>
    all.about({ subject: aspect }).changed({ aspect, name, effect: "none" });
  all
    .about({ subject: "metadata" })
    .members(before.otherMetadata, after.otherMetadata, { aspect: "metadata", ...hashes }, note("metadata"));
  all.about({ subject: "shape" }).members(before.shapes, after.shapes, { aspect: "shape", ...hashes }, note("shape"));
  return all.list().map(withoutAdmin);
}

/** Removes the effect of changes for admin, which has access to everything without permissions. */
function withoutAdmin(change: Change): Change {
  return change.role === "admin" ? { ...change, effect: "none" } : change;
}

/**
 * Returns the access of a role that is not in the metadata. Copies settings that also apply to such roles from `like`.
 */
function emptyRole(like: RoleAccess | undefined): RoleAccess {
  return {
    parents: [],
    introspection: like?.introspection ?? true,
    limits: like?.limits ?? {},
    tables: {},
    functions: {},
    actions: {},
    remoteSchemas: {},
    schema: {},
    backendSchema: {},
    relaySchema: {},
    operations: {},
  };
}

const widens = (): Effect => "widens";

function compareRole(before: RoleAccess, after: RoleAccess, changes: Changes): void {
  changes.members(named(before.parents), named(after.parents), { aspect: "parent role", added: widens });
  if (before.introspection !== after.introspection) {
    const effect = allowedEffect(before.introspection, after.introspection);
    const note = { aspect: "introspection", effect };
    if (after.introspection) changes.added(note);
    else changes.removed({ ...note, effect: "widens" });
  }
  compareLimits(before.limits, after.limits, changes);
  const permissions = changes.about({ area: "permissions" });
  for (const [table, from = { row: "" }, to = { row: from.row }] of pairs(before.tables, after.tables)) {
    compareTable({ ...from, row: from.row || to.row }, to, permissions.about({ subject: table }));
  }
  for (const [name, from, to] of pairs(before.functions, after.functions)) {
    compareFunction(from, to, permissions.about({ subject: name }));
  }
  permissions.about({ subject: "actions" }).members(
    before.actions,
    after.actions,
    {
      aspect: "action",
      added: widens,
      text: (type) => type,
    },
    (from, to, name) =>
      permissions
        .about({ subject: "actions" })
        .changed({ aspect: "action", name, before: from, after: to, effect: "may widen" }),
  );
  const remote = permissions.about({ subject: "remote schemas" });
  remote.members(
    before.remoteSchemas,
    after.remoteSchemas,
    { aspect: "remote schema", added: widens, text: (sdl) => sdl },
    (from, to, name) => compareRemoteDocuments(from, to, name, remote),
  );
  for (const [type, from = {}, to = {}] of pairs(before.outside ?? {}, after.outside ?? {})) {
    compareRelationships(from, to, permissions.about({ subject: type }));
  }
  const api = changes.about({ area: "api" });
  compareSchema(before.schema, after.schema, api);
  compareSchema(before.backendSchema, after.backendSchema, api, {
    suffix: " for backends",
    base: [before.schema, after.schema],
    isReported: true,
  });
  compareSchema(before.relaySchema, after.relaySchema, api, {
    suffix: " of the Relay API",
    base: [before.schema, after.schema],
  });
  for (const [name, from = {}, to = {}] of pairs(before.operations, after.operations)) {
    compareOperations(from, to, changes.about({ area: "operations", subject: name }));
  }
  compareTools(before, after, changes);
}

// ---------------------------------------------------------------- limits

/** Compares limits: numbers, or a rate limit with requests per minute and the parameters by which it counts. */
function compareLimits(before: RoleAccess["limits"], after: RoleAccess["limits"], changes: Changes): void {
  for (const [name, from, to] of pairs(before, after)) {
    if (isSame(from, to)) continue;
    const details = { aspect: "limit", name, before: jsonText(from), after: jsonText(to) };
    if (from === undefined) changes.added({ ...details, effect: "narrows" });
    else if (to === undefined) changes.removed({ ...details, after: details.before, effect: "narrows" });
    else changes.changed({ ...details, effect: changedLimit(from, to) });
  }
}

const jsonText = (limit: Json | undefined): string | undefined =>
  limit === undefined ? undefined : canonicalJson(limit);

function changedLimit(before: unknown, after: unknown): Effect {
  if (typeof before === "number" && typeof after === "number") return limitEffect(before, after);
  const [from, to] = [rateOf(before), rateOf(after)];
  // Rate limits with different parameters count clients differently.
  const isComparable = isSame(from.params, to.params) && Number.isFinite(from.rate) && Number.isFinite(to.rate);
  return isComparable ? limitEffect(from.rate, to.rate) : "may widen";
}

function rateOf(limit: unknown): { readonly rate: number; readonly params: unknown } {
  const { max_reqs_per_min: rate, unique_params: params }: { max_reqs_per_min?: unknown; unique_params?: unknown } =
    Object(limit);
  return { rate: Number(rate), params: params ?? null };
}

// ---------------------------------------------------------------- functions

function compareFunction(
  before: FunctionAccess | undefined,
  after: FunctionAccess | undefined,
  changes: Changes,
): void {
  const text = ({ exposedAs, rows, arguments: given }: FunctionAccess) =>
    `${exposedAs} of rows of ${rows}, arguments: ${given.join(", ") || "none"}`;
  if (before === undefined && after) changes.added({ aspect: "function", after: text(after), effect: "widens" });
  if (before && after === undefined) changes.removed({ aspect: "function", after: text(before), effect: "widens" });
  if (before === undefined || after === undefined || isSame(before, after)) return;
  // A function without session variables may take the identity of the caller from its arguments.
  const session = allowedEffect(!before.session, !after.session);
  const isSameOtherwise = isSame({ ...before, session: 0, arguments: 0 }, { ...after, session: 0, arguments: 0 });
  const given = isSame(before.arguments, after.arguments) || session !== "none" ? "none" : "may widen";
  changes.changed({
    aspect: "function",
    before: `${text(before)}${before.session ? ", receives session variables" : ""}`,
    after: `${text(after)}${after.session ? ", receives session variables" : ""}`,
    effect: combined([session, given, isSameOtherwise ? "none" : "may widen"]),
  });
}

// ---------------------------------------------------------------- API

interface SchemaDetails {
  /** Appended to type names. */
  readonly suffix?: string;
  /** Schemas with the types that these schemas lack, before and after. */
  readonly base?: readonly [SchemaAccess, SchemaAccess];
  /** The types of `base` are reported already. */
  readonly isReported?: boolean;
}

/**
 * Compares schemas. Only root fields widen or narrow access: fields of other types follow from permissions, functions
 * and relationships, which are compared separately. Root fields with groups follow from those with aggregates.
 */
function compareSchema(
  before: SchemaAccess,
  after: SchemaAccess,
  changes: Changes,
  { suffix = "", base = [{}, {}], isReported = false }: SchemaDetails = {},
): void {
  const types = { ...base[0], ...before, ...base[1], ...after };
  const reported = isReported ? base : [];
  for (const [name, from, to] of pairs(before, after)) {
    const [reportedBefore, reportedAfter] = reported.map((schema) => new Map(Object.entries(schema)).get(name));
    const own = changes.about({ subject: `${name}${suffix}` });
    const [was, is] = [from ?? reportedBefore, to ?? reportedAfter];
    const isRoot = (was ?? is)?.isRoot === true;
    if (!isRoot && was === undefined && is) own.added({ aspect: is.kind, after: membersText(is), effect: "none" });
    else if (!isRoot && was && is === undefined)
      own.removed({ aspect: was.kind, after: membersText(was), effect: "none" });
    else compareType(was, is, own, { reported: [reportedBefore, reportedAfter], isRoot, types });
  }
}

interface TypeDetails {
  readonly reported: readonly (TypeAccess | undefined)[];
  readonly isRoot: boolean;
  /** Types of the members, before or after. */
  readonly types: SchemaAccess;
}

function compareType(
  before: TypeAccess | undefined,
  after: TypeAccess | undefined,
  changes: Changes,
  { reported, isRoot, types }: TypeDetails,
): void {
  if (before && after && before.kind !== after.kind) {
    changes.changed({ aspect: "kind", before: before.kind, after: after.kind, effect: "none" });
  }
  const [reportedBefore, reportedAfter] = reported.map((type) => new Map(Object.entries(type?.members ?? {})));
  const kind = (after ?? before)?.kind;
  const aspect = isRoot ? "root field" : kind === "enum" ? "value" : kind === "union" ? "type" : "field";
  for (const [name, from, to] of pairs(before?.members ?? {}, after?.members ?? {})) {
    if (isSame(from, to)) continue;
    // The change is already reported for the other schema.
    if (isSame(from, reportedBefore?.get(name)) && isSame(to, reportedAfter?.get(name))) continue;
    const effect = (field: MemberAccess, root: TypeAccess | undefined): Effect =>
      isRoot && !followsFromAggregates(field, root, types) ? "widens" : "none";
    if (from === undefined) {
      if (to !== undefined) changes.added({ aspect, name, after: to.type, effect: effect(to, before) });
    } else if (to === undefined) changes.removed({ aspect, name, after: from.type, effect: effect(from, after) });
    else {
      if (from.type !== to.type) changes.changed({ aspect, name, before: from.type, after: to.type, effect: "none" });
      compareArguments(name, from.arguments, to.arguments, changes);
    }
  }
}

function compareArguments(
  field: string,
  before: ByName<string> = {},
  after: ByName<string> = {},
  changes: Changes,
): void {
  const aspect = "argument";
  changes.members(
    prefixed(before, field),
    prefixed(after, field),
    { aspect, added: () => "none", text: (type) => type },
    (from, to, name) => changes.changed({ aspect, name, before: from, after: to, effect: "none" }),
  );
}

const prefixed = (args: ByName<string>, field: string): ByName<string> =>
  Object.fromEntries(Object.entries(args).map(([name, type]) => [`${field}(${name})`, type]));

// ---------------------------------------------------------------- operations

type Operations = RoleAccess["operations"][string];

function compareOperations(before: Operations, after: Operations, changes: Changes): void {
  for (const [variant, aspect] of [
    ["frontend", "SQL"],
    ["backend", "SQL for backends"],
  ] as const) {
    const [from, to] = [before[variant], after[variant]];
    if (isSame(from, to)) continue;
    // The change is already reported for the frontend variant.
    if (variant === "backend" && isSame(from, before.frontend) && isSame(to, after.frontend)) continue;
    const details = { aspect, before: from && operationText(from), after: to && operationText(to) };
    // Permissions to run the operation are compared separately.
    if (from === undefined) changes.added({ ...details, effect: "none" });
    else if (to === undefined) changes.removed({ ...details, after: details.before, effect: "none" });
    else changes.changed({ ...details, effect: "none" });
  }
}

function compareSavedOperations(before: Access, after: Access, all: Changes): void {
  const usedBefore = usedOperations(before);
  const usedAfter = usedOperations(after);
  for (const [name, from, to] of pairs(before.savedOperations, after.savedOperations)) {
    if (isSame(from, to)) continue;
    const text = all.about({ area: "operations", subject: name });
    const details = { aspect: "text", before: from?.text, after: to?.text };
    if (from === undefined) text.added({ ...details, effect: "none" });
    else if (to === undefined) text.removed({ ...details, after: from.text, effect: "none" });
    else if (from.text !== to.text) {
      // A changed text matters only to roles that run the operation, or may run it through the allow-list.
      const counts = usedBefore.has(name) || usedAfter.has(name) || (isAllowed(from) && isAllowed(to));
      text.changed({ ...details, effect: counts ? "may widen" : "none" });
    }
    compareAllowed(from?.allowed ?? [], to?.allowed ?? [], all.about({ area: "allow-list", subject: name }));
  }
}

/** Returns the operations of REST endpoints and of tools. */
function usedOperations({ endpoints, roles }: Access): ReadonlySet<string> {
  const tools = Object.values(roles).flatMap((role) => Object.values(role.tools ?? {}));
  const ofTools = tools.flatMap(({ frontend, backend }) =>
    [frontend, backend].flatMap((tool) => tool?.operation ?? []),
  );
  return new Set([...Object.values(endpoints).map(({ operation }) => operation), ...ofTools]);
}

const isAllowed = ({ allowed }: SavedOperationAccess): boolean => allowed.length > 0;

function compareAllowed(before: Allowed, after: Allowed, changes: Changes): void {
  const rolesOf = (allowed: Allowed) => named(allowed === "every role" ? [allowed] : allowed);
  const isOpen = before === "every role" || after === "every role";
  // With access for every role, entries for single roles have no effect.
  const added = (name: string): Effect => (isOpen && name !== "every role" ? "none" : "widens");
  changes.members(rolesOf(before), rolesOf(after), { aspect: "allowed for", added: (_, name) => added(name) });
}

// ---------------------------------------------------------------- endpoints

function compareEndpoints(before: Access, after: Access, all: Changes): void {
  const text = ({ path, methods, operation }: Access["endpoints"][string]) =>
    `${methods.join(", ")} ${path} → ${operation}`;
  for (const [name, from, to] of pairs(before.endpoints, after.endpoints)) {
    if (isSame(from, to)) continue;
    const changes = all.about({ subject: name });
    const aspect = "endpoint";
    if (from === undefined && to) changes.added({ aspect, after: text(to), effect: "widens" });
    else if (from && to === undefined) changes.removed({ aspect, after: text(from), effect: "widens" });
    else if (from && to) {
      const isSameOperation = from.path === to.path && from.operation === to.operation;
      const methods = from.methods.length === to.methods.length ? "may widen" : methodsEffect(from.methods, to.methods);
      changes.changed({ aspect, before: text(from), after: text(to), effect: isSameOperation ? methods : "may widen" });
    }
  }
}

function methodsEffect(before: readonly string[], after: readonly string[]): Effect {
  const isMore = before.every((method) => after.includes(method));
  const isLess = after.every((method) => before.includes(method));
  return isMore ? "widens" : isLess ? "narrows" : "may widen";
}
