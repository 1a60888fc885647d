/** Finds the project that a container has mounted, to deploy it before the server starts (`docs/how-to/projects.md`). */
import { stat } from "node:fs/promises";
import { ConfigurationError } from "../../config/configuration-error.ts";
import type { Environment } from "../../config/options.ts";
import { nonEmptyText, port as portType, positiveSeconds, type ValueType } from "../../config/value-types.ts";
import type { DeployedFolders } from "./deploy-project.ts";

export interface MountedProject extends DeployedFolders {
  /** Local port of the private server. */
  readonly port: number;
  /** Maximum wait for unreachable databases. */
  readonly timeoutSeconds: number;
}

export const variables = {
  metadata: "ENGINE_GRAPHQL_METADATA_DIR",
  migrations: "ENGINE_GRAPHQL_MIGRATIONS_DIR",
  port: "ENGINE_GRAPHQL_MIGRATIONS_SERVER_PORT",
  timeout: "ENGINE_GRAPHQL_MIGRATIONS_SERVER_TIMEOUT",
} as const;

/**
 * @returns `undefined` if nothing is mounted
 * @throws ConfigurationError for invalid variables, and for configured folders that are missing
 */
export async function mountedProject(environment: Environment): Promise<MountedProject | undefined> {
  const metadataPath = await folder(environment, variables.metadata, "/engine-metadata");
  const migrationsPath = await folder(environment, variables.migrations, "/engine-migrations");
  const port = read(environment, variables.port, portType) ?? 9691;
  const timeoutSeconds = read(environment, variables.timeout, positiveSeconds) ?? 60;
  if (metadataPath === undefined && migrationsPath === undefined) return undefined;
  return { metadataPath, migrationsPath, port, timeoutSeconds };
}

async function folder(environment: Environment, variable: string, defaultPath: string): Promise<string | undefined> {
  const configured = read(environment, variable, nonEmptyText("folder"));
  const path = configured ?? defaultPath;
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw new ConfigurationError([{ setting: variable, message: `cannot read ${path}: ${error.code}` }]);
  });
  if (found?.isDirectory()) return path;
  if (configured === undefined && found === undefined) return undefined;
  throw new ConfigurationError([{ setting: variable, message: `no such folder: ${path}` }]);
}

function read<T>(environment: Environment, variable: string, type: ValueType<T>): T | undefined {
  const text = environment[variable];
  if (text === undefined) return undefined;
  const parsed = type.parse(text);
  if ("value" in parsed) return parsed.value;
  throw new ConfigurationError([{ setting: variable, message: parsed.problem }]);
}
