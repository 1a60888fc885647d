/** A report → Markdown for a pull request: first what widens access, then everything, by role. */

import { type Area, areas, type Change } from "../../../compiler/access/change.ts";
import { widening } from "../../control/access.ts";
import { compareLines } from "../metadata/unified-diff.ts";
import { isDifferent, type Report } from "./compare-sides.ts";
import type { ModuleChange } from "./declarations.ts";
import { codeBlock, codeCell, codeSpan, htmlCode } from "./markdown-text.ts";

export function markdownReport(report: Report): string {
  const { before, after, changes, modules } = report;
  const title = `# What changes from ${codeSpan(before.name)} to ${codeSpan(after.name)}`;
  if (!isDifferent(report)) return `${title}\n\nNothing.\n`;
  const sections = [[title, ""], accessSummary(changes), roleSections(changes), moduleSection(modules)];
  return `${sections
    .flat()
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trimEnd()}\n`;
}

// ---------------------------------------------------------------- summary

/** What has to be looked at, in a table. */
export function accessSummary(changes: readonly Change[]): readonly string[] {
  const marked = widening(changes);
  if (marked.length === 0) return ["**No role may do more than before.**", ""];
  const newRoles = new Set(changes.flatMap((change) => (isNewRole(change) ? (change.role ?? []) : [])));
  // Everything of a new role is new.
  const shown = marked.filter((change) => isNewRole(change) || !newRoles.has(change.role ?? ""));
  const rows = shown.map(
    (change) =>
      `| **${change.effect}** | ${change.role === undefined ? "all" : codeCell(change.role)} | ${subjectCell(change)}${aspectText(change, codeCell)} ${change.kind} |`,
  );
  const claim = marked.some(({ effect }) => effect === "widens") ? "widens" : "may widen";
  return [`**This ${claim} access:**`, "", "| | role | change |", "| --- | --- | --- |", ...rows, ""];
}

const isNewRole = ({ area, aspect, kind }: Change): boolean => area === "role" && aspect === "role" && kind === "added";

const subjectCell = ({ area, subject }: Change): string =>
  area === "role" || subject === "" ? "" : `${codeCell(subject)}: `;

function aspectText({ aspect, name }: Change, code: (text: string) => string): string {
  return name === undefined ? aspect : `${aspect} ${code(name)}`;
}

// ---------------------------------------------------------------- sections

/** Everything, by role. */
export function roleSections(changes: readonly Change[]): readonly string[] {
  const roles = [...new Set(changes.flatMap(({ role }) => role ?? []))].sort();
  const shared = changes.filter(({ role }) => role === undefined);
  const own = roles.map((role) =>
    section(
      `Role ${codeSpan(role)}`,
      changes.filter((change) => change.role === role),
    ),
  );
  return [...section("All roles", shared), ...own.flat()];
}

const titles: Readonly<Record<Area, string>> = {
  role: "",
  permissions: "Permissions",
  api: "API",
  operations: "Saved operations",
  endpoints: "REST endpoints",
  "allow-list": "Allow-list",
  events: "Event triggers",
  actions: "Handlers of actions",
  schedules: "Schedules",
  other: "Besides",
};

function section(title: string, changes: readonly Change[]): readonly string[] {
  if (changes.length === 0) return [];
  const parts = areas.flatMap((area) => {
    const own = changes.filter((change) => change.area === area);
    if (own.length === 0) return [];
    const heading = titles[area] === "" ? [] : [`### ${titles[area]}`, ""];
    return [...heading, ...areaLines(area, own), ""];
  });
  return [`## ${title}`, "", ...parts];
}

function areaLines(area: Area, changes: readonly Change[]): readonly string[] {
  switch (area) {
    case "role":
    case "other":
      return changes.flatMap((change) => entry(change));
    case "api":
      return apiLines(changes);
    case "operations":
      return changes.flatMap(folded);
    case "permissions":
    case "endpoints":
    case "allow-list":
    case "events":
    case "actions":
    case "schedules":
      return bySubject(changes);
  }
}

