/** Commands of `engine` for a project as a user types them, in this process. */
import { Command } from "commander";
import { vi } from "vitest";
import { addProjectCommands } from "../../runtime/cli/commands/project-program.ts";
import { commandFailure } from "../../runtime/cli/failure.ts";

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** What the command prints and its exit code, as `main.ts` has them. */
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
    const program = new Command("engine").exitOverride();
    addProjectCommands(program);
    await program.parseAsync([...args], { from: "user" });
  } catch (error) {
    printed.stderr += `${commandFailure(error)}\n`;
    process.exitCode = 1;
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  const code = Number(process.exitCode);
  process.exitCode = before;
  return { code, ...printed };
}
