/** Client of the migrations of a project. */
import { callProject } from "./project-api.ts";

export interface ListedMigration {
  readonly version: string;
  /** `null` if the project has no files of this version. */
  readonly name: string | null;
  /** `unfinished`: interrupted while its SQL ran. */
  readonly state: "applied" | "pending" | "unfinished";
  /** True if it has a down migration. */
  readonly can_revert: boolean;
  /** Versions that a squashed migration replaces. */
  readonly replaces: readonly string[];
}

interface MigrationList {
  /** Path of the folder with the migrations of all databases. */
  readonly folder: string;
  /** Sorted by version. */
  readonly migrations: readonly ListedMigration[];
}

/** @throws ApiError */
export const listMigrations = (source: string): Promise<MigrationList> => callProject("migration-list", { source });

export interface MigrationSql {
  readonly folder: string;
  /** `null` without a file. */
  readonly up: string | null;
  readonly down: string | null;
}

/** @throws ApiError */
export const migrationSql = (source: string, version: string): Promise<MigrationSql> =>
  callProject("migration-sql", { source, version });

/** A change of the applied migrations, as `engine migrate` makes it. */
export type MigrationChange =
  /** Applies the pending migrations up to a version; without one, all. */
  | { readonly kind: "apply"; readonly version?: string }
  /** `repeat` runs an unfinished migration again; `mark` and `unmark` run no SQL. */
  | { readonly kind: "revert" | "repeat" | "mark" | "unmark"; readonly version: string };

export interface PlannedStep {
  readonly version: string;
  readonly name: string | null;
  /** `adopt`: mark a squashed migration whose replaced versions are all applied. */
  readonly action: "up" | "down" | "adopt" | "mark" | "unmark";
}

export interface MigrationPlan {
  /** Identifies the steps with their SQL. */
  readonly plan: string;
  readonly steps: readonly PlannedStep[];
}

/** @throws ApiError with the reason if the change is refused */
export const planMigrations = (source: string, change: MigrationChange): Promise<MigrationPlan> =>
  callProject("migration-plan", { source, change });

export interface RunOptions {
  /** `plan` of the confirmed plan. */
  readonly plan: string;
  /** If false, statements run one by one. */
  readonly transaction: boolean;
}

/** @throws ApiError `conflict` if the plan is no longer the confirmed one */
export const runMigrations = (source: string, change: MigrationChange, options: RunOptions): Promise<unknown> =>
  callProject("migration-runs", { source, change, ...options });
