/** Declares the commands that work on a project's files and its server. */
import { Command, Option } from "commander";
import { tolerateClosedPipe } from "../closed-pipe.ts";
import { accessFormats, documentModes, enforcedSections, verboseFlag } from "../project/choices.ts";
import type { AccessCommandOptions } from "./access.ts";
import type { CheckCommandOptions } from "./check.ts";
import type { ClientCommandOptions } from "./client.ts";
import type { ConsoleOptions } from "./console.ts";
import type { DeployOptions } from "./deploy.ts";
import type { PlanOptions } from "./deploy-plan.ts";
import type { DevOptions } from "./dev.ts";
import type { ImportFlags } from "./import-environment.ts";
import { initProgram } from "./init-program.ts";
import { metadataProgram, withServerOptions } from "./metadata-program.ts";
import { migrateProgram, withDatabases, withLock } from "./migrate-program.ts";
import type { PsqlOptions } from "./psql.ts";
import type { ApplySeedsOptions, CreateSeedOptions } from "./seed.ts";

export function addProjectCommands(program: Command): void {
  program.addCommand(initProgram("init"));
  program
    .command("import")
    .description("import a project of the original engine, or its environment variables")
    .argument("[project]", "project directory, metadata directory, metadata file or docker-compose.yaml")
    .option(
      "-o, --out <path>",
      "directory for the new project; with --env or --compose: new file, default standard output",
    )
    .option(
      "--env [file]",
      "print the variables of this .env file as a .env file for this engine; default the environment",
    )
    .option("--compose <file>", "do the same with the variables of a service in a Compose file")
    .option("--service <name>", "service of the Compose file; default the service of the original engine")
    .addOption(
      new Option(
        "--leave-out <sections...>",
        "omit sections of the metadata that this engine enforces and that may have had no effect before",
      ).choices(enforcedSections),
    )
    .option(verboseFlag, "list all locations of repeated lines")
    .action(async (project: string | undefined, options: ImportFlags) => {
      const { importAnyCommand } = await import("./import-environment.ts");
      process.exitCode = await importAnyCommand(project, options);
    });
  withScratch(program.command("check"))
    .description("check a project without a server: metadata, permissions, migrations and seeds")
    .option("--project <directory>", "project directory, with config.yaml and .env; default the working directory")
    .option("--envfile <file>", "file with defaults for environment variables; default .env")
    .option("--shape <file>", "use this saved shape of the databases instead of running SQL")
    .option("--no-scratch", "do not run SQL; use shape.json beside the metadata as the shape of the databases")
    .option("--allow-inconsistent", "list inconsistent objects without failing")
    .option("--save-shape <file>", "save the shape of the databases, to compile and build without them")
    .option(verboseFlag, "list all locations of repeated warnings")
    .action(async (options: CheckCommandOptions) => {
      const { checkCommand } = await import("./check.ts");
      process.exitCode = await checkCommand(options);
    });
  withConsolePort(withServerOptions(program.command("console")))
    .description("open the console of a project's server, and write its changes into the project")
    .option("--no-browser", "print the address without opening a browser")
    .action(async (options: ConsoleOptions) => {
      const { consoleCommand } = await import("./console.ts");
      process.exitCode = await consoleCommand(options);
    });
  withConsolePort(withServerOptions(program.command("dev")))
    .description("apply migrations and metadata whenever they are saved, and print the changes for each role")
    .option("--no-console", "do not serve the console")
    .option("--with-seeds", "run the seeds of all databases once, after the first change is applied")
    .option("--run <command>", "run this command beside the server, for example the program of the handlers")
    .addHelpText("after", "\nIf the endpoint is on localhost and no server is reachable there, it starts one.")
    .action(async (options: DevOptions) => {
      const { devCommand } = await import("./dev.ts");
      process.exitCode = await devCommand(options);
    });
  withServerOptions(program.command("access"))
    .description("print the effective permissions of roles, with inherited ones")
    .argument("[version]", "metadata directory, one JSON or YAML file, or artifact; default the project's server")
    .option("--role <names...>", "roles; default all roles except admin")
    .option("--shape <file>", "saved shape of the databases of a version; default shape.json beside the metadata")
    .addOption(new Option("--format <format>", "format of the output").choices(accessFormats).default("text"))
    .action(async (version: string | undefined, options: AccessCommandOptions) => {
      const { accessCommand } = await import("./access.ts");
      process.exitCode = await accessCommand(version, options);
    });

  withServerOptions(program.command("psql"))
    .description("run psql on a database of the server on this machine")
    .argument("[arguments...]", "arguments of psql, such as -c 'select 1'")
    .option("--source <name>", "source of the server's metadata; default the database that the server started with")
    .option(
      "--data-dir <folder>",
      "data folder of the embedded PostgreSQL; default .data/postgres, .data or .data/demo",
    )
    .allowUnknownOption()
    .passThroughOptions()
    .addHelpText(
      "after",
      "\nThe password is passed by the environment. `--` separates arguments that are also options above.",
    )
    .action(async (args: readonly string[], options: PsqlOptions) => {
      const { psqlCommand } = await import("./psql.ts");
      process.exitCode = await psqlCommand(args, options);
    });
  withServerOptions(program.command("client"))
    .description("write the documents of a front end as TypeScript, with the types that a role sees")
    .option("--out <file>", "output file; default the modules listed under `client` in config.yaml")
    .option("--role <role>", "role of the front end; default admin")
    .option("--documents <pattern...>", "GraphQL documents of the front end, such as 'src/**/*.{graphql,ts,tsx}'")
    .addOption(
      new Option("--document-mode <mode>", "form of the documents; default documentNode").choices(documentModes),
    )
    .option("--scalar <name=type...>", "TypeScript type of a scalar: string, number, boolean or unknown")
    .option("--metadata <path>", "metadata directory, or one JSON or YAML file; default the metadata of the server")
    .option(
      "--shape <file>",
      "saved shape of the databases (see `engine shape`); default shape.json beside the metadata",
    )
    .option("--database <url>", "introspect this database instead of reading a saved shape")
    .option("--watch", "keep running, and write again after each change of documents or metadata")
    .action(async (options: ClientCommandOptions) => {
      const { clientCommand } = await import("./client.ts");
      process.exitCode = await clientCommand(options);
    });
  withScratch(withLock(withServerOptions(program.command("deploy"))))
    .description("deploy the project's databases, migrations and metadata to a server")
    .option("--with-seeds", "run the seeds of all databases afterwards")
    .option("--disallow-inconsistent-metadata", "keep the server's metadata if the project's metadata is inconsistent")
    .option("--plan", "print the changes without making them; tests migrations on scratch databases")
    .option("--against <directory>", "with --plan: compare with another version of the project, without a server")
    .option("--fail-on-widening", "with --plan: exit with 3 if a role gains access, or may gain access")
    .action(async ({ plan, ...options }: DeployOptions & PlanOptions & { readonly plan?: boolean }) => {
      const { planCommand, refusePlanFlags } = await import("./deploy-plan.ts");
      if (plan) {
        process.exitCode = await planCommand(options);
        return;
      }
      refusePlanFlags(options);
      const { deployCommand } = await import("./deploy.ts");
      process.exitCode = await deployCommand(options);
    });
  program.addCommand(metadataProgram());
  program.addCommand(migrateProgram());
  program.addCommand(seedProgram());
}

