/** Changes of an import, and manual steps. */

import { printable } from "../project/output.ts";

export interface Finding {
  /** `todo`: needs a manual check or change. `changed`: was translated. */
  readonly kind: "todo" | "changed";
  /** `file:line`, or only the file. */
  readonly place: string;
  readonly message: string;
}

/** Lists todos, then changes, without duplicates. */
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
    ...(todos.length === 0 ? [] : ["Manual steps:", ...todos.map((line) => `  ${line}`)]),
    ...(changes.length === 0 ? [] : ["Changed:", ...changes.map((line) => `  ${line}`)]),
  ];
}
