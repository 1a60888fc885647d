/** A report → JSON for programs. */
import { type Report, widening } from "./compare-sides.ts";

export function jsonReport(report: Report): string {
  const marked = widening(report);
  const count = (effect: string) => marked.filter((change) => change.effect === effect).length;
  const summary = { widens: count("widens"), mayWiden: count("may widen") };
  const { before, after, changes, modules } = report;
  return `${JSON.stringify({ format: 1, before, after, summary, changes, modules }, null, 2)}\n`;
}
