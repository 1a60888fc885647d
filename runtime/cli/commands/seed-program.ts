/** `engine seed` as the command line declares it. Loads the commands when one of them runs. */
import { Command } from "commander";
import { tolerateClosedPipe } from "../closed-pipe.ts";
import { withServerOptions } from "./metadata-program.ts";
import { withDatabases } from "./migrate-program.ts";
import type { ApplySeedsOptions, CreateSeedOptions } from "./seed.ts";

export function seedProgram(): Command {
  const seed = new Command("seed").description("rows of a project for its databases");
  withDatabases(withServerOptions(seed.command("apply")))
    .description("run the SQL of seeds, in the order of their names; they are not remembered")
    .option("-f, --file <name...>", "only these files")
    .action(async (options: ApplySeedsOptions) => run((commands) => commands.applySeedsCommand(options)));
  withServerOptions(seed.command("create"))
    .description("make the file of a seed, and print its path")
    .argument("<name>", "what it holds")
    .option("--database-name <name>", "the source", "default")
    .option("--from-table <table...>", "with the rows that the server's table has")
    .action(async (name: string, options: CreateSeedOptions) =>
      run((commands) => commands.createSeedCommand(name, options)),
    );
  return seed;
}

async function run(command: (commands: typeof import("./seed.ts")) => Promise<number>): Promise<void> {
  tolerateClosedPipe();
  process.exitCode = await command(await import("./seed.ts"));
}
