/** What is probably not meant in the settings of a server, and can leave it open: for its log, and for whoever starts it. */

import { ConfigurationError } from "../../config/configuration-error.ts";
import type { Options } from "../../config/option-table.ts";
import type { Environment } from "../../config/options.ts";
import { isLoopback, unsafeHost } from "../../config/server-host.ts";
import { unknownVariables } from "../../config/unknown-variables.ts";
import { optionsWithoutEffect } from "../../config/without-effect.ts";
import { decideAuthMode } from "../../http/auth/mode.ts";
import type { Log } from "../../observe/logs/log.ts";
import { warnAtStartup, warnNoAdminSecret } from "../../observe/logs/startup-log.ts";

/**
 * Writes them to the log.
 * @returns those that a person has to see whatever the log leaves out, a line each
 * @throws ConfigurationError where the server must not listen with them
 */
export function warnOfSettings(log: Log, options: Options, environment: Environment): readonly string[] {
  const isOpen = decideAuthMode(options).kind === "no-auth";
  const unsafe = unsafeHost(options);
  if (unsafe !== null) throw new ConfigurationError([{ setting: null, message: unsafe }]);
  if (isOpen) warnNoAdminSecret(log);
  for (const { name, message } of optionsWithoutEffect(options)) {
    warnAtStartup(log, "option_without_effect", { message, option: name });
  }
  const unknown = unknownVariables(environment);
  for (const { variable, nearest = null } of unknown) {
    warnAtStartup(log, "unknown_variable", { message: unknownText({ variable, nearest }), variable, nearest });
  }
  const lines = unknown.map(({ variable, nearest = null }) => unknownText({ variable, nearest }));
  if (!isOpen || isLoopback(options.serverHost)) return lines;
  const message = openText(options.serverHost);
  warnAtStartup(log, "open_server", { message });
  return [message, ...lines];
}

function unknownText({ variable, nearest }: { readonly variable: string; readonly nearest: string | null }): string {
  const hint = nearest === null ? "" : `; did you mean ${nearest}?`;
  return `the environment variable ${variable} is no option, and has no effect${hint}`;
}

function openText(host: string): string {
  const where = host === "*" ? "all addresses" : host;
  return (
    `the server listens on ${where} without an admin secret (--insecure-no-secret): every client that reaches it is ` +
    "an administrator. Set ENGINE_GRAPHQL_ADMIN_SECRET, or listen on this machine only with --server-host localhost"
  );
}
