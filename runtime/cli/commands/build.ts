/** `engine build`: builds an artifact from metadata and Shapes, without a database or a network. */

import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { codeName } from "../../config/code-options.ts";
import { describeOptions } from "../../config/options.ts";
import { configMembers } from "../../server/config-module/host-config.ts";
import { artifactFiles } from "../build/artifact-files.ts";
import type { ConfigInput } from "../build/entry.ts";
import { literalSecrets } from "../build/literal-secrets.ts";
import { analyzeInput, leftOutProblems, report } from "../compile/analyze-input.ts";
import { writeOutput } from "../compile/output-folder.ts";
import { bundleConfig, configFile } from "../config/bundle-config.ts";
import { lineOf, literalConfigSecrets } from "../config/config-locations.ts";
import { type Problem, problemAt } from "../problem.ts";
import { printProblems, printSteps, recordResult } from "../project/output.ts";

export interface BuildCommandOptions {
  /** A metadata directory, or one JSON or YAML file. */
  readonly metadata: string;
  /** Saved Shapes; default `shape.json` beside the metadata. */
  readonly shape?: string;
  /** If true, only saved operations of the allow-list and REST endpoints are served. */
  readonly closed?: boolean;
  /**
   * If true, the artifact is built even if the metadata contains secrets, which readers of the artifact can then see.
   */
  readonly allowLiteralSecrets?: boolean;
  /** If true, inconsistent objects are excluded and listed. */
  readonly allowInconsistent?: boolean;
  /** Configuration module to include; default `engine.config.ts`, if the folder has one. */
  readonly config?: string;
  /** The folder to write. */
  readonly out: string;
}

/**
 * Resolves to the exit code. Prints diagnostics, writes nothing and resolves to 1 if the metadata is invalid or
 * inconsistent, or contains secrets.
 * @throws EngineError if files cannot be read, or the folder cannot be written
 */
export async function buildCommand(options: BuildCommandOptions): Promise<number> {
  const { out, closed = false, allowLiteralSecrets = false, config: configPath, ...input } = options;
  const analyzed = await analyzeInput(input);
  if ("problems" in analyzed) return report(analyzed.problems);
  const { files } = analyzed;
  const config = await builtInConfig(configPath);
  const secrets = [
    ...literalSecrets(files.document).map((path) => secretProblem(files.place(path), path)),
    ...(config?.secrets ?? []),
  ];
  if (secrets.length > 0 && !allowLiteralSecrets) return report(secrets.map(refused));
  printProblems(secrets.map((secret) => ({ ...secret, severity: "warning", line: `warning: ${secret.line}` })));
  const artifact = await artifactFiles({ ...analyzed, closed, config });
  // An artifact refuses to start if its folder contains unexpected files.
  await writeOutput(out, artifact, { others: "refuse" });
  printProblems(leftOutProblems(analyzed, input.metadata));
  const size = Buffer.byteLength(artifact.get("server.mjs") ?? "");
  printSteps(`built ${out}: server.mjs has ${Math.round(size / 1024)} KiB\n`);
  const { cronTriggers, actions } = analyzed.analysis;
  const asynchronous = [...actions.values()].filter(({ definition }) => definition.kind === "asynchronous");
  const needs = {
    cron_triggers: [...cronTriggers.keys()],
    asynchronous_actions: asynchronous.map(({ name }) => name),
    variables: analyzed.assumedVariables,
  };
  printSteps(needsDatabase("cron triggers", needs.cron_triggers));
  printSteps(needsDatabase("asynchronous actions", needs.asynchronous_actions));
  printSteps(needsVariables(needs.variables));
  recordResult({ out, server_bytes: size, needs });
  return 0;
}

function needsVariables(names: readonly string[]): string {
  return names.length === 0
    ? ""
    : `environment variables required by the artifact and not set here: ${names.join(", ")}\n`;
}

/** Lists objects that need a metadata database. */
function needsDatabase(kind: string, names: readonly string[]): string {
  if (names.length === 0) return "";
  return `${kind} that run only if the artifact is started with --metadata-database-url: ${names.join(", ")}\n`;
}

/** @param subject JSONPath, or name of a member of `engine.config.ts` */
function secretProblem(place: string, subject: string): Problem {
  const message = `literal secret (${subject})`;
  return problemAt(place, { severity: "error", code: "literal-secret", message });
}

const refused = (secret: Problem): Problem => ({ ...secret, hint, line: `${secret.line}: ${hint}` });

const hint =
  "readers of the artifact could see it: use an environment variable instead, or pass --allow-literal-secrets";

// Bundles `engine.config.ts` for an artifact, without running it.

interface BuiltInConfig extends ConfigInput {
  readonly secrets: readonly Problem[];
}

/**
 * @param given path from `--config`; by default, the working directory is searched
 * @throws ConfigurationError with file and line of each error
 */
async function builtInConfig(given: string | undefined): Promise<BuiltInConfig | undefined> {
  const path = configFile(".", given);
  if (path === undefined) return undefined;
  const text = await readFile(path, "utf8");
  const file = basename(path);
  const { code } = await bundleConfig(path, "sealed");
  const names = [...configMembers, ...describeOptions().map(({ variable }) => codeName(variable))];
  const lines = names.flatMap((name) => {
    const line = lineOf(text, name);
    return line === undefined ? [] : [[name, line] as const];
  });
  const secrets = literalConfigSecrets(text).map(({ name, line }) => secretProblem(`${file}:${line}`, name));
  return { file, code, lines: Object.fromEntries(lines), secrets };
}
