/** Formats a report as Markdown for a pull request: first the changes that widen access, then all changes by role. */
import { type Area, areas, type Change } from "../../../compiler/access/change.ts";
import { widening } from "../../control/access.ts";
import { compareLines } from "../metadata/unified-diff.ts";
import { isDifferent, type ModuleChange, type Report } from "./compare-sides.ts";

export function markdownReport(report: Report): string {
  const { before, after, changes, modules } = report;
  const title = `# Changes from ${codeSpan(before.name)} to ${codeSpan(after.name)}`;
  if (!isDifferent(report)) return `${title}\n\nNo changes.\n`;
  const sections = [[title, ""], accessSummary(changes), roleSections(changes), moduleSection(modules)];
  return `${sections
    .flat()
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trimEnd()}\n`;
}

// ---------------------------------------------------------------- summary

/** Lists the changes that widen access, in a table. */
export function accessSummary(changes: readonly Change[]): readonly string[] {
  const marked = widening(changes);
  if (marked.length === 0) return ["**No role gains access.**", ""];
  const newRoles = new Set(changes.flatMap((change) => (isNewRole(change) ? (change.role ?? []) : [])));
  // For a new role, one row replaces the rows of its permissions.
  const shown = marked.filter((change) => isNewRole(change) || !newRoles.has(change.role ?? ""));
  const rows = shown.map(
    (change) =>
      `| **${change.effect}** | ${change.role === undefined ? "all" : codeCell(change.role)} | ${subjectCell(change)}${aspectText(change, codeCell)} ${change.kind}${throughText(change, codeCell)} |`,
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

/** Names the changed permissions to which a condition refers. */
function throughText({ through = [] }: Change, code: (text: string) => string): string {
  return through.length === 0 ? "" : ` through the select permission on ${through.map(code).join(", ")}`;
}

// ---------------------------------------------------------------- sections

/** Lists all changes by role. */
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
  tools: "What assistants may do",
  "allow-list": "Allow-list",
  events: "Event triggers",
  actions: "Handlers of actions",
  schedules: "Schedules",
  other: "Other changes",
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
    case "tools":
    case "allow-list":
    case "events":
    case "actions":
    case "schedules":
      return bySubject(changes);
  }
}

/** Lists root fields, and collapses types, which follow from the permissions. */
function apiLines(changes: readonly Change[]): readonly string[] {
  const isRoot = ({ aspect }: Change) => aspect === "root field";
  const types = changes.filter((change) => !isRoot(change));
  const roots = bySubject(changes.filter(isRoot));
  return types.length === 0
    ? roots
    : [...roots, "", ...fold(`Types: ${counted(types.length, "change")}`, typeLines(types))];
}

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

/** Collapses a change with long values, such as SQL. */
function folded(change: Change): readonly string[] {
  const { subject, aspect, kind } = change;
  const mark = isMarked(change) ? `<b>${change.effect}</b>: ` : "";
  return [...fold(`${mark}${htmlCode(subject)}: ${aspect} ${kind}`, block(change, "")), ""];
}

function fold(title: string, lines: readonly string[]): readonly string[] {
  return [`<details><summary>${title}</summary>`, "", ...lines, "", "</details>"];
}

/** Maximum length of inline values. Longer values are shown in code blocks. */
const maxInlineLength = 60;

function entry(change: Change): readonly string[] {
  const { kind, before, after } = change;
  const mark = isMarked(change) ? `**${change.effect}**: ` : "";
  const head = `- ${mark}${aspectText(change, codeSpan)} ${kind}${throughText(change, codeSpan)}`;
  // Removed API values are omitted; the JSON report contains them.
  const values = kind === "removed" && change.area === "api" ? [] : [before, after].filter((v) => v !== undefined);
  if (values.length === 0) return [head];
  if (values.every((value) => value.length <= maxInlineLength && !value.includes("\n"))) {
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
  return ["## Generated code", "", ...fold(`Changed declarations in ${counted(modules.length, "module")}`, lines)];
}

function moduleText({ kind, declarations }: ModuleChange): string {
  if (kind !== "changed" || declarations === undefined) return kind;
  const parts = (["added", "removed", "changed"] as const).flatMap((change) => {
    const names = declarations[change];
    return names.length === 0 ? [] : [`${names.map(codeSpan).join(", ")} ${change}`];
  });
  return parts.length === 0 ? "comments only" : parts.join("; ");
}

// Escapes text from metadata for Markdown, so that names and SQL can neither end their element nor hide text.

/** Characters that control a terminal or text direction, or are invisible. */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;

const escaped = (character: string): string =>
  character === "\n" || character === "\t" ? character : `\\u{${character.codePointAt(0)?.toString(16)}}`;

/** Escapes characters that control a terminal or text direction, or are invisible. */
export const visible = (text: string): string => text.replace(invisible, escaped);

const oneLine = (text: string): string =>
  visible(text)
    .replace(/\s+/g, (blanks) => (blanks.includes("\n") ? " " : blanks))
    .trim();

/** Returns inline code on one line. */
export function codeSpan(text: string): string {
  const line = oneLine(text);
  const fence = "`".repeat(longestRun(line) + 1);
  // Renderers strip one blank at each end inside a fence of several backticks.
  const inner = fence.length > 1 || line === "" ? ` ${line} ` : line;
  return `${fence}${inner}${fence}`;
}

/** Returns inline code for a table cell, where `|` must be escaped. */
export const codeCell = (text: string): string => codeSpan(text).replaceAll("|", "\\|");

/** Returns a code block whose fence is longer than any run of backticks in the lines. */
function codeBlock(language: string, lines: readonly string[], margin: string): readonly string[] {
  const shown = lines.flatMap((line) => visible(line).split("\n"));
  const fence = "`".repeat(Math.max(3, ...shown.map((line) => longestRun(line) + 1)));
  return [`${fence}${language}`, ...shown, fence].map((line) => `${margin}${line}`.trimEnd());
}

/** Returns inline code as HTML, for elements in which Markdown is not parsed. */
export function htmlCode(text: string): string {
  const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
  return `<code>${oneLine(text).replace(/[&<>]/g, (character) => entities[character] ?? "")}</code>`;
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}
