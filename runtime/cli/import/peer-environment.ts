/** Translates environment variables of the original engine, and reports those that the server does not read. */
import { hasAdminSecret } from "../../config/admin-secrets.ts";
import type { Options } from "../../config/option-table.ts";
import type { Environment } from "../../config/options.ts";
import type { Log } from "../../observe/logs/log.ts";
import { warnAtStartup } from "../../observe/logs/startup-log.ts";
import { foreignNames, isPeerVariable, ourVariable } from "./peer-names.ts";

export interface TranslatedEnvironment {
  /** Variables under the names of this engine. Other variables keep their names, because metadata may refer to them. */
  readonly variables: ReadonlyMap<string, string>;
  /** Sentences about variables that need a check. They contain names, and no values. */
  readonly notes: readonly string[];
}

/** Values that have another name in this engine, by its variables. */
const renamedValues: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ENGINE_GRAPHQL_DEFAULT_NAMING_CONVENTION: { "hasura-default": "engine-default" },
};

export function translateEnvironment(environment: Environment): TranslatedEnvironment {
  const variables = new Map<string, string>();
  const notes: string[] = [];
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined) continue;
    const ours = isPeerVariable(name) ? ourVariable(name) : name;
    if (ours !== undefined && ours !== name && environment[ours] !== undefined) {
      notes.push(`${name} is left out, because ${ours} is set too`);
      continue;
    }
    if (ours === undefined) notes.push(`${name} has no counterpart and keeps its name`);
    const target = ours ?? name;
    variables.set(target, renamedValues[target]?.[value] ?? value);
    if (foreignNames(value).some((each) => /^x-/i.test(each))) notes.push(oldNames(target));
  }
  return { variables, notes };
}

const oldNames = (variable: string): string =>
  `${variable} contains names of session variables of the original engine (x-hasura-…): rename them, or start the ` +
  "server with --header-alias X-Hasura-=X-Engine-";

/**
 * Logs the variables of the original engine that are set, with the names under which the server reads them, unless their
 * counterparts are set too.
 * @returns the logged line, if any; it contains no values
 */
export function warnOfPeerVariables(log: Log, options: Options, environment: Environment): readonly string[] {
  const unread = Object.keys(environment)
    .filter((name) => isPeerVariable(name) && environment[name] !== undefined)
    .map((name) => ({ name, ours: ourVariable(name) }))
    .filter(({ ours }) => ours === undefined || environment[ours] === undefined)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  // Variables of the user may have the prefix, and are no reason for a warning.
  if (unread.every(({ ours }) => ours === undefined)) return [];
  const secret = hasAdminSecret(options)
    ? undefined
    : unread.find(({ ours }) => ours !== undefined && secrets.has(ours));
  const open = secret ? `${secret.name} is not read, and the server has no admin secret: set ${secret.ours}; ` : "";
  const names = unread.map(({ name, ours }) => `${name} (${ours === undefined ? "no counterpart" : `here ${ours}`})`);
  const message =
    `${open}variables of the original engine have no effect: ${names.join(", ")}; ` +
    "`engine import --env --out .env` writes them under the names of this engine";
  warnAtStartup(log, "peer_variables", { message });
  return [message];
}

const secrets: ReadonlySet<string> = new Set([
  "ENGINE_GRAPHQL_ADMIN_SECRET",
  "ENGINE_GRAPHQL_ADMIN_SECRETS",
  "ENGINE_GRAPHQL_ACCESS_KEY",
]);
