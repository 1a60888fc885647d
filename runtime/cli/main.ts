/** Declares the commands of `engine`. The module of a command is loaded when it runs. */
import { Argument, Command, CommanderError, Option } from "commander";
import { tolerateClosedPipe } from "./closed-pipe.ts";
import type { BuildCommandOptions } from "./commands/build.ts";
import { addCatalogCommands } from "./commands/catalog-commands.ts";
import type { CompileCommandOptions } from "./commands/compile.ts";
import type { DatabaseCheckOptions } from "./commands/database-check.ts";
import type { DiffCommandOptions } from "./commands/diff.ts";
import type { HandlersCommandOptions } from "./commands/handlers.ts";
import { withServerOptions } from "./commands/metadata-program.ts";
import { addProjectCommands } from "./commands/project-program.ts";
import type { RemoteSchemasCommandOptions } from "./commands/remote-schemas.ts";
import { withDatabaseUrl, withGlobalFlags, withServerFlags } from "./commands/server-options.ts";
import type { ShapeCommandOptions } from "./commands/shape.ts";
import { completionScript, type Shell, shells } from "./completion.ts";
import { withoutPeerProgram } from "./container-arguments.ts";
import { reportFormats } from "./diff/report-formats.ts";
import { withUsageErrors } from "./failure.ts";
import { DetailedOption, helpGroup, printTopic, topicNames, withHelp } from "./help.ts";
import { withJson } from "./json-report.ts";
import { printResult } from "./project/output.ts";
import { runCommandLine } from "./run-program.ts";
import { version } from "./version.ts";

export const program = new Command("engine")
  .description("A GraphQL and REST engine over databases, compiled from its metadata.")
  .addOption(new Option("-v, --version", "print the version").helpGroup(helpGroup))
  .on("option:version", () => {
    process.stdout.write(`${version}\n`);
    throw new CommanderError(0, "commander.version", version);
  })
  .addHelpText("after", `\nTopics of \`engine help\`: ${topicNames.join(", ")}`)
  .enablePositionalOptions();

withGlobalFlags(program);

const allowInconsistent = "leave out inconsistent objects and list them, instead of failing";

program.commandsGroup("Server:");

const start = program
  .command("start")
  .alias("serve")
  .optionsGroup("Start:")
  .description("start the server; without a database URL, `start` runs an embedded PostgreSQL and `serve` fails")
  .addOption(
    new DetailedOption(
      "--config <file>",
      "module with options, sessions and hooks; default engine.config.ts, if it exists",
      {
        brief: "module of options; default engine.config.ts",
      },
    ),
  )
  .option("--demo", "serve a sample library with three roles")
  .addOption(
    new DetailedOption(
      "--deploy",
      "before serving, deploy /engine-migrations and /engine-metadata if they exist, as the image does",
      { brief: "deploy the mounted project before serving" },
    ),
  )
  .action(async (flags: Record<string, string | boolean>) => {
    const { startCommand } = await import("./commands/start.ts");
    await startCommand(withDatabaseUrl({ ...program.opts(), ...flags }), { isServe: program.args[0] === "serve" });
  });

withServerFlags(start);

program.commandsGroup("Projects:");

addProjectCommands(program);

program.commandsGroup("Compiler and artifacts:");

program
  .command("compile")
  .description("compile metadata to TypeScript")
  .requiredOption("--metadata <path>", "metadata directory, or one JSON or YAML file")
  .option("--shape <file>", "saved shape of the databases (see `engine shape`); default shape.json beside the metadata")
  .option("--database <url>", "introspect this database instead of reading a saved shape")
  .requiredOption("--out <directory>", "output directory; generated files in it are replaced")
  .option("--client", "also write client.ts: typed documents of the saved operations, for client programs")
  .option("--allow-inconsistent", allowInconsistent)
  .action(async (options: CompileCommandOptions) => {
    const { compileCommand } = await import("./commands/compile.ts");
    process.exitCode = await compileCommand(options);
  });

program
  .command("build")
  .description("build an artifact: a server for fixed metadata, without compiler and metadata API")
  .requiredOption("--metadata <path>", "metadata directory, or one JSON or YAML file")
  .option("--shape <file>", "saved shape of the databases (see `engine shape`); default shape.json beside the metadata")
  .requiredOption("--out <directory>", "output directory; replaced as a whole")
  .option("--closed", "serve only saved operations of the allow-list and REST endpoints")
  .option(
    "--allow-literal-secrets",
    "build even if the metadata contains literal passwords or headers, which the artifact exposes to its readers",
  )
  .option("--config <file>", "configuration module to include; default engine.config.ts, if it exists")
  .option("--allow-inconsistent", allowInconsistent)
  .action(async (options: BuildCommandOptions) => {
    const { buildCommand } = await import("./commands/build.ts");
    process.exitCode = await buildCommand(options);
  });

program
  .command("verify")
  .description("check the files of an artifact against its manifest")
  .argument("<directory>", "directory of the artifact")
  .action(async (folder: string) => {
    const { verifyCommand } = await import("./commands/verify.ts");
    process.exitCode = await verifyCommand(folder);
  });

