/** Runs `engine` commands of a project in this process, as a user enters them. */
import { Command } from "commander";
import { vi } from "vitest";
import { addCatalogCommands } from "../../runtime/cli/commands/catalog-commands.ts";
import { addProjectCommands } from "../../runtime/cli/commands/project-program.ts";
import { withUsageErrors } from "../../runtime/cli/failure.ts";
import { withJson } from "../../runtime/cli/json-report.ts";
import { runCommandLine } from "../../runtime/cli/run-program.ts";

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command and returns its output and exit code, as `main.ts` does. */
export async function runCommand(...args: readonly string[]): Promise<Ended> {
  const printed = { stdout: "", stderr: "" };
  const spies = (["stdout", "stderr"] as const).map((stream) =>
    vi.spyOn(process[stream], "write").mockImplementation((text) => {
      printed[stream] += String(text);
      return true;
    }),
  );
  const before = process.exitCode;
  process.exitCode = 0;
  try {
    const program = new Command("engine").enablePositionalOptions();
    addProjectCommands(program);
    addCatalogCommands(program);
    await runCommandLine(withUsageErrors(withJson(program)), args);
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  const code = Number(process.exitCode);
  process.exitCode = before;
  return { code, ...printed };
}
