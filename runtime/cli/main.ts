#!/usr/bin/env node
/** The command `engine`: reads the command line and calls the command's module, which is loaded only then. */
import { Command, Option } from "commander";
import type { BuildCommandOptions } from "./commands/build.ts";
import { addCatalogCommands } from "./commands/catalog-commands.ts";
import type { CompileCommandOptions } from "./commands/compile.ts";
import type { DiffCommandOptions } from "./commands/diff.ts";
import type { HandlersCommandOptions } from "./commands/handlers.ts";
import { withServerOptions } from "./commands/metadata-program.ts";
import { addProjectCommands } from "./commands/project-program.ts";
import type { RemoteSchemasCommandOptions } from "./commands/remote-schemas.ts";
import { withDatabaseUrl, withGlobalFlags, withServerFlags, withUrlPartFlags } from "./commands/server-options.ts";
import type { ShapeCommandOptions } from "./commands/shape.ts";
import { withoutPeerProgram } from "./container-words.ts";
import { reportFormats } from "./diff/report-formats.ts";
import { commandFailure } from "./failure.ts";
import { flagsBehindCommand } from "./global-flags.ts";
import { version } from "./version.ts";

const program = new Command("engine")
  .description("A GraphQL and REST engine over databases, compiled from its metadata.")
  .version(version, "-v, --version")
  .showHelpAfterError("(--help after the command lists what it takes)")
  .enablePositionalOptions();

withGlobalFlags(program);

const allowInconsistent = "leave out what is inconsistent, and list it, instead of writing nothing";

const start = program
  .command("start")
  .alias("serve")
  .description("run the server; without a database URL on an embedded PostgreSQL, which `serve` never does")
  .option("--config <file>", "code that sets options, sessions and hooks; default engine.config.ts, where there is one")
  .option("--demo", "serve the sample library: tables, rows and three roles to try queries with")
  .option("--deploy", "first deploy /engine-migrations and /engine-metadata where they are, as the image does")
  .action(async (flags: Record<string, string | boolean>) => {
    const { startCommand } = await import("./commands/start.ts");
    await startCommand(withDatabaseUrl({ ...program.opts(), ...flags }), { isServe: program.args[0] === "serve" });
  });

withUrlPartFlags(withServerFlags(start));

program
  .command("compile")
  .description("write the generated code of a metadata snapshot")
  .requiredOption("--metadata <path>", "metadata directory, or one JSON or YAML file")
  .option("--shape <file>", "saved shape of the databases, see `engine shape`")
  .option("--database <url>", "introspect this database instead of reading a shape")
  .requiredOption("--out <directory>", "where to write; replaced as a whole")
  .option("--client", "also write client.ts: typed documents of the saved operations, for programs that ask them")
  .option("--allow-inconsistent", allowInconsistent)
  .action(async (options: CompileCommandOptions) => {
    const { compileCommand } = await import("./commands/compile.ts");
    process.exitCode = await compileCommand(options);
  });

program
  .command("build")
  .description("build an artifact that serves a metadata snapshot: without a compiler, without a metadata API")
  .requiredOption("--metadata <path>", "metadata directory, or one JSON or YAML file")
  .option("--shape <file>", "saved shape of the databases, see `engine shape`")
  .requiredOption("--out <directory>", "where to write; replaced as a whole")
  .option("--closed", "serve only saved operations of the allow-list and REST endpoints")
  .option(
    "--allow-literal-secrets",
    "build even if the metadata holds passwords or headers that everybody can read then",
  )
  .option("--config <file>", "code to build in; default engine.config.ts, where there is one")
  .option("--allow-inconsistent", allowInconsistent)
  .action(async (options: BuildCommandOptions) => {
    const { buildCommand } = await import("./commands/build.ts");
    process.exitCode = await buildCommand(options);
  });

program
  .command("verify")
  .description("check that an artifact is as it was built")
  .argument("<directory>", "the artifact")
  .action(async (folder: string) => {
    const { verifyCommand } = await import("./commands/verify.ts");
    process.exitCode = await verifyCommand(folder);
  });

program
  .command("diff")
  .description("what changes for each role, and what widens access, between metadata or artifacts")
  .argument("<a>", "metadata directory, one JSON or YAML file, or an artifact")
  .argument("<b>", "what it is compared with, of either kind")
  .option("--shape <file>", "saved shape of the databases of both; default shape.json beside each")
  .option("--shape-a <file>", "of the first")
  .option("--shape-b <file>", "of the second")
  .addOption(
    new Option("--format <format>", "for a pull request, or for programs").choices(reportFormats).default("markdown"),
  )
  .option("--out <file>", "where to write instead of standard output")
  .option("--exit-code", "exit with 1 when there are differences")
  .option("--fail-on-widening", "exit with 3 when a role may do more, or when that cannot be told")
  .addHelpText("after", "\nExits with 0, or with 2 when one of the two cannot be read.")
  .action(async (a: string, b: string, options: DiffCommandOptions) => {
    const { diffCommand } = await import("./commands/diff.ts");
    process.exitCode = await diffCommand(a, b, options);
  });

program
  .command("remote-schemas")
  .description("save what the servers of remote schemas offer, to compile and build without them")
  .requiredOption("--metadata <path>", "metadata directory, or one JSON or YAML file")
  .option("--out <file>", "file to write; default remote-schemas.json beside the metadata")
  .action(async (options: RemoteSchemasCommandOptions) => {
    const { remoteSchemasCommand } = await import("./commands/remote-schemas.ts");
    process.exitCode = await remoteSchemasCommand(options);
  });

program
  .command("shape")
  .description("save what introspection finds in a database, to keep beside the metadata")
  .requiredOption("--database <url>", "the database")
  .option("--metadata <path>", "metadata whose enum tables are read, too: their rows are part of a shape")
  .requiredOption("--out <file>", "where to write")
  .action(async (options: ShapeCommandOptions) => {
    const { shapeCommand } = await import("./commands/shape.ts");
    process.exitCode = await shapeCommand(options);
  });

withServerOptions(program.command("handlers"))
  .description("write typed handlers of actions, event triggers and cron triggers, for metadata or a running server")
  .option("--out <directory>", "where to write; files of handlers are yours, and kept")
  .option("--metadata <path>", "metadata directory, or one JSON or YAML file, instead of asking a server")
  .option("--shape <file>", "saved shape of the databases, see `engine shape`; default shape.json beside the metadata")
  .option("--database <url>", "introspect this database instead of reading a shape")
  .option("--scalar <name=type...>", "what values of a custom scalar are: string, number, boolean or unknown")
  .option("--watch", "go on, and write again after each change")
  .option("--mock", "serve made-up answers of the right types")
  .option("--port <port>", "of the mock server; 0: any", "8090")
  .option("--seed <text>", "other made-up answers", "1")
  .action(async (options: HandlersCommandOptions) => {
    const { handlersCommand } = await import("./commands/handlers.ts");
    process.exitCode = await handlersCommand(options);
  });

addCatalogCommands(program);

addProjectCommands(program);

program
  .command("version")
  .description("print the version")
  .action(() => console.log(`engine ${version}`));

try {
  const words = flagsBehindCommand(withoutPeerProgram(process.argv.slice(2)));
  await program.parseAsync(words, { from: "user" });
} catch (error) {
  console.error(commandFailure(error));
  process.exitCode = 1;
}
