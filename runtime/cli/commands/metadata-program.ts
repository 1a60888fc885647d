/** Declares the commands and flags of `engine metadata`. Their module is loaded when one of them runs. */
import { Command, Option } from "commander";
import { tolerateClosedPipe } from "../closed-pipe.ts";
import { diffTypes, formats, verboseFlag } from "../project/choices.ts";
import type { GlobalFlags } from "../project/settings.ts";
import type { ApplyOptions, ConvertOptions, DiffOptions, ExportOptions, InconsistencyOptions } from "./metadata.ts";
import type { CodemodOptions } from "./metadata-codemod.ts";

type Commands = typeof import("./metadata.ts");

export function metadataProgram(): Command {
  const metadata = new Command("metadata").alias("md").description("manage the metadata of a project and its server");
  addTransfer(metadata);
  addDiff(metadata);
  addChanges(metadata);
  metadata.addCommand(inconsistencyProgram());
  metadata.addCommand(codemodProgram());
  return metadata;
}

function addTransfer(metadata: Command): void {
  online(metadata, "apply")
    .description("replace the server's metadata with the project's")
    .option("--dry-run", "validate the files and print the metadata, without a server")
    .option("--disallow-inconsistent-metadata", "fail without changes if the metadata is inconsistent")
    .addOption(output("print the applied metadata"))
    .action(running<[ApplyOptions]>((commands, options) => commands.applyCommand(options)));
  online(metadata, "export")
    .description("overwrite the project's metadata with the server's")
    .addOption(output("print the metadata instead of writing files"))
    .action(running<[ExportOptions]>((commands, options) => commands.exportCommand(options)));
  metadata
    .command("convert")
    .description("convert metadata between a directory and a single file, without a server")
    .argument("<from>", "metadata directory, or one JSON or YAML file")
    .argument(
      "<to>",
      "output, replaced if it exists: a file if the name ends in .json, .yaml or .yml, otherwise a directory; - or /dev/stdout: standard output",
    )
    .addOption(output("format of standard output; default yaml"))
    .action(
      running<[string, string, ConvertOptions]>((commands, from, to, options) =>
        commands.convertCommand(from, to, options),
      ),
    );
}

function addDiff(metadata: Command): void {
  online(metadata, "diff")
    .description("show the changes that the project's metadata would make on the server")
    .argument("[a]", "metadata directory or file to use instead of the project's metadata")
    .argument("[b]", "metadata directory or file to compare with [a], without a server")
    .addOption(
      new Option("--type <type>", "unified diffs by table and section, or a list of changes")
        .choices(diffTypes)
        .default("unified-yaml"),
    )
    .option("--exit-code", "exit with 1 if there are differences")
    .action(
      running<[string | undefined, string | undefined, DiffOptions]>((commands, a, b, options) =>
        commands.diffCommand(
          [a, b].filter((path) => path !== undefined),
          options,
        ),
      ),
    );
}

function addChanges(metadata: Command): void {
  online(metadata, "reload")
    .description("make the server introspect its databases and remote schemas again")
    .action(running<[GlobalFlags]>((commands, flags) => commands.reloadCommand(flags)));
  online(metadata, "clear")
    .description("delete all metadata of the server")
    .action(running<[GlobalFlags]>((commands, flags) => commands.clearCommand(flags)));
}

function inconsistencyProgram(): Command {
  const inconsistency = new Command("inconsistency")
    .alias("ic")
    .description("manage inconsistent objects, which the server cannot serve");
  offline(online(inconsistency, "list"))
    .description("print a line for each inconsistent object")
    .addOption(output("print the entries as the metadata API returns them"))
    .action(running<[InconsistencyOptions]>((commands, options) => commands.listInconsistenciesCommand(options)));
  offline(online(inconsistency, "status"))
    .description("exit with 1 if there are inconsistent objects")
    .action(running<[InconsistencyOptions]>((commands, options) => commands.inconsistencyStatusCommand(options)));
  online(inconsistency, "drop")
    .description("remove all inconsistent objects from the server's metadata")
    .action(running<[GlobalFlags]>((commands, flags) => commands.dropInconsistenciesCommand(flags)));
  return inconsistency;
}

function codemodProgram(): Command {
  const codemod = new Command("codemod").description("rewrite the metadata of a project or its server");
  online(codemod, "postgres-comments")
    .description("copy comments on tables, columns and functions of the databases into metadata without own comments")
    .option("--write", "change the metadata; without this option, only the diff is printed")
    .addOption(new Option("--server", "change the metadata of the server instead of the project's").conflicts("shape"))
    .option("--shape <file>", "saved shape of the databases, instead of the databases of the server")
    .action(async (options: CodemodOptions) => {
      tolerateClosedPipe();
      const { postgresCommentsCommand } = await import("./metadata-codemod.ts");
      process.exitCode = await postgresCommentsCommand(options);
    });
  return codemod;
}

/** Adds a command that calls a server, with the common flags. */
function online(parent: Command, name: string): Command {
  return withServerOptions(parent.command(name));
}

/** Adds the flags of `GlobalFlags`. */
export function withServerOptions(command: Command): Command {
  return (
    command
      .option("--project <directory>", "project directory, with config.yaml and .env; default the working directory")
      .option("--endpoint <url>", "URL of the server (ENGINE_GRAPHQL_ENDPOINT, default http://localhost:8080)")
      .option("--admin-secret <secret>", "admin secret of the server (ENGINE_GRAPHQL_ADMIN_SECRET)")
      .addOption(
        new Option("--header <name: value>", "header of each request, such as a token; repeatable").argParser(
          (value: string, others: readonly string[] = []) => [...others, value],
        ),
      )
      .option("--envfile <file>", "file with defaults for environment variables; default .env")
      .option("--insecure-skip-tls-verify", "accept any TLS certificate of the server")
      .option("--certificate-authority <file>", "additional certificate authority to trust")
      .option("--no-color", "disable colors")
      .option(verboseFlag, "list all locations of repeated warnings")
      // Accepted without effect, because scripts for similar tools pass them.
      .addOption(new Option("--skip-update-check").hideHelp())
      .addOption(new Option("--log-level <level>").hideHelp())
  );
}

function offline(command: Command): Command {
  return command
    .option("--metadata <path>", "check this metadata directory or file instead of the server")
    .option(
      "--shape <file>",
      "saved shape of the databases; without --metadata, checks the project's metadata; default shape.json beside the metadata",
    );
}

function output(effect: string): Option {
  return new Option("-o, --output <format>", effect).choices(formats);
}

/** Returns an action that runs a command. Commander passes arguments, options and, last, the command. */
function running<Inputs extends unknown[]>(run: (commands: Commands, ...inputs: Inputs) => Promise<number>) {
  return async (...inputs: [...Inputs, Command]): Promise<void> => {
    tolerateClosedPipe();
    const commands = await import("./metadata.ts");
    process.exitCode = await run(commands, ...(inputs.slice(0, -1) as Inputs));
  };
}
