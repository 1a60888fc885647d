/** Declares the commands that work on a project's files and its server. */
import { Command, Option } from "commander";
import { tolerateClosedPipe } from "../closed-pipe.ts";
import {
  accessFormats,
  adviceFormats,
  adviceSeverities,
  documentModes,
  enforcedSections,
  explanationFormats,
  rootOperations,
  tableOperations,
  testReporters,
  verboseFlag,
} from "../project/choices.ts";
import type { AccessCommandOptions } from "./access.ts";
import type { AdviseOptions } from "./advise.ts";
import type { CheckCommandOptions } from "./check.ts";
import type { ClientCommandOptions } from "./client.ts";
import type { ConsoleOptions } from "./console.ts";
import type { DeployOptions } from "./deploy.ts";
import type { PlanOptions } from "./deploy-plan.ts";
import type { DevOptions } from "./dev.ts";
import type { ImportFlags } from "./import-environment.ts";
import { initProgram } from "./init-program.ts";
import type { McpCommandOptions } from "./mcp.ts";
import { metadataProgram, withServerOptions } from "./metadata-program.ts";
import { migrateProgram, withDatabases, withLock } from "./migrate-program.ts";
import type { PsqlOptions } from "./psql.ts";
import type { ApplySeedsOptions, CreateSeedOptions } from "./seed.ts";
import type { TestCommandOptions } from "./test.ts";
import type { WhyOptions } from "./why.ts";

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
  program
    .command("test")
    .description("run the permission tests of a project, each in a transaction that is rolled back")
    .option("--project <directory>", "project directory, with config.yaml and .env; default the working directory")
    .option("--envfile <file>", "file with defaults for environment variables; default .env")
    .option(
      "--database <url>",
      "PostgreSQL server for the databases of the tests, which are dropped afterwards; default an embedded one",
    )
    .option("--filter <text>", "run only cases whose name, file or session contains this text")
    .addOption(new Option("--reporter <reporter>", "form of the output").choices(testReporters).default("text"))
    .option("--update", "write the received results into the files as expected ones")
    .option("--mutate", "change permissions, one part at a time, and list the changes that no test notices")
    .addOption(
      new Option("--generate", "write tests of all permissions, with rows on both sides of their conditions").conflicts(
        ["filter", "update", "watch"],
      ),
    )
    .option("--overwrite", "with --generate, replace generated files even if they were edited")
    .option("--watch", "keep running, and run the tests again after each change")
    .action(async (options: TestCommandOptions) => {
      const { testCommand } = await import("./test.ts");
      process.exitCode = await testCommand(options);
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
    .option("--drop-unlisted", "at the start, drop metadata that only the server has without confirmation")
    .option("--run <command>", "run this command beside the server, for example the program of the handlers")
    .addHelpText("after", "\nIf the endpoint is on localhost and no server is reachable there, it starts one.")
    .action(async (options: DevOptions) => {
      const { devCommand } = await import("./dev.ts");
      process.exitCode = await devCommand(options);
    });
  withServerOptions(program.command("access"))
    .description("print the effective permissions of roles, with inherited ones, or their changes between two versions")
    .argument("[version]", "metadata directory, one JSON or YAML file, or artifact; default the project's server")
    .argument("[other]", "later version: prints the changes of permissions")
    .option("--as-of <version>", "print the changes since this version of the server's metadata")
    .option("--to <version>", "with --as-of: last version of the server's metadata to compare; default the current one")
    .option("--fail-on-widening", "for changes: exit with 3 if a role gains access, or may gain access")
    .option("--role <names...>", "roles; default all roles except admin")
    .option("--shape <file>", "saved shape of the databases of a version; default shape.json beside the metadata")
    .addOption(new Option("--format <format>", "format of the output").choices(accessFormats).default("text"))
    .action(async (version: string | undefined, other: string | undefined, options: AccessCommandOptions) => {
      const { accessCommand } = await import("./access.ts");
      process.exitCode = await accessCommand(version, other, options);
    });
  withServerOptions(program.command("advise"))
    .description("review permissions, API limits and indexes, and explain each finding")
    .argument("[metadata]", "metadata directory, or one JSON or YAML file; default the project's server")
    .option("--shape <file>", "saved shape of the databases of metadata files; default shape.json beside the metadata")
    .option("--database <url>", "introspect this database instead of reading a saved shape")
    .option("--unauthorized-role <role>", "role of requests without credentials; default the setting of the server")
    .option("--no-unauthorized-role", "the server refuses requests without credentials")
    .addOption(
      new Option("--fail-on <severity>", "exit with 3 if there are findings of this severity or a higher one").choices(
        adviceSeverities,
      ),
    )
    .addOption(new Option("--format <format>", "format of the output").choices(adviceFormats).default("text"))
    .action(async (metadata: string | undefined, options: AdviseOptions) => {
      const { adviseCommand } = await import("./advise.ts");
      process.exitCode = await adviseCommand(metadata, options);
    });
  withServerOptions(program.command("why"))
    .description("explain whether a role may do something, and why")
    .argument("<role>", "role of the request")
    .argument("[table]", "table or view; alternative to --field and --query")
    .addOption(
      new Option("--operation <operation>", "operation on the table").choices(tableOperations).default("select"),
    )
    .option("--source <name>", "source with the table", "default")
    .option("--columns <names...>", "columns, computed fields and relationships to read")
    .option("--row <column=value...>", "key of a row: evaluates the row filter for it, for example --row id=7")
    .option("--values <column=value...>", "values to write: evaluates the check of an insert or update permission")
    .option("--field <name>", "root field of the schema, for example loan_by_pk")
    .addOption(new Option("--field-of <operation>", "operation that has the root field").choices(rootOperations))
    .option("--argument <path>", "argument of the root field, or a member of it, for example where.book")
    .option("--query <file>", "GraphQL document of a request; - for standard input")
    .option("--variables <json>", "variables of the request")
    .option("--session <name=value...>", "session variables, with or without x-engine-")
    .option("--backend", "explain a request that may use backend-only permissions")
    .option("--metadata <path>", "metadata directory, one JSON or YAML file, or artifact; default the project's server")
    .option("--shape <file>", "saved shape of the databases of --metadata; default shape.json beside it")
    .addOption(new Option("--format <format>", "format of the output").choices(explanationFormats).default("text"))
    .action(async (role: string, table: string | undefined, options: WhyOptions) => {
      const { whyCommand } = await import("./why.ts");
      process.exitCode = await whyCommand(role, table, options);
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
  withServerOptions(program.command("mcp"))
    .description("serve tools to an assistant on this machine, over standard input and output")
    .argument("[artifact]", "directory of an artifact to run; default the tools of the project's server")
    .option("--role <role>", "role of the assistant; required for an artifact")
    .action(async (artifact: string | undefined, options: McpCommandOptions) => {
      const { mcpCommand } = await import("./mcp.ts");
      process.exitCode = await mcpCommand(artifact, options);
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
