/** Settings of a role outside of its permissions, and the operations that save them. */

import type { AllowedCollection, Json, JsonObject, Metadata } from "../../http/metadata-types.ts";
import type { Operation } from "../../http/operation.ts";
import { isObject } from "./conditions.ts";

/** Access of a role to the saved operations of a collection: none, as one of some roles, or as all roles. */
export type Allowance = "none" | "role" | "all";

export interface RoleDraft {
  readonly introspection: boolean;
  /** Argument of `set_api_limits`. */
  readonly limits: JsonObject;
  /** Allowances by collection. */
  readonly allowances: ReadonlyMap<string, Allowance>;
}

export const limitNames = ["depth_limit", "node_limit", "batch_limit", "time_limit", "rate_limit"] as const;
export type LimitName = (typeof limitNames)[number];

/** Returns the saved settings of a role. */
export function draftOf(metadata: Metadata, role: string): RoleDraft {
  const { query_collections: collections = [], allowlist = [], graphql_schema_introspection: hidden } = metadata;
  return {
    introspection: !(hidden?.disabled_for_roles ?? []).includes(role),
    limits: metadata.api_limits ?? {},
    allowances: new Map(collections.map(({ name }) => [name, allowanceOf(entryOf(allowlist, name), role)])),
  };
}

const entryOf = (list: readonly AllowedCollection[], name: string): AllowedCollection | undefined =>
  list.find(({ collection }) => collection === name);

function allowanceOf(entry: AllowedCollection | undefined, role: string): Allowance {
  if (!entry) return "none";
  if (entry.scope?.global ?? true) return "all";
  return entry.scope?.roles?.includes(role) ? "role" : "none";
}

/** Returns the operations that turn the saved settings into the draft. @param roles all roles */
export function roleOperations(
  metadata: Metadata,
  role: string,
  draft: RoleDraft,
  roles: readonly string[],
): readonly Operation[] {
  const saved = draftOf(metadata, role);
  const operations: Operation[] = [];
  if (draft.introspection !== saved.introspection) {
    const others = (metadata.graphql_schema_introspection?.disabled_for_roles ?? []).filter((each) => each !== role);
    const disabled_for_roles = draft.introspection ? others : [...others, role];
    operations.push({ type: "set_graphql_schema_introspection_options", args: { disabled_for_roles } });
  }
  if (JSON.stringify(draft.limits) !== JSON.stringify(saved.limits)) {
    const isEmpty = Object.keys(draft.limits).length === 0;
    operations.push(isEmpty ? { type: "remove_api_limits", args: {} } : { type: "set_api_limits", args: draft.limits });
  }
  for (const [collection, allowance] of draft.allowances) {
    if (allowance === saved.allowances.get(collection)) continue;
    operations.push(
      allowanceOperation(entryOf(metadata.allowlist ?? [], collection), { collection, role, allowance, roles }),
    );
  }
  return operations;
}

interface AllowanceChange {
  readonly collection: string;
  readonly role: string;
  readonly allowance: Allowance;
  readonly roles: readonly string[];
}

function allowanceOperation(entry: AllowedCollection | undefined, change: AllowanceChange): Operation {
  const { collection, role, allowance, roles } = change;
  const isGlobal = entry?.scope?.global ?? true;
  const others = (isGlobal ? roles : (entry?.scope?.roles ?? [])).filter((each) => each !== role);
  const listed = allowance === "none" ? others : isGlobal ? [role] : [...others, role];
  if (allowance === "none" && listed.length === 0)
    return { type: "drop_collection_from_allowlist", args: { collection } };
  const scope = allowance === "all" ? { global: true } : { global: false, roles: listed };
  const type = entry ? "update_scope_of_collection_in_allowlist" : "add_collection_to_allowlist";
  return { type, args: { collection, scope } };
}

/** Returns the limit of a role, or of all roles if `role` is `null`. */
export function limitOf(limits: JsonObject, name: LimitName, role: string | null): Json | undefined {
  const limit = limits[name];
  if (!isObject(limit)) return undefined;
  if (role === null) return limit.global;
  return isObject(limit.per_role) ? limit.per_role[role] : undefined;
}

/** Returns true if a role has a limit without a limit of all roles, which the server refuses. */
export function lacksGlobal(limits: JsonObject, name: LimitName): boolean {
  const limit = limits[name];
  return isObject(limit) && limit.global === undefined;
}

/** Changes the limit of a role, or of all roles if `role` is `null`. @param value `undefined` to remove the limit */
export function withLimit(
  limits: JsonObject,
  name: LimitName,
  role: string | null,
  value: Json | undefined,
): JsonObject {
  const before = limits[name];
  const { global, per_role: roles } = isObject(before) ? before : ({} as JsonObject);
  const perRole = isObject(roles) ? roles : {};
  const changed =
    role === null ? perRole : without({ ...perRole, ...(value !== undefined && { [role]: value }) }, role, value);
  const all = role === null ? value : global;
  const limit: JsonObject = {
    ...(all !== undefined && { global: all }),
    ...(Object.keys(changed).length > 0 && { per_role: changed }),
  };
  const { [name]: _replaced, ...others } = limits;
  return Object.keys(limit).length === 0 ? others : { ...limits, [name]: limit };
}

const without = (map: JsonObject, name: string, value: Json | undefined): JsonObject =>
  value === undefined ? Object.fromEntries(Object.entries(map).filter(([each]) => each !== name)) : map;
