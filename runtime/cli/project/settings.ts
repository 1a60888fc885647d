/**
 * Where the metadata of a project and its server are: flags, environment, `.env` and `config.yaml` of the project →
 * settings (`operations.md` 17). Precedence: in this order.
 */

import { stat } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { ConfigurationError } from "../../config/configuration-error.ts";
import type { Environment } from "../../config/options.ts";
import { Secret } from "../../config/secret.ts";
import { boolean as booleanType, nonEmptyText, secretList, type ValueType } from "../../config/value-types.ts";
import { cutEnd } from "../../values/cut-end.ts";
import { configFileName } from "../metadata-directory/layout.ts";
import { type ConfigFile, readConfigFile } from "./config-file.ts";
import { readEnvFile } from "./env-file.ts";

/** Flags that all commands for metadata have. */
export interface GlobalFlags {
  readonly project?: string;
  readonly endpoint?: string;
  readonly adminSecret?: string;
  readonly envfile?: string;
  readonly insecureSkipTlsVerify?: boolean;
  readonly certificateAuthority?: string;
  /** `false`: no colours, on a terminal either. */
  readonly color?: boolean;
}

export interface Settings {
  /** Without user, password, query and a slash at the end. */
  readonly endpoint: string;
  readonly adminSecret: Secret | undefined;
  /** A metadata directory, or one JSON or YAML file. */
  readonly metadataPath: string;
  /** A folder of folders, one for each database. */
  readonly migrationsPath: string;
  /** The same. */
  readonly seedsPath: string;
  readonly verifyTls: boolean;
  /** A file with certificates to trust besides those that Node trusts. */
  readonly certificateAuthority: string | undefined;
  /** The process's environment on top of `.env`. */
  readonly environment: Environment;
}

const defaultEndpoint = "http://localhost:8080";
const defaultFolders = { metadata_directory: "metadata", migrations_directory: "migrations", seeds_directory: "seeds" };

export const variables = {
  endpoint: "ENGINE_GRAPHQL_ENDPOINT",
  adminSecret: "ENGINE_GRAPHQL_ADMIN_SECRET",
  adminSecrets: "ENGINE_GRAPHQL_ADMIN_SECRETS",
  metadata_directory: "ENGINE_GRAPHQL_METADATA_DIRECTORY",
  migrations_directory: "ENGINE_GRAPHQL_MIGRATIONS_DIRECTORY",
  seeds_directory: "ENGINE_GRAPHQL_SEEDS_DIRECTORY",
  insecureSkipTlsVerify: "ENGINE_GRAPHQL_INSECURE_SKIP_TLS_VERIFY",
  certificateAuthority: "ENGINE_GRAPHQL_CERTIFICATE_AUTHORITY",
} as const;

/**
 * An empty secret counts as none. Other variables may not be empty: one that failed to expand must not make a command
 * work on another server. The default of `--project` is the working directory.
 * @throws ConfigurationError for values that are no good; EngineError for files that cannot be read or have no valid
 * syntax
 */
export async function readSettings(flags: GlobalFlags, processEnvironment: Environment): Promise<Settings> {
  const project = flags.project ?? ".";
  await requireDirectory(project);
  const config = await readConfigFile(join(project, configFileName));
  const envFile = await readEnvFile(
    flags.envfile === undefined ? join(project, ".env") : below(project, flags.envfile),
    {
      required: flags.envfile !== undefined,
    },
  );
  const layers = [processEnvironment, envFile];
  const folder = (name: keyof typeof defaultFolders): string =>
    below(project, fromVariable(layers, variables[name], nonEmptyText("path")) ?? config[name] ?? defaultFolders[name]);
  const authority =
    flags.certificateAuthority ?? fromVariable(layers, variables.certificateAuthority, nonEmptyText("path"));
  const insecure = fromVariable(layers, variables.insecureSkipTlsVerify, booleanType);
  return {
    endpoint: endpointOf(flags, layers, config),
    adminSecret: adminSecretOf(flags, layers, config),
    metadataPath: folder("metadata_directory"),
    migrationsPath: folder("migrations_directory"),
    seedsPath: folder("seeds_directory"),
    verifyTls: !(flags.insecureSkipTlsVerify ?? insecure ?? config.insecure_skip_tls_verify ?? false),
    certificateAuthority: authority ?? configuredAuthority(project, config),
    environment: { ...envFile, ...processEnvironment },
  };
}

async function requireDirectory(project: string): Promise<void> {
  const found = await stat(project).catch(() => undefined);
  if (found?.isDirectory()) return;
  throw new ConfigurationError([{ setting: "--project", message: `there is no directory ${project}` }]);
}

/** Paths in a project's settings are relative to the project. */
function below(project: string, path: string): string {
  return isAbsolute(path) ? path : join(project, path);
}

function configuredAuthority(project: string, { certificate_authority }: ConfigFile): string | undefined {
  return certificate_authority === undefined ? undefined : below(project, certificate_authority);
}

function fromVariable<T>(layers: readonly Environment[], variable: string, type: ValueType<T>): T | undefined {
  for (const layer of layers) {
    const text = layer[variable];
    if (text === undefined) continue;
    const parsed = type.parse(text);
    if ("value" in parsed) return parsed.value;
    throw new ConfigurationError([{ setting: variable, message: parsed.problem }]);
  }
  return undefined;
}

/** Of several secrets that a server takes the first is as good as any. */
function adminSecretOf(flags: GlobalFlags, layers: readonly Environment[], config: ConfigFile): Secret | undefined {
  const candidates: (string | undefined)[] = [flags.adminSecret];
  for (const layer of layers) {
    const [first] = fromVariable([layer], variables.adminSecrets, secretList) ?? [];
    candidates.push(layer[variables.adminSecret], first?.reveal());
  }
  candidates.push(config.admin_secret, config.admin_secrets?.[0]);
  const given = candidates.find((candidate) => candidate !== undefined && candidate !== "");
  return given === undefined ? undefined : new Secret(given);
}

function endpointOf(flags: GlobalFlags, layers: readonly Environment[], config: ConfigFile): string {
  const variable = fromVariable(layers, variables.endpoint, nonEmptyText("url"));
  if (flags.endpoint !== undefined) return parseEndpoint("--endpoint", flags.endpoint);
  if (variable !== undefined) return parseEndpoint(variables.endpoint, variable);
  if (config.endpoint !== undefined) return parseEndpoint(null, config.endpoint);
  return defaultEndpoint;
}

/** @param setting `null`: the config file */
function parseEndpoint(setting: string | null, text: string): string {
  const refuse = (message: string) => {
    return new ConfigurationError([
      { setting, message: setting === null ? `${configFileName}: endpoint: ${message}` : message },
    ]);
  };
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !["http:", "https:"].includes(url.protocol)) {
    throw refuse(`expected the URL of a server, for example ${defaultEndpoint}`);
  }
  if (url.username !== "" || url.password !== "") throw refuse("the URL of a server has no user and no password");
  return `${url.origin}${cutEnd(url.pathname, /\//)}`;
}
