/** Which migrations a command runs, and in which order: files and what the server has → steps. */
import { EngineError } from "../../values/errors.ts";
import type { AppliedVersions } from "./applied-state.ts";
import { compareVersions, type Direction, hasStatement, type Migration } from "./migration-files.ts";
import type { SqlFile } from "./sql-file.ts";

export type MigrationRequest =
  /** Whatever the server does not have. */
  | { readonly kind: "pending" }
  | { readonly kind: "up" | "down"; readonly count: number }
  /** The server has all up to this version, and none after it. `0`: none. */
  | { readonly kind: "goto"; readonly version: string }
  | { readonly kind: "version"; readonly version: string; readonly direction: Direction };

export interface MigrationStep {
  readonly migration: Migration;
  /** `adopt`: the server has everything that a squashed migration stands for; nothing is run. */
  readonly action: Direction | "adopt";
}

/**
 * @throws EngineError `not-found` for versions without files, `unfinished` when somebody has to look at the database
 * first, `conflict` when the server has a part of what a squashed migration stands for
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
    `the server does not have migration ${version}: there is nothing to take back`,
  );
}

function lastFirst(applied: AppliedVersions): readonly string[] {
  return [...applied.keys()].sort((a, b) => compareVersions(b, a));
}

function stepUp(migration: Migration, applied: AppliedVersions): MigrationStep {
  const { replaces, folder } = migration;
  const parts = new Set([...replaces.values()].flat());
  const had = new Set([...replaces].flatMap(([version, its]) => (applied.has(version) ? its : [])));
  if (had.size === 0) return { migration, action: "up" };
  if (had.size === parts.size) return { migration, action: "adopt" };
  const missing = [...parts].filter((part) => !had.has(part));
  const message = `${folder} stands for migrations of which the server has ${[...had].join(", ")} and lacks ${missing.join(", ")}: apply the rest with the files from before the squash`;
  throw new EngineError("conflict", "$", message);
}

function stepDown(migrations: readonly Migration[], version: string): MigrationStep {
  return { migration: find(migrations, version), action: "down" };
}

/**
 * The file that a step runs; `undefined` where nothing is run.
 * @throws EngineError `not-found` for a file that is missing, and for a way back that says nothing
 */
export function sqlOf({ migration, action }: MigrationStep): SqlFile | undefined {
  if (action === "adopt") return undefined;
  const file = migration[action];
  if (file === undefined) throw cannotRun(migration, `has no ${action}.sql`);
  if (action === "down" && !hasStatement(file)) throw cannotRun(migration, "has a down.sql without a statement");
  return file;
}

function cannotRun({ folder }: Migration, fault: string): EngineError {
  return new EngineError("not-found", "$", `${folder} ${fault}: it cannot be run`);
}

function find(migrations: readonly Migration[], version: string): Migration {
  const found = migrations.find((migration) => migration.version === version);
  if (found !== undefined) return found;
  const known =
    migrations.length === 0 ? "there are none" : `there are ${migrations.map((each) => each.version).join(", ")}`;
  throw new EngineError("not-found", "$", `there is no migration ${version} among the files: ${known}`);
}

function refuseUnfinished(applied: AppliedVersions): void {
  const unfinished = [...applied].filter(([, isUnfinished]) => isUnfinished).map(([version]) => version);
  if (unfinished.length === 0) return;
  const [version = ""] = unfinished;
  const message = `migration ${version} was under way when a tool or its server ended: look whether the database has it; then run it again with \`--version ${version} --type up\`, or only mark it with \`--skip-execution\` besides, or forget it with \`engine migrate delete --version ${version} --server\``;
  throw new EngineError("unfinished", "$", message);
}
