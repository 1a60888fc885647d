/** Declares `engine export`, `clean`, `backup`, `restore` and `downgrade`. The module of a command is loaded when it runs. */
import type { Command } from "commander";
import type { Flags } from "../../config/options.ts";
import { backupParts } from "../../databases/metadata/backup/tables.ts";
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
    .description("delete the metadata and all other state in the metadata database; stop all servers first")
    .action(running((commands, flags) => commands.cleanCommand(flags)));
  const without = `leave out these parts, separated by commas: ${backupParts.join(", ")}`;
  withDatabaseFlags(program.command("backup <file>"))
    .description("write metadata, history, schedules, actions, logs and secrets in the metadata database to a file")
    .option("--without <parts>", without)
    .action(async (file: string, flags: Flags) => {
      const { backupCommand } = await import("./backup.ts");
      await backupCommand(file, withDatabaseUrl({ ...program.opts<Flags>(), ...flags }));
    });
  withDatabaseFlags(program.command("restore <file>"))
    .description("restore the file of a backup into an empty metadata database; stop all servers first")
    .option("--without <parts>", without)
    .option("--replace", "delete the metadata and all other state in the metadata database first")
    .option("--check", "only check that the file is complete and of a supported version")
    .action(async (file: string, flags: Flags) => {
      const { restoreCommand } = await import("./backup.ts");
      await restoreCommand(file, withDatabaseUrl({ ...program.opts<Flags>(), ...flags }));
    });
  const downgrade = withDatabaseFlags(program.command("downgrade"))
    .description(
      "migrate the tables of the metadata database and of event triggers back for an older version; stop all servers first",
    )
    .option("--to-catalog-version <number>", "catalog version of the older release");
  for (const release of releases.keys()) downgrade.option(`--to-v${release}`, `catalog version of release ${release}`);
  downgrade
    .option("--dryRun", "print the SQL instead of running it")
    .option("--force", "downgrade even if an instance is running")
    .option("--skip-sources", "leave the tables of event triggers in sources at their newer step")
    .action(async (flags: Flags) => {
      const { downgradeCommand } = await import("./downgrade.ts");
      await downgradeCommand(withDatabaseUrl({ ...program.opts<Flags>(), ...flags }));
    });
}