function withConsolePort(command: Command): Command {
  return command.option("--console-port <port>", "local port of the console; 0: any free port", "9695");
}

function withScratch(command: Command): Command {
  return command.option(
    "--shadow-url <url>",
    "PostgreSQL server for scratch databases, which are dropped afterwards; default an embedded one",
  );
}

function seedProgram(): Command {
  const seed = new Command("seed").description("create seeds, files with rows, and run them on the server's databases");
  withDatabases(withServerOptions(seed.command("apply")))
    .description("run seeds in the order of their names, whether or not they ran before")
    .option("-f, --file <name...>", "run only these files")
    .action(async (options: ApplySeedsOptions) => run((commands) => commands.applySeedsCommand(options)));
  withServerOptions(seed.command("create"))
    .description("create the file of a seed, and print its path")
    .argument("<name>", "name of the seed")
    .option("--database-name <name>", "name of the source", "default")
    .option("--from-table <table...>", "export the rows of these tables of the server's database")
    .action(async (name: string, options: CreateSeedOptions) =>
      run((commands) => commands.createSeedCommand(name, options)),
    );
  return seed;
}

async function run(command: (commands: typeof import("./seed.ts")) => Promise<number>): Promise<void> {
  tolerateClosedPipe();
  process.exitCode = await command(await import("./seed.ts"));
}
