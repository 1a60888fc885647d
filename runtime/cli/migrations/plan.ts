/** Plans the steps of a command from the migration files and the versions that the server has applied. */
import { EngineError } from "../../values/errors.ts";
import type { AppliedVersions } from "./applied-state.ts";
import { compareVersions, type Direction, hasStatement, type Migration } from "./migration-files.ts";
import type { SqlFile } from "./sql-failure.ts";

export type MigrationRequest =
  /** All migrations that the server lacks. */
  | { readonly kind: "pending" }
  | { readonly kind: "up" | "down"; readonly count: number }
  /** All migrations up to this version and none after it; `0`: none. */
  | { readonly kind: "goto"; readonly version: string }
  | { readonly kind: "version"; readonly version: string; readonly direction: Direction };

export interface MigrationStep {
  readonly migration: Migration;
  /** `adopt`: mark a squashed migration whose replaced versions are all applied, without running it. */
  readonly action: Direction | "adopt";
}

/**
 * @throws EngineError `not-found` for versions without files, `unfinished` if an interrupted migration needs a manual
 * check, `conflict` if the server has applied only some versions of a squashed migration
 */
export function planMigrations(
  migrations: readonly Migration[],
  applied: AppliedVersions,
  request: MigrationRequest,
): readonly MigrationStep[] {
  if (request.kind === "version") return oneVersion(migrations, applied, request);
  refuseUnfinished(applied);
  const pending = migrations.filter(({ version }) => !applied.has(version));
  switch (request.kind) {
    case "pending":
      return pending.map((migration) => stepUp(migration, applied));
    case "up":
      return pending.slice(0, request.count).map((migration) => stepUp(migration, applied));
    case "down":
      return lastFirst(applied)
        .slice(0, request.count)
        .map((version) => stepDown(migrations, version));
    case "goto": {
      const { version } = request;
      if (version !== "0") find(migrations, version);
      const isAfter = (other: string): boolean => compareVersions(other, version) > 0;
      const missing = pending.filter((migration) => !isAfter(migration.version));
      const surplus = lastFirst(applied).filter(isAfter);
      return [
        ...missing.map((migration) => stepUp(migration, applied)),
        ...surplus.map((each) => stepDown(migrations, each)),
      ];
    }
  }
}

function oneVersion(
  migrations: readonly Migration[],
  applied: AppliedVersions,
  { version, direction }: { readonly version: string; readonly direction: Direction },
): readonly MigrationStep[] {
  const migration = find(migrations, version);
  const unfinished = applied.get(version) === true;
  if (direction === "up") return applied.has(version) && !unfinished ? [] : [stepUp(migration, applied)];
  if (applied.has(version)) return [stepDown(migrations, version)];
  throw new EngineError(
    "not-found",
    "$",
    `migration ${version} is not applied on the server: there is nothing to revert`,
  );
}

function lastFirst(applied: AppliedVersions): readonly string[] {
  return [...applied.keys()].sort((a, b) => compareVersions(b, a));
}

function stepUp(migration: Migration, applied: AppliedVersions): MigrationStep {
  const { replaces, folder } = migration;
  const parts = new Set([...replaces.values()].flat());
  const found = new Set([...replaces].flatMap(([version, parts]) => (applied.has(version) ? parts : [])));
  if (found.size === 0) return { migration, action: "up" };
  if (found.size === parts.size) return { migration, action: "adopt" };
  const missing = [...parts].filter((part) => !found.has(part));
  const message = `${folder} replaces migrations of which the server has ${[...found].join(", ")} and lacks ${missing.join(", ")}: apply the missing ones with the files from before the squash`;
  throw new EngineError("conflict", "$", message);
}

function stepDown(migrations: readonly Migration[], version: string): MigrationStep {
  return { migration: find(migrations, version), action: "down" };
}

/**
 * Returns the file that a step runs, if any.
 * @throws EngineError `not-found` for a missing file, and for a `down.sql` without statements
 */
export function sqlOf({ migration, action }: MigrationStep): SqlFile | undefined {
  if (action === "adopt") return undefined;
  const file = migration[action];
  if (file === undefined) throw cannotRun(migration, `has no ${action}.sql`);
  if (action === "down" && !hasStatement(file)) throw cannotRun(migration, "has a down.sql without statements");
  return file;
}

function cannotRun({ folder }: Migration, fault: string): EngineError {
  return new EngineError("not-found", "$", `cannot run ${folder}: it ${fault}`);
}

function find(migrations: readonly Migration[], version: string): Migration {
  const found = migrations.find((migration) => migration.version === version);
  if (found !== undefined) return found;
  const known =
    migrations.length === 0 ? "there are none" : `the files have ${migrations.map((each) => each.version).join(", ")}`;
  throw new EngineError("not-found", "$", `no file has migration ${version}: ${known}`);
}

function refuseUnfinished(applied: AppliedVersions): void {
  const unfinished = [...applied].filter(([, isUnfinished]) => isUnfinished).map(([version]) => version);
  if (unfinished.length === 0) return;
  const [version = ""] = unfinished;
  const message = `migration ${version} was interrupted: check whether the database contains its changes; then run it again with \`--version ${version} --type up\`, mark it as applied by adding \`--skip-execution\`, or remove its mark with \`engine migrate delete --version ${version} --server\``;
  throw new EngineError("unfinished", "$", message);
}
