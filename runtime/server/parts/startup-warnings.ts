/** Warns at start-up about settings that are probably mistyped or leave the server open. */
import { ConfigurationError } from "../../config/configuration-error.ts";
import { type experimentalFeatures, type OptionName, type Options, optionTable } from "../../config/option-table.ts";
import { describeOptions, type Environment } from "../../config/options.ts";
import { isLoopback, localOrigin, unsafeHost } from "../../config/server-host.ts";
import { decideAuthMode } from "../../http/auth/mode.ts";
import type { Log } from "../../observe/logs/log.ts";
import { warnAtStartup, warnNoAdminSecret } from "../../observe/logs/startup-log.ts";
import { nearestName } from "../../values/nearest-name.ts";

/** @throws ConfigurationError if the server must not listen on its address */
export function refuseUnsafeHost(options: Options): void {
  const unsafe = unsafeHost(options);
  if (unsafe !== null) throw new ConfigurationError([{ setting: null, message: unsafe }]);
}

/** Warnings about settings, the most severe first. */
export interface SettingWarnings {
  /** Warnings that operators must see regardless of log settings. */
  readonly severe: readonly string[];
  /** All warnings. */
  readonly all: readonly string[];
}

/**
 * Logs all warnings.
 * @throws ConfigurationError if the server must not listen with these settings
 */
export function warnOfSettings(log: Log, options: Options, environment: Environment): SettingWarnings {
  const isOpen = decideAuthMode(options).kind === "no-auth";
  refuseUnsafeHost(options);
  if (isOpen) warnNoAdminSecret(log);
  const withoutEffect = optionsWithoutEffect(options);
  for (const { name, message } of withoutEffect) {
    warnAtStartup(log, "option_without_effect", { message, option: name });
  }
  const unknown = unknownVariables(environment);
  for (const { variable, nearest = null } of unknown) {
    warnAtStartup(log, "unknown_variable", { message: unknownText({ variable, nearest }), variable, nearest });
  }
  const severe = unknown.map(({ variable, nearest = null }) => unknownText({ variable, nearest }));
  const isReachable = !isLoopback(options.serverHost);
  if (isOpen && isReachable) {
    const message = openText(options.serverHost);
    warnAtStartup(log, "open_server", { message });
    severe.unshift(message);
  }
  const others = withoutEffect.map(({ message }) => message);
  if (isOpen && !isReachable) others.push(localText);
  return { severe, all: [...severe, ...others] };
}

const localText =
  "no admin secret is set: every program on this machine is an administrator; set " +
  "ENGINE_GRAPHQL_ADMIN_SECRET to serve other machines";

/** Returns the lines for standard error of a server that has started: its address, and its severe warnings. */
export function servingLines(
  { serverHost }: Pick<Options, "serverHost">,
  { port, warnings }: { readonly port: number; readonly warnings: readonly string[] },
): string {
  const lines = [`engine serves on ${localOrigin(serverHost, port)}`, ...warnings.map((text) => `warning: ${text}`)];
  return `${lines.join("\n")}\n`;
}

function unknownText({ variable, nearest }: { readonly variable: string; readonly nearest: string | null }): string {
  const hint = nearest === null ? "" : `; did you mean ${nearest}?`;
  return `unknown environment variable ${variable} has no effect${hint}`;
}

function openText(host: string): string {
  const addresses = host === "*" ? "all addresses" : host;
  return (
    `the server listens on ${addresses} without an admin secret (--insecure-no-secret): every client that reaches it is ` +
    "an administrator. Set ENGINE_GRAPHQL_ADMIN_SECRET, or listen on this machine only with --server-host localhost"
  );
}

// Detects options that are set and have no effect.

interface OptionWithoutEffect {
  readonly name: OptionName;
  readonly message: string;
}

const isAccepted = /^accepted for compatibility: /;

/** Experimental features that do not exist in this engine. All other features have an effect or are always enabled. */
const unusedFeatures: ReadonlySet<string> = new Set<(typeof experimentalFeatures)[number]>([
  "bigquery_string_numeric_input",
  "disable_postgres_arrays",
  "no_null_unbound_variable_default",
]);

function optionsWithoutEffect(options: Options): readonly OptionWithoutEffect[] {
  const names = Object.keys(optionTable) as OptionName[];
  const accepted = names.filter(
    (name) => isAccepted.test(optionTable[name].doc) && options[name] !== optionTable[name].default,
  );
  const features = [...options.experimentalFeatures].filter((name) => unusedFeatures.has(name));
  return [
    ...accepted.map((name) => ({
      name,
      message: `${optionTable[name].variable} is set and has no effect: ${optionTable[name].doc.replace(isAccepted, "")}`,
    })),
    ...features.map((feature) => ({
      name: "experimentalFeatures" as const,
      message: `the experimental feature ${feature} is set and has no effect`,
    })),
  ];
}

// Detects environment variables with the engine's prefix that are not options. A misspelt variable can leave a server
// open.

const prefix = "ENGINE_GRAPHQL_";

/** Variables of the command-line tools, which use the same prefix (`docs/how-to/projects.md`). */
const toolVariables = [
  "CERTIFICATE_AUTHORITY",
  "ENDPOINT",
  "INSECURE_SKIP_TLS_VERIFY",
  "METADATA_DIR",
  "METADATA_DIRECTORY",
  "MIGRATIONS_DIR",
  "MIGRATIONS_DIRECTORY",
  "MIGRATIONS_SERVER_PORT",
  "MIGRATIONS_SERVER_TIMEOUT",
  "SEEDS_DIRECTORY",
].map((name) => `${prefix}${name}`);

interface UnknownVariable {
  readonly variable: string;
  /** The most similar option, if any. */
  readonly nearest: string | undefined;
}

/** Returns unknown variables, without their values, which may be secrets. */
export function unknownVariables(environment: Environment): readonly UnknownVariable[] {
  const options = describeOptions().map(({ variable }) => variable);
  const known = new Set([...options, ...toolVariables]);
  const suffixes = options.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
  return Object.keys(environment)
    .filter((variable) => variable.startsWith(prefix) && !known.has(variable.replace(/_(?:FILE|COMMAND)$/, "")))
    .sort()
    .map((variable) => {
      const nearest = nearestName(variable.slice(prefix.length), suffixes);
      return { variable, nearest: nearest === undefined ? undefined : `${prefix}${nearest}` };
    });
}
