/** A report → JSON for programs. */
import { wideningSummary } from "../../control/access.ts";
import type { Report } from "./compare-sides.ts";

export function jsonReport(report: Report): string {
  const { before, after, changes, modules } = report;
  const summary = wideningSummary(changes);
  return `${JSON.stringify({ format: 1, before, after, summary, changes, modules }, null, 2)}\n`;
}
