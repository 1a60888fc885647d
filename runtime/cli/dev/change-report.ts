/**
 * Formats the effects of a change of the metadata: first what a role gains, in red, then one line for each role and
 * table. Long values and SQL appear only with `--verbose`.
 */
import type { Change, Effect } from "../../../compiler/access/change.ts";
import type { BrokenOperation } from "../plan/broken-operations.ts";
import { printable } from "../project/output.ts";

export interface ReportStyle {
  readonly verbose: boolean;
  readonly red: (text: string) => string;
  readonly bold: (text: string) => string;
}

const signs: Readonly<Record<Change["kind"], string>> = { added: "+", removed: "-", changed: "~" };

const isWidening = (effect: Effect): boolean => effect === "widens" || effect === "may widen";

/**
 * Returns true for changes of permissions. Other changes follow from them: of the API, and of the SQL of operations.
 * Admin has no permissions.
 */
function isOwn({ role, area }: Change): boolean {
  return role !== "admin" && area !== "api" && area !== "operations" && area !== "other";
}

/** Returns the lines of a report; empty if no role is affected. */
export function changeReport(
  changes: readonly Change[],
  broken: readonly BrokenOperation[],
  style: ReportStyle,
): readonly string[] {
  const { red, bold, verbose } = style;
  const gained = (effect: Effect) => grouped(changes.filter((change) => change.effect === effect)).map(linesOf(style));
  const others = changes.filter(({ effect }) => !isWidening(effect)).filter((change) => isShown(change, verbose));
  const marked = (mark: string, lines: readonly string[]) =>
    lines.map((line, index) => red(index === 0 ? `${bold(mark)} ${line}` : line));
  return [
    ...gained("widens").flatMap((lines) => marked("widens", lines)),
    ...gained("may widen").flatMap((lines) => marked("may widen", lines)),
    ...grouped(others).flatMap(linesOf(style)),
    ...broken.map(({ collection, name, role, reasons }) =>
      red(`${bold("broken")} ${printable(`${collection}.${name} for role ${role}: ${reasons.join("; ")}`)}`),
    ),
  ];
}

const isShown = (change: Change, verbose: boolean): boolean =>
  isOwn(change) || (verbose && change.role !== "admin" && change.area === "operations");

interface Group {
  readonly about: string;
  readonly changes: Change[];
}

/** Groups changes by role and subject, in their order. The root fields of a role are one group. */
function grouped(changes: readonly Change[]): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const change of changes) {
    const { role, area, subject } = change;
    const object = area === "api" ? "root fields" : area === "role" ? "" : `${kinds[area] ?? ""}${subject}`;
    const about = [role === undefined ? "all roles" : `role ${role}`, object].filter((part) => part !== "").join(": ");
    const group = groups.get(about);
    if (group) group.changes.push(change);
    else groups.set(about, { about, changes: [change] });
  }
  return [...groups.values()];
}

/** Kinds of subjects other than tables and functions. */
const kinds: Partial<Readonly<Record<Change["area"], string>>> = {
  operations: "operation ",
  endpoints: "endpoint ",
  tools: "tool ",
  "allow-list": "operation ",
  events: "event trigger ",
  actions: "action ",
  schedules: "cron trigger ",
};

function linesOf({ verbose }: ReportStyle): (group: Group) => readonly string[] {
  return ({ about, changes }) => {
    if (!verbose) return [printable(`${about}: ${shortList(changes)}`)];
    return [printable(about), ...changes.map((change) => `  ${printable(textOf(change, valuesOf(change)))}`)];
  };
}

/** Maximum number of root fields in a short line. A tracked table alone adds more than ten. */
const maxRootFields = 6;

function shortList(changes: readonly Change[]): string {
  const shown = changes.filter(({ area }, i) => area !== "api" || i < maxRootFields);
  const hidden = changes.length - shown.length;
  return [...shown.map(shortText), ...(hidden > 0 ? [`${hidden} more (--verbose)`] : [])].join(", ");
}

function shortText(change: Change): string {
  return textOf(
    change,
    valuesOf(change)
      .map(withoutSql(change))
      .filter((value) => value !== ""),
  );
}

const valuesOf = ({ before, after }: Change): readonly string[] =>
  [before, after].filter((value) => value !== undefined);

function textOf({ area, subject, aspect, name, kind }: Change, values: readonly string[]): string {
  // The root type of a field is its subject.
  const object = [...(area === "api" ? [subject] : []), aspect, ...(name === undefined ? [] : [name])].join(" ");
  return `${signs[kind]} ${object}${values.length === 0 ? "" : `: ${values.join(" → ")}`}`;
}

/** Maximum length of a value in a short line. */
const maxValueLength = 100;

/** Aspects whose values are SQL, apart from the words of `wordsOfRows`. */
const sqlAspect = / (?:rows|check|condition|preset)$|^rows that show column$|^query$|^text$|^SQL/;
const wordsOfRows: ReadonlySet<string> = new Set(["every row", "no row", "none"]);

/** Parts of the text of a permission that contain no SQL. */
const partWithoutSql = /^(?:columns|computed fields|nested inserts|at most|aggregates)/;

function withoutSql({ area, aspect }: Change): (value: string) => string {
  if (area === "api") return () => "";
  if (aspect.endsWith(" permission")) {
    return (value) =>
      value
        .split("\n")
        .filter((part) => partWithoutSql.test(part))
        .join(", ");
  }
  if (sqlAspect.test(aspect)) return (value) => (wordsOfRows.has(value) ? value : "a condition");
  return (value) => (value.length <= maxValueLength && !value.includes("\n") ? value : "");
}
