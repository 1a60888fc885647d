/**
 * The migrations of a project, for its console: their list, their SQL, and changes as `engine migrate` makes them. The
 * console plans each change first. A change whose plan is no longer the confirmed one is refused.
 */
import { createHash } from "node:crypto";
import * as z from "zod";
import { EngineError } from "../../values/errors.ts";
import { AppliedState } from "../migrations/applied-state.ts";
import { compareVersions, hasStatement, type Migration, readMigrations } from "../migrations/migration-files.ts";
import { type MigrationStep, planMigrations, sqlOf } from "../migrations/plan.ts";
import { runSteps } from "../migrations/run-steps.ts";
import type { SqlFile } from "../migrations/sql-failure.ts";
import { migrationStatus } from "../migrations/status.ts";
import { withToolLock } from "../migrations/tool-lock.ts";
import type { CallMetadata } from "../project/client.ts";
import { printable } from "../project/output.ts";
import { consoleLock, databaseNamed, type MigrationsInput } from "./migrations-input.ts";

const source = z.string().min(1);
const version = z.string().regex(/^\d{1,40}$/, "expected the version of a migration");

export const listedDatabase = z.strictObject({ source });

export const oneMigration = z.strictObject({ source, version });

export const plannedChange = z.strictObject({
  source,
  change: z.discriminatedUnion("kind", [
    /** Applies the pending migrations up to a version; without one, all. */
    z.strictObject({ kind: z.literal("apply"), version: version.optional() }),
    /** Reverts the migration that was applied last. */
    z.strictObject({ kind: z.literal("revert"), version }),
    /** Runs an unfinished migration again. */
    z.strictObject({ kind: z.literal("repeat"), version }),
    /** Marks a migration as applied without running it. */
    z.strictObject({ kind: z.literal("mark"), version }),
    /** Removes the mark of an unfinished migration, or of one without files. */
    z.strictObject({ kind: z.literal("unmark"), version }),
  ]),
});

type PlannedChange = z.infer<typeof plannedChange>;

export const confirmedChange = plannedChange.extend({
  /** `plan` of the confirmed plan. */
  plan: z.string(),
  /** If false, statements run one by one, for statements that PostgreSQL does not allow in a transaction. */
  transaction: z.boolean().default(true),
});

type ConfirmedChange = z.infer<typeof confirmedChange>;

// List.

interface ListedMigration {
  readonly version: string;
  /** `null` if the project has no files of this version. */
  readonly name: string | null;
  readonly state: "applied" | "pending" | "unfinished";
  /** True if a `down.sql` with a statement exists. */
  readonly can_revert: boolean;
  /** Versions that a squashed migration replaces. */
  readonly replaces: readonly string[];
}

/** @throws EngineError for files that are not migrations, and for an unknown database */
export async function listMigrations({ settings, call }: MigrationsInput, request: z.infer<typeof listedDatabase>) {
  const { migrations, state } = await read(settings.migrationsPath, call, request.source);
  const list = migrationStatus(migrations, state.of(request.source)).map(
    ({ version: each, migration, state: found }): ListedMigration => ({
      version: each,
      name: migration?.name ?? null,
      state: found,
      can_revert: hasStatement(migration?.down),
      replaces: [...(migration?.replaces.keys() ?? [])],
    }),
  );
  return { folder: settings.migrationsPath, migrations: list };
}

/** @throws EngineError `not-found` if the project has no files of this version */
export async function migrationSql({ settings, call }: MigrationsInput, request: z.infer<typeof oneMigration>) {
  await databaseNamed(call, request.source);
  const migrations = await readMigrations(settings.migrationsPath, request.source);
  const found = migrations.find((each) => each.version === request.version);
  if (found === undefined) throw new EngineError("not-found", "$.version", withoutFiles(request.version));
  return { folder: found.folder, up: sqlText(found.up), down: sqlText(found.down) };
}

const sqlText = (file: SqlFile | undefined): string | null => file?.sql ?? null;

const withoutFiles = (missing: string): string => `the project has no files of migration ${missing}`;

// Plan.

/** `adopt`, `mark` and `unmark` run no SQL. */
type Action = MigrationStep["action"] | "mark" | "unmark";

interface PlannedStep {
  readonly version: string;
  readonly name: string | null;
  readonly action: Action;
}

interface Plan {
  /** Identifies the steps with their SQL. */
  readonly plan: string;
  readonly steps: readonly PlannedStep[];
}

/** @throws EngineError with the reason if the change is refused */
export async function planChange(
  { settings, call }: MigrationsInput,
  { source: name, change }: PlannedChange,
): Promise<Plan> {
  const { migrations, state } = await read(settings.migrationsPath, call, name);
  return planOf(migrations, state.of(name), change).shown;
}

interface MadePlan {
  readonly shown: Plan;
  /** Steps for `runSteps`; `null` to remove the mark. */
  readonly steps: readonly MigrationStep[] | null;
}

