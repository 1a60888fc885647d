/** Compares the migrations of a project's files with those that the server has applied. */
import type { AppliedVersions } from "./applied-state.ts";
import { compareVersions, type Migration } from "./migration-files.ts";

export interface MigrationStatus {
  readonly version: string;
  /** `undefined` if the project has no files of this version. */
  readonly migration: Migration | undefined;
  /** `unfinished`: marked before its SQL ran, and not after. */
  readonly state: "applied" | "pending" | "unfinished";
}

/** Returns each version of the files or the server, sorted. */
export function migrationStatus(
  migrations: readonly Migration[],
  applied: AppliedVersions,
): readonly MigrationStatus[] {
  const found = new Map(migrations.map((migration) => [migration.version, migration]));
  const versions = [...new Set([...found.keys(), ...applied.keys()])].sort(compareVersions);
  return versions.map((version) => {
    const isUnfinished = applied.get(version);
    const state = isUnfinished === undefined ? "pending" : isUnfinished ? "unfinished" : "applied";
    return { version, migration: found.get(version), state };
  });
}
