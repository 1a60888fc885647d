/** Client of the history of the metadata, and of the environment variables that it uses. */
import { runOperation } from "./metadata-api.ts";
import type { JsonObject } from "./metadata-types.ts";
import type { MetadataPlan, PartChange } from "./plan-api.ts";

export interface HistoryEntry {
  readonly resource_version: number;
  /** ISO 8601. */
  readonly changed_at: string;
  readonly role: string | null;
  /** Value of the session variable with the user's id. */
  readonly user: string | null;
  /** Names of the operations. */
  readonly operations: readonly string[];
  readonly part_count: number;
  /** The first changed parts. */
  readonly parts: readonly Pick<PartChange, "source" | "table">[];
}

export interface MetadataHistory {
  readonly resource_version: number;
  /** The oldest version with known content. */
  readonly oldest_version: number;
  /** Newest first. */
  readonly changes: readonly HistoryEntry[];
}

/** Returns all changes in the history, up to 1000. */
export const metadataHistory = (): Promise<MetadataHistory> =>
  runOperation({ type: "get_metadata_history", args: { limit: 1000 } });

/** @throws ApiError if the history does not contain the version */
export async function metadataVersion(version: number): Promise<JsonObject> {
  const operation = { type: "get_metadata_version", args: { resource_version: version } };
  return (await runOperation<{ readonly metadata: JsonObject }>(operation, undefined, true)).metadata;
}

/** @throws ApiError if the history does not contain a version */
export async function compareVersions(from: number, to: number): Promise<readonly PartChange[]> {
  const operation = { type: "compare_metadata_versions", args: { from, to } };
  return (await runOperation<{ readonly changes: readonly PartChange[] }>(operation, undefined, true)).changes;
}

/** Effects of one version compared with another, both on the current databases. */
export interface VersionEffects extends Pick<MetadataPlan, "access" | "modules"> {
  /** Number of objects that the versions leave out. */
  readonly inconsistent: { readonly from: number; readonly to: number };
}

/** @throws ApiError if the history does not contain a version */
export const versionEffects = (from: number, to: number): Promise<VersionEffects> =>
  runOperation({ type: "compare_metadata_versions", args: { from, to, effects: true } }, undefined, true);

export interface UsedVariable {
  readonly name: string;
  readonly is_set: boolean;
  /** Paths in the metadata, such as `$.sources[0].configuration`. */
  readonly used_by: readonly string[];
}

export const environmentVariables = (): Promise<readonly UsedVariable[]> =>
  runOperation({ type: "get_environment_variables", args: {} });