function planOf(
  migrations: readonly Migration[],
  applied: ReadonlyMap<string, boolean>,
  change: PlannedChange["change"],
): MadePlan {
  if (change.kind === "unmark") {
    requireRemovableMark(migrations, applied, change.version);
    const name = migrations.find((each) => each.version === change.version)?.name ?? null;
    const steps: readonly PlannedStep[] = [{ version: change.version, name, action: "unmark" }];
    return { shown: { plan: digest(steps, []), steps }, steps: null };
  }
  const steps = stepsOf(migrations, applied, change);
  const isMark = change.kind === "mark";
  const files = isMark ? [] : steps.map(sqlOf);
  const shown = steps.map(({ migration, action }): PlannedStep => {
    const isMarked = isMark && action !== "adopt";
    return { version: migration.version, name: migration.name, action: isMarked ? "mark" : action };
  });
  return { shown: { plan: digest(shown, files), steps: shown }, steps };
}

function digest(steps: readonly PlannedStep[], files: readonly (SqlFile | undefined)[]): string {
  const content = [steps, files.map((file) => file?.sql ?? null)];
  return createHash("sha256").update(JSON.stringify(content)).digest("base64url");
}

function stepsOf(
  migrations: readonly Migration[],
  applied: ReadonlyMap<string, boolean>,
  change: Exclude<PlannedChange["change"], { readonly kind: "unmark" }>,
): readonly MigrationStep[] {
  if (change.kind === "apply") {
    const steps = planMigrations(migrations, applied, { kind: "pending" });
    const { version: last } = change;
    if (last === undefined) return steps;
    if (steps.some(({ migration }) => migration.version === last)) {
      return steps.filter(({ migration }) => compareVersions(migration.version, last) <= 0);
    }
    throw refused(last, applied.has(last) ? "is applied already" : "has no files in the project");
  }
  const { version: target } = change;
  if (change.kind === "revert") {
    requireLast(applied, target);
    return planMigrations(migrations, applied, { kind: "down", count: 1 });
  }
  const isUnfinished = applied.get(target) === true;
  if (change.kind === "repeat" && !isUnfinished) throw refused(target, "is not unfinished");
  if (applied.has(target) && !isUnfinished) throw refused(target, "is applied already");
  return planMigrations(migrations, applied, { kind: "version", version: target, direction: "up" });
}

/** Later migrations may depend on an earlier one. */
function requireLast(applied: ReadonlyMap<string, boolean>, target: string): void {
  if (!applied.has(target)) throw refused(target, "is not applied: there is nothing to revert");
  const last = [...applied.keys()].sort(compareVersions).at(-1);
  if (last !== target) throw refused(target, `cannot be reverted before ${last}, which was applied after it`);
}

function requireRemovableMark(
  migrations: readonly Migration[],
  applied: ReadonlyMap<string, boolean>,
  target: string,
): void {
  if (!applied.has(target)) throw refused(target, "is not applied: it has no mark");
  const hasFiles = migrations.some((each) => each.version === target);
  if (hasFiles && applied.get(target) === false) {
    throw refused(target, "is applied: revert it, or remove its mark with `engine migrate delete --server`");
  }
}

function refused(target: string, reason: string): EngineError {
  return new EngineError("bad-request", "$.change.version", `migration ${target} ${reason}`);
}

// Run.

/**
 * Runs a change, and writes its effect on the metadata into the project's files.
 * @throws EngineError `conflict` if the plan has changed or the files have changes that the server does not have; with
 * the file and line of SQL that fails
 */
export async function runChange({ settings, call, followed, print }: MigrationsInput, request: ConfirmedChange) {
  const run = () => runPlanned(call, settings.migrationsPath, request);
  const runsSql = !["mark", "unmark"].includes(request.change.kind);
  const { done: steps, metadata } = runsSql
    ? await followed.following(call, run)
    : { done: await run(), metadata: "same" as const };
  for (const { version: each, name, action } of steps) {
    print(
      printable(`${doneTexts[action]} ${name === null || name === "" ? each : `${each}_${name}`} on ${request.source}`),
    );
  }
  if (metadata === "written") print(`wrote ${settings.metadataPath}`);
  return { steps, metadata };
}

const doneTexts: Readonly<Record<Action, string>> = {
  up: "applied",
  down: "reverted",
  adopt: "marked as applied:",
  mark: "marked as applied:",
  unmark: "removed the mark of",
};

function runPlanned(
  call: CallMetadata,
  migrationsPath: string,
  { source: name, change, plan, transaction }: ConfirmedChange,
): Promise<readonly PlannedStep[]> {
  return withToolLock(call, consoleLock, async (ensureAlone) => {
    const { database, migrations, state } = await read(migrationsPath, call, name);
    const { shown, steps } = planOf(migrations, state.of(name), change);
    if (shown.plan !== plan) throw changedPlan();
    if (steps === null) {
      await state.change(name, (versions) => {
        for (const each of shown.steps) versions.delete(each.version);
      });
      return shown.steps;
    }
    const skipExecution = change.kind === "mark";
    await runSteps(call, state, database, steps, { skipExecution, transaction, ensureAlone, onStep: () => undefined });
    return shown.steps;
  });
}

function changedPlan(): EngineError {
  const message = "the migrations have changed since the plan was shown; nothing was run. Review the plan again.";
  return new EngineError("conflict", "$.plan", message, { status: 409 });
}

async function read(migrationsPath: string, call: CallMetadata, name: string) {
  const database = await databaseNamed(call, name);
  const migrations = await readMigrations(migrationsPath, name);
  return { database, migrations, state: await AppliedState.read(call) };
}
