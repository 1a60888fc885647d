/** Formats the changes of effective permissions between two versions. */
import type { Change } from "../../../compiler/access/change.ts";
import { wideningSummary } from "../../control/access.ts";
import { changeReport } from "../dev/change-report.ts";
import { accessSummary, codeSpan, roleSections } from "../diff/markdown.ts";
import type { AccessFormat } from "../project/choices.ts";
import type { outputColors } from "../project/output.ts";

export interface AccessComparison {
  /** Names of the versions. */
  readonly before: string;
  readonly after: string;
  readonly changes: readonly Change[];
}

export function comparisonText(
  comparison: AccessComparison,
  format: AccessFormat,
  { red, bold }: ReturnType<typeof outputColors>,
): string {
  const { changes } = comparison;
  switch (format) {
    case "json":
      return `${JSON.stringify({ format: 1, ...comparisonJson(comparison) }, null, 2)}\n`;
    case "markdown":
      return markdownText(comparison);
    case "text": {
      const lines = changeReport(changes, [], { verbose: true, red, bold });
      return `${lines.length === 0 ? "no changes" : lines.join("\n")}\n`;
    }
  }
}

export function comparisonJson({ before, after, changes }: AccessComparison) {
  return { before, after, summary: wideningSummary(changes), changes };
}

function markdownText({ before, after, changes }: AccessComparison): string {
  const title = `# Permissions from ${codeSpan(before)} to ${codeSpan(after)}`;
  if (changes.length === 0) return `${title}\n\nNo changes.\n`;
  const text = [title, "", ...accessSummary(changes), ...roleSections(changes)].join("\n");
  return `${text.replace(/\n{3,}/g, "\n\n").trimEnd()}\n`;
}

/**
 * Returns the changes of roles and their permissions, from which all others follow. Admin has no permissions.
 * @param roles default all roles
 */
export function permissionChanges(changes: readonly Change[], roles?: readonly string[]): readonly Change[] {
  const isChosen = ({ role = "" }: Change): boolean => role !== "admin" && (roles?.includes(role) ?? true);
  return changes.filter((change) => isChosen(change) && (change.area === "role" || change.area === "permissions"));
}
