/** Runs a command of a program, and reports its failure. */
import type { Command } from "commander";
import { tolerateClosedPipe } from "./closed-pipe.ts";
import { problemsOf } from "./error-problems.ts";
import { commandOutcome } from "./failure.ts";
import { flagsBehindCommand } from "./global-flags.ts";
import { commandWithJson, jsonReport } from "./json-report.ts";
import { printFailure, recorded } from "./project/output.ts";

/**
 * Parses arguments and runs their command. Sets the exit code.
 * @param words arguments of the command line, without the program
 */
export async function runCommandLine(program: Command, words: readonly string[]): Promise<void> {
  const args = flagsBehindCommand(words);
  const command = commandWithJson(program, args);
  if (command === undefined) {
    await run(program, args);
    return;
  }
  const output = await recorded(() => run(program, args));
  tolerateClosedPipe();
  process.stdout.write(jsonReport(command, Number(process.exitCode ?? 0), output));
}

async function run(program: Command, args: readonly string[]): Promise<void> {
  try {
    await program.parseAsync([...args], { from: "user" });
  } catch (error) {
    const { text, code } = commandOutcome(error);
    if (text !== undefined) printFailure(text, problemsOf(error));
    process.exitCode = code;
  }
}
