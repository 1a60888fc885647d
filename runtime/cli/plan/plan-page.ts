/** A plan → one page for people: what a deployment does, and first of all what has to be looked at. */

import { accessSummary, roleSections } from "../diff/markdown.ts";
import { codeSpan } from "../diff/markdown-text.ts";
import type { MigrationStep } from "../migrations/plan.ts";
import { printable } from "../project/output.ts";
import { scratchKind } from "../scratch/scratch-kind.ts";
import type { DeployPlan } from "./make-plan.ts";

/** Longer lists of metadata changes are cut. */
const mostMetadataLines = 40;

export function planPage(plan: DeployPlan): string {
  const { on, databases, metadata, enforced, access, broken, inconsistent } = plan;
  const migrations = databases.flatMap(({ name, steps }) =>
    steps.map((step) => `- ${codeSpan(name)}: ${stepText(step)}`),
  );
  const sections = [
    [`# Plan for ${codeSpan(on)}`, ""],
    accessSummary(access),
    list("Saved operations that break", broken.map(brokenText)),
    list(
      "Inconsistent afterwards",
      inconsistent.map((line) => `- ${printable(line)}`),
    ),
    list(
      "Requests that may be refused",
      enforced.map((section) => `- ${codeSpan(section)} is new, and is enforced: clients that exceed it get errors`),
    ),
    list("Migrations", migrations),
    list("Databases", databases.flatMap(databaseText)),
    list("Metadata", cut(metadata.map(({ path, before, after }) => `- ${codeSpan(path)} ${kindOf(before, after)}`))),
    roleSections(access.filter(isOfPage)),
    access.length === 0 ? [] : ["`engine diff` shows what follows for the API and for generated code."],
  ];
  const isEmpty = sections.slice(2).every((lines) => lines.length === 0);
  const lines = isEmpty ? [`# Plan for ${codeSpan(on)}`, "", "Nothing changes."] : sections.flat();
  return `${lines
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trimEnd()}\n`;
}

/** Admin needs no permissions, and types and SQL follow from those of others. */
function isOfPage({ area, role }: DeployPlan["access"][number]): boolean {
  return role !== "admin" && !["api", "operations", "other"].includes(area);
}

const list = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [`## ${title}`, "", ...lines, ""];

function stepText({ migration: { version, name }, action }: MigrationStep): string {
  const title = codeSpan(name === "" ? version : `${version}_${name}`);
  return action === "adopt" ? `${title} is marked: the database has all that it stands for` : `${title} is run`;
}

function databaseText({ name, before, after }: DeployPlan["databases"][number]): readonly string[] {
  const notTried =
    (after ?? before)?.kind === scratchKind ? [] : [`- ${codeSpan(name)} was not tried: only PostgreSQL is`];
  if (before === undefined) return [`- ${codeSpan(name)} is added`, ...notTried];
  return after === undefined ? [`- ${codeSpan(name)} is no longer served`, ...notTried] : notTried;
}

function brokenText({ collection, name, role, reasons }: DeployPlan["broken"][number]): string {
  return `- ${codeSpan(`${collection}.${name}`)} for role ${codeSpan(role)}: ${printable(reasons.join("; "))}`;
}

function kindOf(before: unknown, after: unknown): string {
  if (before === undefined) return "added";
  return after === undefined ? "removed" : "changed";
}

function cut(lines: readonly string[]): readonly string[] {
  if (lines.length <= mostMetadataLines) return lines;
  const more = lines.length - mostMetadataLines;
  return [...lines.slice(0, mostMetadataLines), `- and ${more} more, which \`engine metadata diff\` shows`];
}
