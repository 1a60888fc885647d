/** Declares the commands and flags of `engine migrate`. Their module is loaded when one of them runs. */
import { Command, Option } from "commander";
import { tolerateClosedPipe } from "../closed-pipe.ts";
import { formats } from "../project/choices.ts";
import { withServerOptions } from "./metadata-program.ts";
import type { ApplyOptions, CreateOptions, DeleteOptions, SquashOptions, StatusOptions } from "./migrate.ts";

export function migrateProgram(): Command {
  const migrate = new Command("migrate").description("create migrations and apply them to the server's databases");
  addApply(migrate);
  addStatus(migrate);
  addFiles(migrate);
  return migrate;
}

function addApply(migrate: Command): void {
  withLock(withDatabases(withServerOptions(migrate.command("apply"))))
    .description("apply pending migrations, each file in one transaction")
    .option("--up <n>", "apply only the next n migrations")
    .option("--down <n>", "revert the last n migrations")
    .option("--goto <version>", "apply or revert migrations until this version is the last; 0: revert all")
    .option("--version <version>", "apply or revert only this migration")
    .addOption(new Option("--type <direction>", "direction of --version; default up").choices(["up", "down"]))
    .option("--skip-execution", "mark migrations as applied or reverted without running them")
    .option("--dry-run", "print the steps without running them")
    .option("--no-transaction", "run statements one by one; after a failure, earlier statements remain applied")
    .action(async (options: ApplyOptions) => run((commands) => commands.applyMigrationsCommand(options)));
}

function addStatus(migrate: Command): void {
  withDatabases(withServerOptions(migrate.command("status")))
    .description("list the migrations of the project's files and the server's databases")
    .addOption(new Option("-o, --output <format>", "machine-readable format").choices(formats))
    .action(async (options: StatusOptions) => run((commands) => commands.migrationStatusCommand(options)));
}

function addFiles(migrate: Command): void {
  withDatabase(withServerOptions(migrate.command("create")))
    .description("create the files of a migration, and print its version")
    .argument("<name>", "name of the migration")
    .option("--from-server", "dump the schema of the server's database as the SQL")
    .option("--schema <names>", "schemas for --from-server, comma-separated; default public")
    .option("--sql-from-file <file>", "copy the SQL from this file")
    .option("--up-sql <sql>", "SQL that applies the migration")
    .option("--down-sql <sql>", "SQL that reverts the migration")
    .action(async (name: string, options: CreateOptions) =>
      run((commands) => commands.createMigrationCommand(name, options)),
    );
  withDatabase(withServerOptions(migrate.command("squash")))
    .description("combine several migrations into one, without a server")
    .requiredOption("--from <version>", "first migration")
    .option("--to <version>", "last migration; default the last one of the files")
    .option("--name <name>", "name of the new migration", "squashed")
    .option("--delete-source", "delete the files of the combined migrations")
    .action(async (options: SquashOptions) => run((commands) => commands.squashMigrationsCommand(options)));
  withLock(withDatabase(withServerOptions(migrate.command("delete"))))
    .description("delete the files of migrations and their marks on the server, without changing databases")
    .option("--all", "delete all migrations of the database")
    .option("--version <version>", "delete this migration")
    .option("--server", "delete only the marks on the server, and keep files")
    .option("--force", "skip the confirmation prompt")
    .action(async (options: DeleteOptions) => run((commands) => commands.deleteMigrationsCommand(options)));
}

function withDatabase(command: Command): Command {
  return command.option("--database-name <name>", "name of the source; optional if there is only one");
}

/** Adds the flags that select databases. */
export function withDatabases(command: Command): Command {
  return withDatabase(command).option("--all-databases", "all databases that have a folder in the project");
}

export function withLock(command: Command): Command {
  return command.option("--lock-timeout <seconds>", "maximum wait for the lock of another tool, in seconds", "600");
}

async function run(command: (commands: typeof import("./migrate.ts")) => Promise<number>): Promise<void> {
  tolerateClosedPipe();
  process.exitCode = await command(await import("./migrate.ts"));
}
