/** The metadata that all pages share. It is reloaded after each change. */
import { computed, signal } from "@preact/signals";
import { type ApiError, asApiError } from "../http/api-error.ts";
import { exportMetadata, type Operation, runOperation, type VersionedMetadata } from "../http/metadata-api.ts";
import type { Source, Table } from "../http/metadata-types.ts";
import { writeProjectMetadata } from "./project.ts";

const current = signal<VersionedMetadata | null>(null);

/** Error of the last load. */
export const metadataError = signal<ApiError | null>(null);

/** `null` until loaded. */
export const metadata = computed(() => current.value?.metadata ?? null);
export const resourceVersion = computed(() => current.value?.resource_version ?? null);
export const sources = computed<readonly Source[]>(() => metadata.value?.sources ?? []);

let loading: Promise<void> | null = null;

/** Loads the metadata. Never rejects; errors are in `metadataError`. */
export function loadMetadata(): Promise<void> {
  loading ??= load().finally(() => {
    loading = null;
  });
  return loading;
}

async function load(): Promise<void> {
  try {
    const before = current.value;
    current.value = await exportMetadata();
    metadataError.value = null;
    if (before && before.resource_version !== current.value.resource_version) await writeProjectMetadata();
  } catch (thrown) {
    metadataError.value = asApiError(thrown);
  }
}

/**
 * Changes the metadata and reloads it. Several operations are applied atomically.
 * @param version expected version of the metadata; the server rejects the change on a mismatch
 * @throws ApiError
 */
export async function changeMetadata(change: Operation | readonly Operation[], version?: number): Promise<void> {
  try {
    await runOperation(asOne(change), version);
  } finally {
    await loading;
    await loadMetadata();
  }
}

/** Combines operations into one atomic operation. Intermediate states are not checked for consistency. */
export const asOne = (change: Operation | readonly Operation[]): Operation =>
  isList(change) ? { type: "bulk_atomic", args: change } : change;

const isList = (change: Operation | readonly Operation[]): change is readonly Operation[] => Array.isArray(change);

export const sourceNamed = (name: string): Source | undefined => sources.value.find((source) => source.name === name);

export const tableNamed = (source: string, schema: string, name: string): Table | undefined =>
  sourceNamed(source)?.tables.find(({ table }) => table.schema === schema && table.name === name);

/** All roles in the metadata except admin, sorted. */
export const roles = computed<readonly string[]>(() => {
  const found = new Set<string>();
  const value = metadata.value;
  for (const { tables, functions = [] } of value?.sources ?? []) {
    for (const table of tables) for (const { role } of permissionsOf(table)) found.add(role);
    for (const { permissions = [] } of functions) for (const { role } of permissions) found.add(role);
  }
  for (const each of value?.inherited_roles ?? []) found.add(each.role_name);
  for (const { permissions = [] } of value?.actions ?? []) for (const { role } of permissions) found.add(role);
  for (const { permissions = [] } of value?.remote_schemas ?? []) for (const { role } of permissions) found.add(role);
  found.delete("admin");
  return [...found].sort();
});

/** Returns the roles that have a permission on a table. */
export const rolesOfTable = (table: Table): readonly string[] => [
  ...new Set(permissionsOf(table).map(({ role }) => role)),
];

/** Returns the roles that may call an action. */
export const rolesOfActions = (): readonly string[] => [
  ...new Set((metadata.value?.actions ?? []).flatMap(({ permissions = [] }) => permissions.map(({ role }) => role))),
];

const permissionsOf = (table: Table) => [
  ...(table.select_permissions ?? []),
  ...(table.insert_permissions ?? []),
  ...(table.update_permissions ?? []),
  ...(table.delete_permissions ?? []),
];