/** Root fields in sight, types behind a fold: they follow from the permissions. */
function apiLines(changes: readonly Change[]): readonly string[] {
  const isRoot = ({ aspect }: Change) => aspect === "root field";
  const types = changes.filter((change) => !isRoot(change));
  const roots = bySubject(changes.filter(isRoot));
  return types.length === 0
    ? roots
    : [...roots, "", ...fold(`Types: ${counted(types.length, "change")}`, typeLines(types))];
}

/** One line for each type. */
function typeLines(changes: readonly Change[]): readonly string[] {
  const subjects = [...new Set(changes.map(({ subject }) => subject))];
  return subjects.map((subject) => {
    const own = changes.filter((change) => change.subject === subject);
    return `- ${codeSpan(subject)}: ${own.map(typeText).join("; ")}`;
  });
}

function typeText(change: Change): string {
  const { kind, name, before, after } = change;
  const text = `${aspectText(change, codeSpan)} ${kind}`;
  if (kind === "changed" && before !== undefined && after !== undefined) {
    return `${text}: ${codeSpan(before)} → ${codeSpan(after)}`;
  }
  return kind === "added" && name !== undefined && after !== undefined ? `${text}: ${codeSpan(after)}` : text;
}

function bySubject(changes: readonly Change[]): readonly string[] {
  const subjects = [...new Set(changes.map(({ subject }) => subject))];
  return subjects.flatMap((subject) => [
    `${codeSpan(subject)}`,
    "",
    ...changes.filter((change) => change.subject === subject).flatMap((change) => entry(change)),
    "",
  ]);
}

/** SQL is long. */
function folded(change: Change): readonly string[] {
  const { subject, aspect, kind } = change;
  const mark = isMarked(change) ? `<b>${change.effect}</b>: ` : "";
  return [...fold(`${mark}${htmlCode(subject)}: ${aspect} ${kind}`, block(change, "")), ""];
}

function fold(title: string, lines: readonly string[]): readonly string[] {
  return [`<details><summary>${title}</summary>`, "", ...lines, "", "</details>"];
}

/** Longer values stand on lines of their own. */
const shortValue = 60;

function entry(change: Change): readonly string[] {
  const { kind, before, after } = change;
  const mark = isMarked(change) ? `**${change.effect}**: ` : "";
  const head = `- ${mark}${aspectText(change, codeSpan)} ${kind}`;
  // What is gone is in the text before, and in the report for programs.
  const values = kind === "removed" && change.area === "api" ? [] : [before, after].filter((v) => v !== undefined);
  if (values.length === 0) return [head];
  if (values.every((value) => value.length <= shortValue && !value.includes("\n"))) {
    return [`${head}: ${values.map(codeSpan).join(" → ")}`];
  }
  return [`${head}:`, "", ...block(change, "  "), ""];
}

function block({ kind, before = "", after = "" }: Change, margin: string): readonly string[] {
  if (kind !== "changed") return codeBlock("", [before + after], margin);
  const lines = compareLines(before.split("\n"), after.split("\n"));
  return codeBlock(
    "diff",
    lines.map(({ mark, text }) => `${mark} ${text}`),
    margin,
  );
}

const isMarked = ({ effect }: Change): boolean => effect === "widens" || effect === "may widen";

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

// ---------------------------------------------------------------- generated code

function moduleSection(modules: readonly ModuleChange[]): readonly string[] {
  if (modules.length === 0) return [];
  const lines = modules.map((change) => `- ${codeSpan(change.path)}: ${moduleText(change)}`);
  return [
    "## Generated code",
    "",
    ...fold(`Declarations to read again, in ${counted(modules.length, "module")}`, lines),
  ];
}

function moduleText({ kind, declarations }: ModuleChange): string {
  if (kind !== "changed" || declarations === undefined) return kind;
  const parts = (["added", "removed", "changed"] as const).flatMap((change) => {
    const names = declarations[change];
    return names.length === 0 ? [] : [`${names.map(codeSpan).join(", ")} ${change}`];
  });
  return parts.length === 0 ? "comments only" : parts.join("; ");
}
