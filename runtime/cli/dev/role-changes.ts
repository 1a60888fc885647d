/** What changes for each role → lines for a terminal. */
import type { Change } from "../../../compiler/access/change.ts";
import type { BrokenOperation } from "../plan/broken-operations.ts";
import { printable } from "../project/output.ts";

const signs: Readonly<Record<Change["kind"], string>> = { added: "+", removed: "-", changed: "~" };

/** Admin may do everything, and the API and SQL follow from permissions. */
function isShown({ role, area }: Change): boolean {
  return role !== "admin" && !["api", "operations", "other"].includes(area);
}

export function roleChangeLines(changes: readonly Change[], broken: readonly BrokenOperation[]): readonly string[] {
  const shown = changes.filter(isShown);
  const roles = [...new Set(shown.map(({ role }) => role))].sort();
  const lines = roles.flatMap((role) => [
    role === undefined ? "all roles" : `role ${printable(role)}`,
    ...shown.filter((change) => change.role === role).map((change) => `  ${lineOf(change)}`),
  ]);
  const faults = broken.map(
    ({ collection, name, role, reasons }) =>
      `broken: ${collection}.${name} for role ${role}: ${printable(reasons.join("; "))}`,
  );
  return [...lines, ...faults];
}

function lineOf({ area, subject, aspect, name, kind, before, after, effect }: Change): string {
  const what = name === undefined ? aspect : `${aspect} ${name}`;
  const values = [before, after].filter((value) => value !== undefined).map(printable);
  const shown = values.length === 0 ? "" : `: ${values.join(" → ")}`;
  const mark = effect === "widens" || effect === "may widen" ? ` (${effect})` : "";
  const place = area === "role" || subject === "" ? "" : `${subject}: `;
  return printable(`${signs[kind]} ${place}${what}${shown}${mark}`);
}
