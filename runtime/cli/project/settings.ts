/**
 * Reads the settings of a project from flags, the environment, `.env` and `config.yaml` of the project, in this order
 * of precedence.
 */

import { stat } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { parseEnv } from "node:util";
import * as z from "zod";
import type { DocumentMode } from "../../../compiler/5-plan/client.ts";
import type { Json } from "../../../compiler/catalog/model.ts";
import type { ScalarChoice } from "../../../compiler/handlers/handlers-of.ts";
import { ConfigurationError } from "../../config/configuration-error.ts";
import type { Environment } from "../../config/options.ts";
import { Secret } from "../../config/secret.ts";
import { boolean as booleanType, nonEmptyText, secretList, type ValueType } from "../../config/value-types.ts";
import { readHeaders } from "../../http/mcp/stdio/header-flags.ts";
import { cutEnd } from "../../values/cut-end.ts";
import { EngineError } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";
import { didYouMean } from "../../values/nearest-name.ts";
import { configFileName } from "../metadata-directory/layout.ts";
import { textOf } from "../metadata-directory/load-files.ts";
import { keysOf, type LocatedFile, readLocatedFile } from "../metadata-directory/located-file.ts";
import { type Problem, problemAt } from "../problem.ts";
import { documentModes, scalarChoices, variables } from "./choices.ts";
import { printProblems } from "./output.ts";

/** Flags of all commands that call a server. */
export interface GlobalFlags {
  readonly project?: string;
  readonly endpoint?: string;
  readonly adminSecret?: string;
  /** Pairs `name: value`. */
  readonly header?: readonly string[];
  readonly envfile?: string;
  readonly insecureSkipTlsVerify?: boolean;
  readonly certificateAuthority?: string;
  /** If false, output has no colors. */
  readonly color?: boolean;
}

export interface Settings {
  /** URL without user, password, query and trailing slash. */
  readonly endpoint: string;
  readonly adminSecret: Secret | undefined;
  /** Further headers of each request, with names in lower case. They may contain secrets. */
  readonly headers: Readonly<Record<string, string>>;
  /** A metadata directory, or one JSON or YAML file. */
  readonly metadataPath: string;
  /** Contains a folder for each database. */
  readonly migrationsPath: string;
  /** Contains a folder for each database. */
  readonly seedsPath: string;
  readonly verifyTls: boolean;
  /** File with additional trusted certificates. */
  readonly certificateAuthority: string | undefined;
  /** `.env`, overridden by the process's environment. */
  readonly environment: Environment;
  /** Modules with documents of front ends, which `engine client` and `engine dev` write. */
  readonly clients: readonly ClientModule[];
}

export interface ClientModule {
  /** Folder that paths and patterns are relative to. */
  readonly folder: string;
  readonly out: string;
  readonly role: string;
  /** Patterns of files with documents. */
  readonly documents: readonly string[];
  readonly documentMode: DocumentMode;
  /** Types of scalars, by GraphQL name. */
  readonly scalars: ReadonlyMap<string, ScalarChoice>;
}

export const defaultClientRole = "admin";
export const defaultDocumentMode: DocumentMode = "documentNode";

const defaultEndpoint = "http://localhost:8080";
const defaultFolders = { metadata_directory: "metadata", migrations_directory: "migrations", seeds_directory: "seeds" };

/**
 * Reads the settings. An empty secret counts as none. Other variables must not be empty: a variable that failed to
 * expand must not redirect a command to another server. The default of `--project` is the working directory.
 * @throws ConfigurationError for invalid values; EngineError for files that cannot be read or have invalid syntax
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
    headers: readHeaders(flags.header ?? []),
    metadataPath: folder("metadata_directory"),
    migrationsPath: folder("migrations_directory"),
    seedsPath: folder("seeds_directory"),
    verifyTls: !(flags.insecureSkipTlsVerify ?? insecure ?? config.insecure_skip_tls_verify ?? false),
    certificateAuthority: authority ?? configuredAuthority(project, config),
    environment: { ...envFile, ...processEnvironment },
    clients: (config.client ?? []).map((module) => ({ folder: project, ...module })),
  };
}

async function requireDirectory(project: string): Promise<void> {
  const found = await stat(project).catch(() => undefined);
  if (found?.isDirectory()) return;
  throw new ConfigurationError([{ setting: "--project", message: `no such directory: ${project}` }]);
}

/** Resolves a path of a project's settings relative to the project. */
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

