/** `engine migrate` as the command line declares it. Loads the commands when one of them runs. */
import { Command, Option } from "commander";
import { tolerateClosedPipe } from "../closed-pipe.ts";
import { formats } from "../project/choices.ts";
import { withServerOptions } from "./metadata-program.ts";
import type { ApplyOptions, CreateOptions, DeleteOptions, SquashOptions, StatusOptions } from "./migrate.ts";

export function migrateProgram(): Command {
  const migrate = new Command("migrate").description("SQL of a project, and which of it the server's databases have");
  addApply(migrate);
  addStatus(migrate);
  addFiles(migrate);
  return migrate;
}

function addApply(migrate: Command): void {
  withLock(withDatabases(withServerOptions(migrate.command("apply"))))
    .description("run the migrations that the server does not have; each file in one transaction")
    .option("--up <n>", "only the next n")
    .option("--down <n>", "take back the last n")
    .option("--goto <version>", "apply or take back, up to this version; 0: take back all")
    .option("--version <version>", "only this one")
    .addOption(new Option("--type <direction>", "of --version; default up").choices(["up", "down"]))
    .option("--skip-execution", "run nothing, only mark")
    .option("--dry-run", "only print what would be done")
    .option("--no-transaction", "statement by statement: a failure leaves what came before it")
    .action(async (options: ApplyOptions) => run((commands) => commands.applyMigrationsCommand(options)));
}

function addStatus(migrate: Command): void {
  withDatabases(withServerOptions(migrate.command("status")))
    .description("which migrations files and databases have")
    .addOption(new Option("-o, --output <format>", "for programs").choices(formats))
    .action(async (options: StatusOptions) => run((commands) => commands.migrationStatusCommand(options)));
}

function addFiles(migrate: Command): void {
  withDatabase(withServerOptions(migrate.command("create")))
    .description("make the files of a migration, and print its version")
    .argument("<name>", "what it does")
    .option("--from-server", "with the schema of the server's database")
    .option("--schema <names>", "what --from-server dumps, with commas between; default public")
    .option("--sql-from-file <file>", "with the SQL of this file")
    .option("--up-sql <sql>", "with this SQL")
    .option("--down-sql <sql>", "with this SQL to take it back")
    .action(async (name: string, options: CreateOptions) =>
      run((commands) => commands.createMigrationCommand(name, options)),
    );
  withDatabase(withServerOptions(migrate.command("squash")))
    .description("make one migration of several, without a server")
    .requiredOption("--from <version>", "the first one")
    .option("--to <version>", "the last one; default the last of the files")
    .option("--name <name>", "of the result", "squashed")
    .option("--delete-source", "delete the files of those that it stands for")
    .action(async (options: SquashOptions) => run((commands) => commands.squashMigrationsCommand(options)));
  withLock(withDatabase(withServerOptions(migrate.command("delete"))))
    .description("forget migrations: their files, and that the server has them; databases stay as they are")
    .option("--all", "all of the database")
    .option("--version <version>", "this one")
    .option("--server", "only on the server; files stay")
    .option("--force", "do not ask")
    .action(async (options: DeleteOptions) => run((commands) => commands.deleteMigrationsCommand(options)));
}

function withDatabase(command: Command): Command {
  return command.option("--database-name <name>", "the source; may be left out when there is one only");
}

/** Also used by other commands that run SQL of a project. */
export function withDatabases(command: Command): Command {
  return withDatabase(command).option("--all-databases", "all that have a folder");
}

export function withLock(command: Command): Command {
  return command.option("--lock-timeout <seconds>", "how long to wait while another tool is at work", "600");
}

async function run(command: (commands: typeof import("./migrate.ts")) => Promise<number>): Promise<void> {
  tolerateClosedPipe();
  process.exitCode = await command(await import("./migrate.ts"));
}