program
  .command("diff")
  .description("compare two versions of metadata or artifacts: changes for each role, and changes that widen access")
  .argument("<a>", "old version: metadata directory, one JSON or YAML file, or artifact")
  .argument("<b>", "new version: metadata directory, one JSON or YAML file, or artifact")
  .option("--shape <file>", "saved shape of the databases for both versions; default shape.json beside each")
  .option("--shape-a <file>", "saved shape for the old version")
  .option("--shape-b <file>", "saved shape for the new version")
  .addOption(new Option("--format <format>", "format of the report").choices(reportFormats).default("markdown"))
  .option("--out <file>", "output file; default standard output")
  .option("--exit-code", "exit with 1 if there are differences")
  .option("--fail-on-widening", "exit with 3 if a role gains access, or may gain access")
  .addHelpText("after", "\nExits with 0 by default, and with 2 if a version cannot be read.")
  .action(async (a: string, b: string, options: DiffCommandOptions) => {
    const { diffCommand } = await import("./commands/diff.ts");
    process.exitCode = await diffCommand(a, b, options);
  });

program
  .command("remote-schemas")
  .description("save the introspection of remote schemas, to compile and build without their servers")
  .requiredOption("--metadata <path>", "metadata directory, or one JSON or YAML file")
  .option("--out <file>", "output file; default remote-schemas.json beside the metadata")
  .action(async (options: RemoteSchemasCommandOptions) => {
    const { remoteSchemasCommand } = await import("./commands/remote-schemas.ts");
    process.exitCode = await remoteSchemasCommand(options);
  });

program
  .command("shape")
  .description("save the shape of a database (tables, columns, functions), to compile and build without it")
  .requiredOption("--database <url>", "URL of the database")
  .option("--metadata <path>", "metadata with enum tables, whose rows are part of the shape")
  .requiredOption("--out <file>", "output file")
  .action(async (options: ShapeCommandOptions) => {
    const { shapeCommand } = await import("./commands/shape.ts");
    process.exitCode = await shapeCommand(options);
  });

withServerOptions(program.command("handlers"))
  .description("write typed handlers of actions, event triggers and cron triggers, from metadata files or a server")
  .option("--out <directory>", "output directory; existing handler files are kept, only their signatures are updated")
  .option("--metadata <path>", "metadata directory, or one JSON or YAML file; default the metadata of the server")
  .option("--shape <file>", "saved shape of the databases (see `engine shape`); default shape.json beside the metadata")
  .option("--database <url>", "introspect this database instead of reading a saved shape")
  .option("--scalar <name=type...>", "TypeScript type of a custom scalar: string, number, boolean or unknown")
  .option("--watch", "keep running, and write the files again after each change")
  .option("--mock", "serve random responses of the declared types")
  .option("--port <port>", "port of the mock server; 0: any free port", "8090")
  .option("--seed <text>", "seed of the random responses", "1")
  .action(async (options: HandlersCommandOptions) => {
    const { handlersCommand } = await import("./commands/handlers.ts");
    process.exitCode = await handlersCommand(options);
  });

program.commandsGroup("Databases:");

program
  .command("database")
  .description("check whether a database server supports the statements of the engine")
  .command("check")
  .description("run all statements of the engine's tests in a database of their own, which is dropped afterwards")
  .addOption(
    new Option(
      "--url <url>",
      "URL of the server: postgres://user:password@host/postgres, or mssql://user:password@host; with the name of an empty database if the user may not create one",
    )
      .env("ENGINE_CHECK_URL")
      .makeOptionMandatory(),
  )
  .option("--only <names...>", "run only these suites or cases, for example types query/by-key")
  .option(
    "--out <file>",
    "result file, to attach to reports: no data, no addresses and no secrets",
    "database-check.json",
  )
  .option("--junit <file>", "also write the results as JUnit XML")
  .action(async (options: DatabaseCheckOptions) => {
    const { databaseCheckCommand } = await import("./commands/database-check.ts");
    process.exitCode = await databaseCheckCommand(options);
  });

program.commandsGroup("Metadata database:");

addCatalogCommands(program);

program.commandsGroup("More:");

program
  .helpCommand(false)
  .command("help")
  .description("print the help of a command, or a page about a topic")
  .argument("[topic...]", `command, or one of ${topicNames.join(", ")}`)
  .action((names: readonly string[]) => printTopic(program, names));

program
  .command("completion")
  .description("print the script that completes commands and options in a shell")
  .addArgument(new Argument("<shell>", "shell that runs the script").choices(shells))
  .action((shell: Shell) => {
    tolerateClosedPipe();
    process.stdout.write(completionScript(shell, program));
  });

program
  .command("version")
  .description("print the version")
  .action(() => {
    printResult(`engine ${version}\n`, { version });
  });

withHelp(withUsageErrors(withJson(program)));

/**
 * Runs the command of the arguments. Sets the exit code.
 * @param words arguments of the command line, without the program
 */
export const runProgram = (words: readonly string[]): Promise<void> =>
  runCommandLine(program, withoutPeerProgram(words));
