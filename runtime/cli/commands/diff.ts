/** `engine diff`: what changes for each role between two metadata directories with their Shapes, or artifacts. */
import { writeFile } from "node:fs/promises";
import { widening } from "../../control/access.ts";
import { EngineError } from "../../values/errors.ts";
import { tolerateClosedPipe } from "../closed-pipe.ts";
import { compareSides, isDifferent, type Report } from "../diff/compare-sides.ts";
import { jsonReport } from "../diff/json.ts";
import { markdownReport } from "../diff/markdown.ts";
import type { ReportFormat } from "../diff/report-formats.ts";
import { readSide, type Side } from "../diff/side.ts";
import { commandFailure } from "../failure.ts";

export interface DiffCommandOptions {
  /** Saved Shapes of both sides; unless given, `shape.json` beside each. */
  readonly shape?: string;
  /** Of one side, in place of `shape`. */
  readonly shapeA?: string;
  readonly shapeB?: string;
  readonly format: ReportFormat;
  /** A file to write in place of standard output. */
  readonly out?: string;
  /** Exit with 1 when there are differences. */
  readonly exitCode?: boolean;
  /** Exit with 3 when some role may do more, or may be able to. */
  readonly failOnWidening?: boolean;
}

/** What ends the process, as `diff` and `git diff` do it; 3 is ours. */
const exitCodes = { done: 0, different: 1, trouble: 2, widens: 3 } as const;

/** Resolves to the exit code: what goes wrong is printed here, so that it cannot be taken for a difference. */
export async function diffCommand(before: string, after: string, options: DiffCommandOptions): Promise<number> {
  try {
    const { shape, shapeA = shape, shapeB = shape } = options;
    const from = await readSide({ metadata: before, ...(shapeA !== undefined && { shape: shapeA }) });
    const to = await readSide({ metadata: after, ...(shapeB !== undefined && { shape: shapeB }) });
    if ("problems" in from || "problems" in to) return reportProblems([from, to]);
    const report = await compareSides(from, to);
    await write(options.format === "json" ? jsonReport(report) : markdownReport(report), options.out);
    return exitCode(report, options);
  } catch (error) {
    process.stderr.write(`${commandFailure(error)}\n`);
    return exitCodes.trouble;
  }
}

function exitCode(report: Report, options: DiffCommandOptions): number {
  if (options.failOnWidening === true && widening(report.changes).length > 0) return exitCodes.widens;
  return options.exitCode === true && isDifferent(report) ? exitCodes.different : exitCodes.done;
}

function reportProblems(sides: readonly (Side | { readonly problems: readonly string[] })[]): number {
  const problems = sides.flatMap((side) => ("problems" in side ? side.problems : []));
  process.stderr.write(`${problems.join("\n")}\n`);
  return exitCodes.trouble;
}

async function write(text: string, file: string | undefined): Promise<void> {
  if (file === undefined) {
    tolerateClosedPipe();
    process.stdout.write(text);
    return;
  }
  try {
    await writeFile(file, text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new EngineError("unwritable", "$", `cannot write ${file}: ${reason}`, { cause: error });
  }
}
