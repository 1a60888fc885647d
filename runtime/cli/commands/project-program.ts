/** The commands that work on a project's files and its server, as the command line declares them. */
import { type Command, Option } from "commander";
import { enforcedSections, verboseFlag } from "../project/choices.ts";
import type { CheckCommandOptions } from "./check.ts";
import type { ConsoleOptions } from "./console.ts";
import type { DeployOptions } from "./deploy.ts";
import type { PlanOptions } from "./deploy-plan.ts";
import type { DevOptions } from "./dev.ts";
import type { ImportOptions } from "./import.ts";
import type { InitOptions } from "./init.ts";
import { metadataProgram, withServerOptions } from "./metadata-program.ts";
import { migrateProgram, withLock } from "./migrate-program.ts";
import { seedProgram } from "./seed-program.ts";

export function addProjectCommands(program: Command): void {
  program
    .command("init")
    .description("make the folder of a new project")
    .argument("[directory]", "the folder; default the working directory", ".")
    .option("--endpoint <url>", "its server")
    .option("--admin-secret <secret>", "of the server: kept in .env")
    .option("--version <version>", "of the project's files", "3")
    .action(async (directory: string, options: InitOptions) => {
      const { initCommand } = await import("./init.ts");
      process.exitCode = await initCommand(directory, options);
    });
  program
    .command("import")
    .description("make a project of one of the engine that this one is a twin of, and report what was changed")
    .argument("<project>", "its folder, a metadata directory, or one file of metadata")
    .requiredOption("--out <directory>", "where to write")
    .addOption(
      new Option(
        "--leave-out <sections...>",
        "import without sections of the metadata that are enforced here and may have had no effect before",
      ).choices(enforcedSections),
    )
    .option(verboseFlag, "list every place of a repeated line")
    .action(async (project: string, options: ImportOptions) => {
      const { importCommand } = await import("./import.ts");
      process.exitCode = await importCommand(project, options);
    });
  withScratch(program.command("check"))
    .description("check everything about a project that can be checked without a server")
    .option("--project <directory>", "the project, with config.yaml and .env; default the working directory")
    .option("--envfile <file>", "variables that the environment does not have, default .env")
    .option("--shape <file>", "believe this saved shape of the databases, and run no SQL")
    .option("--no-scratch", "run no SQL: the shape is that of shape.json beside the metadata")
    .option("--allow-inconsistent", "list what is inconsistent, and do not fail because of it")
    .option(verboseFlag, "list every place of a repeated warning")
    .action(async (options: CheckCommandOptions) => {
      const { checkCommand } = await import("./check.ts");
      process.exitCode = await checkCommand(options);
    });
  withConsolePort(withServerOptions(program.command("console")))
    .description("open the console of a project's server: what it changes is written into the project")
    .option("--no-browser", "print the address, and open nothing")
    .action(async (options: ConsoleOptions) => {
      const { consoleCommand } = await import("./console.ts");
      process.exitCode = await consoleCommand(options);
    });
  withConsolePort(withServerOptions(program.command("dev")))
    .description("apply migrations and metadata as they are saved, and print what changes for each role")
    .option("--no-console", "without the console that writes what it changes into the project")
    .addHelpText("after", "\nWhere no server answers at the endpoint, and that is on localhost, it starts one.")
    .action(async (options: DevOptions) => {
      const { devCommand } = await import("./dev.ts");
      process.exitCode = await devCommand(options);
    });
  withScratch(withLock(withServerOptions(program.command("deploy"))))
    .description("bring a server to the state of the project: databases, migrations, metadata")
    .option("--with-seeds", "then run the seeds of all databases")
    .option(
      "--disallow-inconsistent-metadata",
      "keep the server's metadata when something of the project's is inconsistent",
    )
    .option("--plan", "change nothing: say what would change, after trying migrations on scratch databases")
    .option("--against <directory>", "plan against another version of the project, without a server")
    .option("--fail-on-widening", "of a plan: exit with 3 when a role may do more, or when that cannot be told")
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
  return command.option("--console-port <port>", "of the console, on this machine only; 0: any", "9695");
}

function withScratch(command: Command): Command {
  return command.option(
    "--shadow-url <url>",
    "a PostgreSQL server to make scratch databases on, which are dropped again; default an embedded one",
  );
}
