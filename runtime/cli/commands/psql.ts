/** `engine psql`: runs psql on a database of the running server. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import type { Json } from "../../../compiler/catalog/model.ts";
import { ConfigurationError } from "../../config/configuration-error.ts";
import type { Options } from "../../config/option-table.ts";
import type { Environment } from "../../config/options.ts";
import { isLoopback } from "../../config/server-host.ts";
import { urlForTool } from "../../databases/embedded-postgres/tool-role.ts";
import { resolveEnvironmentValue } from "../../databases/sources/connection-settings.ts";
import { configuredOptions } from "../../server/config-module/host-config.ts";
import { EngineError } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";
import { didYouMean } from "../../values/nearest-name.ts";
import { loadConfig } from "../config/load-config.ts";
import { withServer } from "../project/client.ts";
import { type GlobalFlags, readSettings, type Settings } from "../project/settings.ts";
import { psqlUrl } from "../psql-url.ts";
import { defaultDataDirectory, demoDataDirectory, developmentDataDirectory } from "../start/data-directories.ts";

export interface PsqlOptions extends GlobalFlags {
  readonly source?: string;
  readonly dataDir?: string;
}

/** The source that the server's options name. */
const defaultSource = "default";

/**
 * Runs psql with further arguments, and resolves to its exit code.
 * @throws ConfigurationError, EngineError without a database or without psql
 */
export async function psqlCommand(args: readonly string[], options: PsqlOptions): Promise<number> {
  const settings = await readSettings(options, process.env);
  const { endpoint, environment } = settings;
  if (!isLoopback(new URL(endpoint).hostname)) {
    const message = `the server ${endpoint} is remote; run psql with the address of its database instead`;
    throw new ConfigurationError([{ setting: options.endpoint === undefined ? null : "--endpoint", message }]);
  }
  const name = options.source ?? defaultSource;
  const url =
    (name === defaultSource ? await defaultUrl(options, environment) : undefined) ??
    (await urlOfSource(settings, name));
  const connection = psqlUrl(url);
  if (connection === undefined) {
    throw new EngineError(
      "not-supported",
      "$",
      `psql cannot connect to the database ${name}: its address is no PostgreSQL URL`,
    );
  }
  const { password } = connection;
  return runPsql([`--dbname=${connection.url}`, ...args], password === undefined ? {} : { PGPASSWORD: password });
}

/**
 * Returns the URL from the options of `engine start`, or of a running embedded PostgreSQL; `undefined` if the options
 * name only a metadata database, with which sources are part of the metadata.
 */
async function defaultUrl(
  { project = ".", dataDir }: PsqlOptions,
  environment: Environment,
): Promise<string | undefined> {
  const config = await loadConfig(project, undefined);
  const flags = dataDir === undefined ? {} : { dataDir };
  const { options } = configuredOptions(flags, environment, config);
  if (options.databaseUrl !== null && dataDir === undefined) return options.databaseUrl.reveal();
  if (options.metadataDatabaseUrl !== null && dataDir === undefined) return undefined;
  const folders = dataFolders(options).map((folder) => (folder === dataDir ? folder : join(project, folder)));
  for (const folder of folders) {
    const url = await urlForTool(folder);
    if (url !== undefined) return url;
  }
  const listed = folders.length === 1 ? folders[0] : `${folders.slice(0, -1).join(", ")} or ${folders.at(-1)}`;
  const message = `no PostgreSQL runs in ${listed}; start the server with \`engine start\`, or set --data-dir`;
  throw new EngineError("not-found", "$", message);
}

function dataFolders({ dataDirectory }: Options): readonly string[] {
  if (dataDirectory !== defaultDataDirectory) return [dataDirectory];
  return [dataDirectory, developmentDataDirectory, demoDataDirectory];
}

/** Returns the URL of a source of the server's metadata. */
async function urlOfSource(settings: Settings, name: string): Promise<string> {
  const document = await withServer(settings, (call) => call({ type: "export_metadata", args: {} }));
  const listed = isObject<Json>(document) && Array.isArray(document.sources) ? document.sources : [];
  const sources = listed.filter(isObject<Json>);
  const source = sources.find((each) => each.name === name);
  if (source === undefined) {
    const names = sources.map((each) => String(each.name));
    const hint = didYouMean(name, names) ?? (names.length === 0 ? "it has none" : `it has ${names.join(", ")}`);
    throw new EngineError("not-found", "$", `the server has no database ${name}: ${hint}`);
  }
  const { configuration } = source;
  const connection = isObject<Json>(configuration) ? configuration.connection_info : undefined;
  return urlOfConnection(isObject<Json>(connection) ? connection.database_url : undefined, settings.environment);
}

function urlOfConnection(value: Json | undefined, environment: Environment): string {
  if (isObject<Json>(value) && isObject<Json>(value.connection_parameters)) {
    const { host, port, username, password, database } = value.connection_parameters;
    const part = (text: Json | undefined): string => encodeURIComponent(String(text ?? ""));
    const secret = password === undefined || password === null ? "" : `:${part(password)}`;
    return `postgres://${part(username)}${secret}@${String(host)}:${String(port ?? 5432)}/${part(database)}`;
  }
  const given = isObject<Json>(value) ? { from_env: String(value.from_env) } : String(value ?? "");
  return resolveEnvironmentValue(given, { variables: environment });
}

function runPsql(args: readonly string[], secrets: Readonly<Record<string, string>>): Promise<number> {
  // psql handles Ctrl-C: it cancels the statement and continues.
  const ignore = (): void => undefined;
  process.on("SIGINT", ignore);
  return new Promise<number>((resolve, reject) => {
    const child = spawn("psql", args, { stdio: "inherit", env: { ...process.env, ...secrets } });
    child.once("error", (error: NodeJS.ErrnoException) =>
      reject(error.code === "ENOENT" ? notInstalled(error) : error),
    );
    child.once("exit", (code) => resolve(code ?? 1));
  }).finally(() => process.off("SIGINT", ignore));
}

function notInstalled(cause: Error): EngineError {
  const packages = "the Debian package postgresql-client (`apt install postgresql-client`), or `brew install libpq`";
  return new EngineError("not-found", "$", `psql is not installed: install ${packages}`, { cause });
}
