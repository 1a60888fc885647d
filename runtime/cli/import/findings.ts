/** What an import changed, and what a person has to look at. */

import { printable } from "../project/output.ts";

export interface Finding {
  /** `todo`: could not be carried over, or not with certainty. `changed`: written otherwise than it was. */
  readonly kind: "todo" | "changed";
  /** `file:line`, or a file alone. */
  readonly place: string;
  readonly message: string;
}

/** Todos first, then changes; each of them once. */
export function findingLines(findings: readonly Finding[]): readonly string[] {
  const lines = (kind: Finding["kind"]): string[] => [
    ...new Set(
      findings
        .filter((finding) => finding.kind === kind)
        .map(({ place, message }) => printable(`${place}: ${message}`)),
    ),
  ];
  const [todos, changes] = [lines("todo"), lines("changed")];
  return [
    ...(todos.length === 0 ? [] : ["To do by hand:", ...todos.map((line) => `  ${line}`)]),
    ...(changes.length === 0 ? [] : ["Changed:", ...changes.map((line) => `  ${line}`)]),
  ];
}
