/** `engine export`, `clean` and `downgrade` as the command line declares them. Loads their module when one runs. */
import type { Command } from "commander";
import type { Flags } from "../../config/options.ts";
import { releases } from "../../databases/metadata/releases.ts";
import { withDatabaseFlags, withDatabaseUrl } from "./server-options.ts";

type Commands = typeof import("./catalog.ts");

export function addCatalogCommands(program: Command): void {
  const running = (run: (commands: Commands, flags: Flags) => Promise<void>) => async (flags: Flags) =>
    run(await import("./catalog.ts"), withDatabaseUrl({ ...program.opts<Flags>(), ...flags }));
  withDatabaseFlags(program.command("export"))
    .description("print the metadata in the metadata database as JSON, without a server")
    .action(running((commands, flags) => commands.exportCommand(flags)));
  withDatabaseFlags(program.command("clean"))
    .description(
      "delete the metadata, and all that is kept beside it in the metadata database; stop all servers before",
    )
    .action(running((commands, flags) => commands.cleanCommand(flags)));
  const downgrade = withDatabaseFlags(program.command("downgrade"))
    .description("take the tables of the metadata database back for an older version; stop all servers before")
    .option("--to-catalog-version <number>", "the catalog version that the older version expects");
  for (const release of releases.keys()) downgrade.option(`--to-v${release}`, `what version ${release} expects`);
  downgrade
    .option("--dryRun", "print the SQL instead of running it")
    .option("--force", "go on although an instance is alive")
    .action(running((commands, flags) => commands.downgradeCommand(flags)));
}
