/** Declares `engine init`, which is also the command of the package for `npm create` (`.ci/create-package.mjs`). */
import { Command } from "commander";
import type { InitOptions } from "./init.ts";

/** @param name name of the command in its help */
export function initProgram(name: string): Command {
  return new Command(name)
    .description("create a new project from a template")
    .argument("[directory]", "project directory, which must be empty", ".")
    .option("--template <name>", "template of the project: empty, todo or multi-tenant", "todo")
    .option("--endpoint <url>", "URL of the server; default http://localhost:8080")
    .option("--admin-secret <secret>", "admin secret of the server, written to .env")
    .option("--version <version>", "version of the project format", "3")
    .action(async (directory: string, options: InitOptions) => {
      const { initCommand } = await import("./init.ts");
      process.exitCode = await initCommand(directory, options);
    });
}