/** Uses the first secret of a list, since the server accepts each of them. */
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

/** @param setting `null` for a value from the configuration file */
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
  if (url.username !== "" || url.password !== "") throw refuse("expected a URL without user and password");
  return `${url.origin}${cutEnd(url.pathname, /\//)}`;
}

/** @throws EngineError if the file cannot be read, or is required and missing */
async function readEnvFile(path: string, { required }: { readonly required: boolean }): Promise<Environment> {
  const text = await textOf(path);
  if (text !== undefined) return parseEnv(text);
  if (required) throw new EngineError("not-found", "$", `no such file: ${path}, set by --envfile`);
  return {};
}

// `config.yaml` of a project, version 3.

const expected = (description: string) => ({ error: `expected ${description}` });
const text = z.string(expected("a string"));
/** Makes a type optional. Accepts `null`, which is the value of a YAML key without a value. */
const optional = <T extends z.ZodType>(type: T) => type.nullish().transform((value) => value ?? undefined);

const oneOf = <const T extends readonly string[]>(choices: T) =>
  z.enum(choices, expected(`one of ${choices.join(", ")}`));

const clientModule = z
  .strictObject({
    out: text,
    role: optional(text),
    documents: optional(
      z.union([z.array(text), text.transform((one) => [one])], expected("a pattern or a list of patterns")),
    ),
    document_mode: optional(oneOf(documentModes)),
    scalars: optional(z.record(z.string(), oneOf(scalarChoices), expected("an object of types by scalar"))),
  })
  .transform(
    ({ out, role, documents, document_mode, scalars }): Omit<ClientModule, "folder"> => ({
      out,
      role: role ?? defaultClientRole,
      documents: documents ?? [],
      documentMode: document_mode ?? defaultDocumentMode,
      scalars: new Map(Object.entries(scalars ?? {})),
    }),
  );

const schema = z.object(
  {
    version: z.literal(
      3,
      expected('"version: 3"; `engine import` makes a project of version 3 from one of version 1 or 2'),
    ),
    endpoint: optional(text),
    admin_secret: optional(text),
    admin_secrets: optional(z.array(text, expected("a list of strings"))),
    insecure_skip_tls_verify: optional(z.boolean(expected("true or false"))),
    certificate_authority: optional(text),
    metadata_directory: optional(text),
    migrations_directory: optional(text),
    seeds_directory: optional(text),
    client: optional(z.array(clientModule, expected("a list of modules to write"))),
  },
  expected("an object"),
);

type ConfigFile = Partial<Omit<z.output<typeof schema>, "version">>;

/** Keys of the format that no command uses. */
const accepted = ["actions", "api_paths"];

/**
 * Returns no settings for a missing file. Warns of unknown keys.
 * @throws EngineError with file, line and column for invalid syntax and invalid values
 */
async function readConfigFile(path: string): Promise<ConfigFile> {
  const file = await readLocatedFile(path, "the project");
  if (file === undefined) return {};
  const result = schema.safeParse(file.value);
  if (result.success) {
    warnOfUnknownKeys(file);
    return result.data;
  }
  const [issue] = result.error.issues;
  return file.fail(issue?.message ?? "", ...keysOf(issue?.path ?? []));
}

function warnOfUnknownKeys({ value, at }: LocatedFile): void {
  const known = [...Object.keys(schema.shape), ...accepted];
  const unknown = Object.keys(isObject<Json>(value) ? value : {}).filter((key) => !known.includes(key));
  const problems = unknown.map((key): Problem => {
    const hint = didYouMean(key, known);
    const message = `unknown setting ${JSON.stringify(key)}${hint === undefined ? "" : `; ${hint}`}`;
    const found = problemAt(at(key), { severity: "warning", code: "ignored-text", message });
    return { ...found, line: `warning: ${found.line}` };
  });
  printProblems(problems);
}
