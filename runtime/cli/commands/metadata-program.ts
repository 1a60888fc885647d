/** `engine metadata` as the command line declares it: subcommands and flags. Loads a command's module when it runs. */
import { Command, Option } from "commander";
import { tolerateClosedPipe } from "../closed-pipe.ts";
import { diffTypes, formats, verboseFlag } from "../project/choices.ts";
import type { GlobalFlags } from "../project/settings.ts";
import type { ApplyOptions, ConvertOptions, DiffOptions, ExportOptions, InconsistencyOptions } from "./metadata.ts";

type Commands = typeof import("./metadata.ts");

export function metadataProgram(): Command {
  const metadata = new Command("metadata").alias("md").description("the metadata of a project and of its server");
  addTransfer(metadata);
  addDiff(metadata);
  addChanges(metadata);
  metadata.addCommand(inconsistencyProgram());
  return metadata;
}

function addTransfer(metadata: Command): void {
  online(metadata, "apply")
    .description("replace the server's metadata with the project's")
    .option("--dry-run", "check the files and print the metadata, without a server")
    .option("--disallow-inconsistent-metadata", "change nothing when something is inconsistent")
    .addOption(output("print the applied metadata"))
    .action(running<[ApplyOptions]>((commands, options) => commands.applyCommand(options)));
  online(metadata, "export")
    .description("overwrite the project's metadata with the server's")
    .addOption(output("print it instead"))
    .action(running<[ExportOptions]>((commands, options) => commands.exportCommand(options)));
  metadata
    .command("convert")
    .description("write the metadata of a directory as one file, or the other way round; without a server")
    .argument("<from>", "metadata directory, or one JSON or YAML file")
    .argument(
      "<to>",
      "replaced: a file when the name ends in .json, .yaml or .yml, otherwise a directory; /dev/stdout or -: printed",
    )
    .addOption(output("of what is printed; default yaml"))
    .action(
      running<[string, string, ConvertOptions]>((commands, from, to, options) =>
        commands.convertCommand(from, to, options),
      ),
    );
}

function addDiff(metadata: Command): void {
  online(metadata, "diff")
    .description("what the project's metadata would change on the server")
    .argument("[a]", "metadata directory or file to compare with the server instead of the project's")
    .argument("[b]", "compare [a] with this one, without a server")
    .addOption(
      new Option("--type <type>", "diffs of tables and sections, or a list of changes")
        .choices(diffTypes)
        .default("unified-yaml"),
    )
    .option("--exit-code", "exit with 1 when there are differences")
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
    .description("let the server read its databases and remote schemas again")
    .action(running<[GlobalFlags]>((commands, flags) => commands.reloadCommand(flags)));
  online(metadata, "clear")
    .description("empty the server's metadata")
    .action(running<[GlobalFlags]>((commands, flags) => commands.clearCommand(flags)));
}

function inconsistencyProgram(): Command {
  const inconsistency = new Command("inconsistency").alias("ic").description("objects that cannot be served");
  offline(online(inconsistency, "list"))
    .description("print a line for each inconsistent object")
    .addOption(output("print the entries of the metadata API"))
    .action(running<[InconsistencyOptions]>((commands, options) => commands.listInconsistenciesCommand(options)));
  offline(online(inconsistency, "status"))
    .description("exit with 1 when something is inconsistent")
    .action(running<[InconsistencyOptions]>((commands, options) => commands.inconsistencyStatusCommand(options)));
  online(inconsistency, "drop")
    .description("take the inconsistent objects out of the server's metadata")
    .action(running<[GlobalFlags]>((commands, flags) => commands.dropInconsistenciesCommand(flags)));
  return inconsistency;
}

/** A command that may ask a server, with the flags that all of these have. */
function online(parent: Command, name: string): Command {
  return withServerOptions(parent.command(name));
}

/** Where the server is, and how it is asked: `GlobalFlags`. */
export function withServerOptions(command: Command): Command {
  return (
    command
      .option("--project <directory>", "the project, with config.yaml and .env; default the working directory")
      .option("--endpoint <url>", "the server (ENGINE_GRAPHQL_ENDPOINT, default http://localhost:8080)")
      .option("--admin-secret <secret>", "its admin secret (ENGINE_GRAPHQL_ADMIN_SECRET)")
      .option("--envfile <file>", "variables that the environment does not have, default .env")
      .option("--insecure-skip-tls-verify", "accept any certificate")
      .option("--certificate-authority <file>", "trust certificates of this authority too")
      .option("--no-color", "no colours on a terminal")
      .option(verboseFlag, "list every place of a repeated warning")
      // Scripts for similar tools pass them; nothing here looks for updates, or keeps a log.
      .addOption(new Option("--skip-update-check").hideHelp())
      .addOption(new Option("--log-level <level>").hideHelp())
  );
}

function offline(command: Command): Command {
  return command
    .option("--metadata <path>", "look at this directory or file instead of asking the server")
    .option(
      "--shape <file>",
      "saved shape of the databases; without --metadata of the project's; default shape.json beside the metadata",
    );
}

function output(effect: string): Option {
  return new Option("-o, --output <format>", effect).choices(formats);
}

/** The action of a command: its arguments and options, after which commander passes the command. */
function running<Inputs extends unknown[]>(run: (commands: Commands, ...inputs: Inputs) => Promise<number>) {
  return async (...inputs: [...Inputs, Command]): Promise<void> => {
    tolerateClosedPipe();
    const commands = await import("./metadata.ts");
    process.exitCode = await run(commands, ...(inputs.slice(0, -1) as Inputs));
  };
}
