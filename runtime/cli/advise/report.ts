/** The report of `engine advise`, as text and as JSON. */
import type picocolors from "picocolors";
import { type Advice, type Finding, type Severity, severities } from "../../../compiler/advice/model.ts";
import type { Location } from "../../metadata-text/locations.ts";
import { visible } from "../diff/markdown.ts";
import { printable } from "../project/output.ts";
import { type Exception, withExceptions } from "./exceptions.ts";

/** A finding with its location in a file, if known. */
export interface Reported extends Finding {
  readonly location?: Location;
}

export interface AdviceReport {
  readonly findings: readonly Reported[];
  /** Findings with an exception. */
  readonly accepted: readonly (Reported & { readonly exception: string })[];
  readonly skipped: Advice["skipped"];
}

/** The rule of exceptions that match no finding. */
export const staleRule = {
  id: "stale-exception",
  title: "Exception without a finding",
  about: "An exception in advice.yaml matches no finding.",
  severity: "warning",
} as const;

/** @param locate returns the location of a JSONPath in the metadata */
export function adviceReport(
  advice: Advice,
  exceptions: readonly Exception[],
  locate: (path: string) => Location | undefined,
): AdviceReport {
  const { open, accepted, stale } = withExceptions(advice, exceptions);
  const located = (finding: Finding): Reported => {
    const location = locate(finding.path);
    return { ...finding, ...(location && { location }) };
  };
  return {
    findings: [...open.map(located), ...stale.map(staleFinding)],
    accepted: accepted.map(({ finding, exception: { reason } }) => ({ ...located(finding), exception: reason })),
    skipped: advice.skipped,
  };
}

function staleFinding({ rule, place, location }: Exception): Reported {
  return {
    rule: staleRule.id,
    severity: staleRule.severity,
    place,
    path: "$",
    reason: `no finding of ${rule} is at this place, so its exception has no effect`,
    fix: "remove the exception, or correct its place",
    ...(location && { location }),
  };
}

/** Returns true if a finding has this severity or a higher one. */
export function hasSeverity({ findings }: AdviceReport, least: Severity): boolean {
  const counted = severities.slice(0, severities.indexOf(least) + 1);
  return findings.some(({ severity }) => counted.includes(severity));
}

type Colors = ReturnType<typeof picocolors.createColors>;

/** Returns a block for each finding, and their numbers. */
export function adviceText(report: AdviceReport, colors: Colors): string {
  const color = { error: colors.red, warning: colors.yellow, note: colors.cyan };
  const blocks = report.findings.map(({ rule, severity, place, path, location, reason, fix }) =>
    [
      `${color[severity](severity)} ${rule}: ${shown(reason)}`,
      `  at     ${shown(location ? locationText(location) : path)}`,
      `  place  ${shown(place)}`,
      `  fix    ${shown(fix)}`,
      "",
    ].join("\n"),
  );
  const notChecked = report.skipped.map(({ rule, reason }) => `not checked: ${rule}: ${shown(reason)}`);
  return [...blocks, ...notChecked, summaryText(report), ""].join("\n");
}

const locationText = ({ file, line, column }: Location): string => `${file}:${line}:${column}`;

/** Names come from databases and other authors. */
const shown = (text: string): string => visible(printable(text));

function summaryText({ findings, accepted }: AdviceReport): string {
  const counts = Object.entries(countsOf(findings)).map(([severity, count]) => counted(count, severity));
  const excepted = accepted.length === 0 ? [] : [`${counted(accepted.length, "finding")} with an exception`];
  return [...counts, ...excepted].join(", ");
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

function countsOf(findings: readonly Finding[]): Readonly<Record<Severity, number>> {
  const count = (severity: Severity) => findings.filter((finding) => finding.severity === severity).length;
  return { error: count("error"), warning: count("warning"), note: count("note") };
}

export function adviceJson(report: AdviceReport): string {
  return `${JSON.stringify({ format: 1, ...adviceMembers(report) }, null, 2)}\n`;
}

export function adviceMembers({ findings, accepted, skipped }: AdviceReport) {
  return { summary: countsOf(findings), findings, accepted, skipped };
}
