/** `engine import --env` and `--compose`: prints or writes the settings of the original engine as a `.env` file. */
import { ConfigurationError } from "../../config/configuration-error.ts";
import type { Environment } from "../../config/options.ts";
import { EngineError } from "../../values/errors.ts";
import { isComposeFile, readComposeFile } from "../import/compose-file.ts";
import { environmentText, readEnvironmentFile, writeSecretFile } from "../import/env-file.ts";
import { translateEnvironment } from "../import/peer-environment.ts";
import { isPeerVariable, ourVariable } from "../import/peer-names.ts";
import { problem } from "../problem.ts";
import { printDone, printProblems, printResult, recordResult } from "../project/output.ts";
import type { ImportOptions } from "./import.ts";

export interface ImportFlags extends Partial<ImportOptions> {
  /** Path of a `.env` file; true for the environment of the process. */
  readonly env?: string | true;
  readonly compose?: string;
  readonly service?: string;
}

/** Runs the import that the arguments select: a project, an environment or a Compose file. */
export async function importAnyCommand(project: string | undefined, flags: ImportFlags): Promise<number> {
  const isCompose = project !== undefined && isComposeFile(project);
  const compose = flags.compose ?? (isCompose ? project : undefined);
  const directory = isCompose ? undefined : project;
  const { env, service, out, leaveOut } = flags;
  const inputs = [directory, env, compose].filter((each) => each !== undefined);
  if (inputs.length !== 1 || (isCompose && flags.compose !== undefined)) {
    throw misuse(null, "pass one of a project, --env or --compose");
  }
  if (service !== undefined && compose === undefined) throw misuse("--service", "requires --compose");
  if (directory === undefined) {
    if (leaveOut !== undefined) throw misuse("--leave-out", "requires a project");
    return importEnvironment({ env, compose, service, out });
  }
  if (out === undefined) throw misuse("--out", "required: the directory for the new project");
  const { importCommand } = await import("./import.ts");
  return importCommand(directory, { out, ...(leaveOut && { leaveOut }) });
}

interface EnvironmentInput {
  readonly env: string | true | undefined;
  readonly compose: string | undefined;
  readonly service: string | undefined;
  readonly out: string | undefined;
}

/** Resolves to 1 if a variable is left out, because a `.env` file cannot express it. */
async function importEnvironment(input: EnvironmentInput): Promise<number> {
  const { environment, missing } = await readEnvironment(input);
  if (!Object.keys(environment).some(isPeerVariable)) {
    throw new EngineError("not-found", "$", "found no variables of the original engine (HASURA_GRAPHQL_…)");
  }
  const { variables, notes } = translateEnvironment(environment);
  const { text, leftOut } = environmentText(variables);
  const values = Object.fromEntries(variables);
  if (input.out === undefined) printResult(text, { variables: values });
  else await writeSecretFile(input.out, text);
  if (input.out !== undefined) recordResult({ out: input.out, variables: Object.keys(values) });
  printProblems([
    ...missing.map((name) => problem("warning", "missing-variable", `variable ${name} is not set: its value is empty`)),
    ...notes.map((note) => problem("notice", "note", note)),
    ...leftOut.map((name) =>
      problem("warning", "left-out", `variable ${JSON.stringify(name)} is left out: a .env file cannot express it`),
    ),
  ]);
  if (input.out !== undefined) printDone(`wrote ${variables.size - leftOut.length} variables to ${input.out}`);
  return leftOut.length === 0 ? 0 : 1;
}

interface FoundEnvironment {
  readonly environment: Environment;
  readonly missing: readonly string[];
}

async function readEnvironment({ env, compose, service }: EnvironmentInput): Promise<FoundEnvironment> {
  if (compose !== undefined) {
    const { variables, missing } = await readComposeFile(compose, { service, environment: process.env });
    return { environment: variables, missing };
  }
  if (typeof env === "string") return { environment: await readEnvironmentFile(env), missing: [] };
  return { environment: peerVariablesOf(process.env), missing: [] };
}

/** Returns the variables of the original engine and their counterparts, without the user's other variables. */
function peerVariablesOf(environment: Environment): Environment {
  const names = Object.keys(environment).filter(isPeerVariable).sort();
  const all = new Set(names.flatMap((name) => [name, ourVariable(name) ?? name]));
  return Object.fromEntries(
    [...all].filter((name) => environment[name] !== undefined).map((name) => [name, environment[name]]),
  );
}

function misuse(setting: string | null, message: string): ConfigurationError {
  return new ConfigurationError([{ setting, message }]);
}
