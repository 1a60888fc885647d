/** `engine diff`: compares two metadata directories with their Shapes, or two artifacts, role by role. */

import { writeFile } from "node:fs/promises";
import { widening, wideningSummary } from "../../control/access.ts";
import { EngineError } from "../../values/errors.ts";
import { messageOf } from "../../values/message-of.ts";
import { tolerateClosedPipe } from "../closed-pipe.ts";
import { compareSides, isDifferent, type Report } from "../diff/compare-sides.ts";
import { markdownReport } from "../diff/markdown.ts";
import type { ReportFormat } from "../diff/report-formats.ts";
import { schemaCoordinate } from "../diff/schema-coordinate.ts";
import { readSide, type Side } from "../diff/side.ts";
import { problemsOf } from "../error-problems.ts";
import { exitCodes } from "../exit-codes.ts";
import { commandFailure } from "../failure.ts";
import type { Problem } from "../problem.ts";
import { printFailure, printProblems, printResult, recordResult } from "../project/output.ts";

export interface DiffCommandOptions {
  /** Saved Shapes of both sides; default `shape.json` beside each. */
  readonly shape?: string;
  /** Saved Shapes of the first side, instead of `shape`. */
  readonly shapeA?: string;
  readonly shapeB?: string;
  readonly format: ReportFormat;
  /** File to write; default standard output. */
  readonly out?: string;
  /** If true, exits with 1 when there are differences. */
  readonly exitCode?: boolean;
  /** If true, exits with 3 when a role gains or may gain access. */
  readonly failOnWidening?: boolean;
}

/** Resolves to the exit code. Prints errors and resolves to 2 for them, because 1 would mean a difference. */
export async function diffCommand(before: string, after: string, options: DiffCommandOptions): Promise<number> {
  try {
    const { shape, shapeA = shape, shapeB = shape } = options;
    const from = await readSide({ metadata: before, ...(shapeA !== undefined && { shape: shapeA }) });
    const to = await readSide({ metadata: after, ...(shapeB !== undefined && { shape: shapeB }) });
    if ("problems" in from || "problems" in to) return reportProblems([from, to]);
    const report = await compareSides(from, to);
    await write(options.format === "json" ? jsonReport(report) : markdownReport(report), report, options.out);
    return exitCode(report, options);
  } catch (error) {
    printFailure(commandFailure(error), problemsOf(error));
    return exitCodes.unreadable;
  }
}

function exitCode(report: Report, options: DiffCommandOptions): number {
  if (options.failOnWidening === true && widening(report.changes).length > 0) return exitCodes.widens;
  return options.exitCode === true && isDifferent(report) ? exitCodes.different : exitCodes.done;
}

function reportProblems(sides: readonly (Side | { readonly problems: readonly Problem[] })[]): number {
  const problems = sides.flatMap((side) => ("problems" in side ? side.problems : []));
  printProblems(problems);
  return exitCodes.unreadable;
}

async function write(text: string, report: Report, file: string | undefined): Promise<void> {
  if (file === undefined) {
    tolerateClosedPipe();
    printResult(text, reportMembers(report));
    return;
  }
  recordResult(reportMembers(report));
  try {
    await writeFile(file, text);
  } catch (error) {
    const reason = messageOf(error);
    throw new EngineError("unwritable", "$", `cannot write ${file}: ${reason}`, { cause: error });
  }
}

export function jsonReport(report: Report): string {
  return `${JSON.stringify({ format: 1, ...reportMembers(report) }, null, 2)}\n`;
}

function reportMembers({ before, after, changes, modules }: Report) {
  const located = changes.map((change) => {
    const coordinate = schemaCoordinate(change);
    return coordinate === undefined ? change : { ...change, coordinate };
  });
  return { before, after, summary: wideningSummary(changes), changes: located, modules };
}
