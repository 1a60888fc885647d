/** Prints the differences of two metadata documents as unified diffs. */
import type { Format } from "../project/choices.ts";
import { outputColors, printResult } from "../project/output.ts";
import { changes, type Side, unifiedDiff } from "./metadata-diff.ts";

/** Returns false if the documents are equal. The result with `--json` is the list of changes. */
export function printUnifiedDiff(
  from: Side,
  to: Side,
  options: { readonly format: Format; readonly color?: boolean },
): boolean {
  const lines = unifiedDiff(from, to, options.format);
  const { bold, cyan, green, red } = outputColors(options);
  const paint = (line: string): string => {
    if (/^(---|\+\+\+) /.test(line)) return bold(line);
    if (line.startsWith("@@")) return cyan(line);
    if (line.startsWith("+")) return green(line);
    return line.startsWith("-") ? red(line) : line;
  };
  printResult(lines.map((line) => `${paint(line)}\n`).join(""), changes(from.document, to.document));
  return lines.length > 0;
}
