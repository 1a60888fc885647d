/** `engine deploy --plan`: shows the changes of a deployment on one page, without making them. */
import { ConfigurationError } from "../../config/configuration-error.ts";
import { widening } from "../../control/access.ts";
import { accessSummary, codeSpan, roleSections } from "../diff/markdown.ts";
import { exitCodes } from "../exit-codes.ts";
import { reportInvalidFiles } from "../metadata/apply-metadata.ts";
import type { MigrationStep } from "../migrations/plan.ts";
import { type Baseline, projectBaseline, serverBaseline } from "../plan/baseline.ts";
import { type DeployPlan, makePlan } from "../plan/make-plan.ts";
import { type Problem, problem, problemLines } from "../problem.ts";
import { withServer } from "../project/client.ts";
import { printable, printResult, recordProblems } from "../project/output.ts";
import { type GlobalFlags, readSettings } from "../project/settings.ts";
import { scratchKind } from "../scratch/run-files.ts";

export interface PlanOptions extends GlobalFlags {
  /** Another version of the project that replaces the server as the baseline. */
  readonly against?: string;
  readonly shadowUrl?: string;
  /** If true, exits with 3 when a role gains or may gain access. */
  readonly failOnWidening?: boolean;
}

/**
 * Resolves to the exit code: 1 if files are invalid or SQL fails on a scratch database.
 * @throws EngineError if files or the server cannot be read, or no scratch database is available
 */
export async function planCommand(options: PlanOptions): Promise<number> {
  const { against, shadowUrl, failOnWidening = false } = options;
  return reportInvalidFiles(async () => {
    const settings = await readSettings(options, process.env);
    const plan = (baseline: Baseline) => makePlan(settings, baseline, shadowUrl);
    const made =
      against === undefined
        ? await withServer(settings, async (call, dump) => plan(await serverBaseline(call, dump, settings)))
        : await plan(await projectBaseline(against, await readSettings({ project: against }, {})));
    printResult(planPage(made), planJson(made));
    recordProblems([...made.broken.map(brokenProblem), ...made.inconsistent]);
    return failOnWidening && widening(made.access).length > 0 ? exitCodes.widens : exitCodes.done;
  });
}

/** @throws ConfigurationError for flags that require `--plan` */
export function refusePlanFlags({ against, shadowUrl, failOnWidening }: PlanOptions): void {
  const given = Object.entries({
    "--against": against,
    "--shadow-url": shadowUrl,
    "--fail-on-widening": failOnWidening,
  });
  const [flag] = given.filter(([, value]) => value !== undefined).map(([name]) => name);
  if (flag === undefined) return;
  throw new ConfigurationError([{ setting: flag, message: "requires --plan" }]);
}

function planJson({ on, databases, metadata, enforced, access, broken }: DeployPlan) {
  return {
    on,
    migrations: databases.flatMap(({ name, steps }) =>
      steps.map(({ migration, action }) => ({
        database: name,
        version: migration.version,
        name: migration.name,
        action,
      })),
    ),
    databases: databases.map(({ name, before, after }) => ({
      name,
      change: before !== undefined && after !== undefined ? "none" : kindOf(before, after),
    })),
    metadata: metadata.map(({ path, before, after }) => ({ path, change: kindOf(before, after) })),
    enforced,
    access: access.filter(isShown),
    broken_operations: broken,
  };
}

// Prints a plan as one Markdown page. It begins with the changes that need a review.

/** Maximum number of listed metadata changes. */
const maxMetadataLines = 40;

function planPage(plan: DeployPlan): string {
  const { on, databases, metadata, enforced, access, broken, inconsistent } = plan;
  const migrations = databases.flatMap(({ name, steps }) =>
    steps.map((step) => `- ${codeSpan(name)}: ${stepText(step)}`),
  );
  const sections = [
    [`# Plan for ${codeSpan(on)}`, ""],
    accessSummary(access),
    list("Broken saved operations", broken.map(brokenText)),
    list(
      "Inconsistent objects",
      problemLines(inconsistent).map((line) => `- ${printable(line)}`),
    ),
    list(
      "Requests that may be refused",
      enforced.map((section) => `- ${codeSpan(section)} is new: requests that violate it are refused`),
    ),
    list("Migrations", migrations),
    list("Databases", databases.flatMap(databaseText)),
    list("Metadata", cut(metadata.map(({ path, before, after }) => `- ${codeSpan(path)} ${kindOf(before, after)}`))),
    roleSections(access.filter(isShown)),
    access.length === 0 ? [] : ["`engine diff` shows the effects on the API and on generated code."],
  ];
  const isEmpty = sections.slice(2).every((lines) => lines.length === 0);
  const lines = isEmpty ? [`# Plan for ${codeSpan(on)}`, "", "No changes."] : sections.flat();
  return `${lines
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trimEnd()}\n`;
}

/** Hides the admin role, which has no permissions, and API types and SQL, which follow from other changes. */
function isShown({ area, role }: DeployPlan["access"][number]): boolean {
  return role !== "admin" && !["api", "operations", "other"].includes(area);
}

const list = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [`## ${title}`, "", ...lines, ""];

function stepText({ migration: { version, name }, action }: MigrationStep): string {
  const title = codeSpan(name === "" ? version : `${version}_${name}`);
  return action === "adopt" ? `mark ${title} as applied: all migrations that it replaces are applied` : `run ${title}`;
}

function databaseText({ name, before, after }: DeployPlan["databases"][number]): readonly string[] {
  const untested =
    (after ?? before)?.kind === scratchKind ? [] : [`- ${codeSpan(name)}: untested, since it is not PostgreSQL`];
  if (before === undefined) return [`- ${codeSpan(name)}: added`, ...untested];
  return after === undefined ? [`- ${codeSpan(name)}: removed`, ...untested] : untested;
}

function brokenText({ collection, name, role, reasons }: DeployPlan["broken"][number]): string {
  return `- ${codeSpan(`${collection}.${name}`)} for role ${codeSpan(role)}: ${printable(reasons.join("; "))}`;
}

function brokenProblem({ collection, name, role, reasons }: DeployPlan["broken"][number]): Problem {
  const message = `operation ${collection}.${name} for role ${role}: ${reasons.join("; ")}`;
  return problem("warning", "broken-operation", message);
}

function kindOf(before: unknown, after: unknown): string {
  if (before === undefined) return "added";
  return after === undefined ? "removed" : "changed";
}

function cut(lines: readonly string[]): readonly string[] {
  if (lines.length <= maxMetadataLines) return lines;
  const more = lines.length - maxMetadataLines;
  return [...lines.slice(0, maxMetadataLines), `- ${more} more; \`engine metadata diff\` lists them`];
}
