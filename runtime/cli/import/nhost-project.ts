/**
 * Projects of Nhost, a host of the original engine: the folder `nhost` has the metadata, migrations and seeds of a usual
 * project, and `nhost.toml` has settings of the servers.
 */
import { readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import type { Finding } from "./findings.ts";

export const nhostFolder = "nhost";
export const nhostSettings = "nhost.toml";

/** Maximum length of the settings in characters. Longer ones are ignored. */
const maxLength = 1024 * 1024;

/** Variables of this engine, by the settings' names. None of the values is a secret. */
const variables: Readonly<Record<string, string>> = {
  "hasura.settings.corsDomain": "ENGINE_GRAPHQL_CORS_DOMAIN",
  "hasura.settings.devMode": "ENGINE_GRAPHQL_DEV_MODE",
  "hasura.settings.enableAllowList": "ENGINE_GRAPHQL_ENABLE_ALLOWLIST",
  "hasura.settings.enableConsole": "ENGINE_GRAPHQL_ENABLE_CONSOLE",
  "hasura.settings.enableRemoteSchemaPermissions": "ENGINE_GRAPHQL_ENABLE_REMOTE_SCHEMA_PERMISSIONS",
  "hasura.settings.enabledAPIs": "ENGINE_GRAPHQL_ENABLED_APIS",
  "hasura.settings.inferFunctionPermissions": "ENGINE_GRAPHQL_INFER_FUNCTION_PERMISSIONS",
  "hasura.settings.liveQueriesMultiplexedRefetchInterval": "ENGINE_GRAPHQL_LIVE_QUERIES_MULTIPLEXED_REFETCH_INTERVAL",
  "hasura.settings.stringifyNumericTypes": "ENGINE_GRAPHQL_STRINGIFY_NUMERIC_TYPES",
  "hasura.logs.level": "ENGINE_GRAPHQL_LOG_LEVEL",
  "hasura.events.httpPoolSize": "ENGINE_GRAPHQL_EVENTS_HTTP_POOL_SIZE",
  "hasura.authHook.url": "ENGINE_GRAPHQL_AUTH_HOOK",
  "hasura.authHook.mode": "ENGINE_GRAPHQL_AUTH_HOOK_MODE",
  "hasura.authHook.sendRequestBody": "ENGINE_GRAPHQL_AUTH_HOOK_SEND_REQUEST_BODY",
};

/** Settings whose values are not shown, with what to do instead. */
const leftOut: Readonly<Record<string, string>> = {
  "hasura.adminSecret": "is a secret and left out: set ENGINE_GRAPHQL_ADMIN_SECRET, for example in .env",
  "hasura.webhookSecret": "is a secret and left out: set NHOST_WEBHOOK_SECRET if the metadata refers to it",
  "hasura.jwtSecrets":
    "are left out: set ENGINE_GRAPHQL_JWT_SECRET, and --header-alias X-Hasura-=X-Engine- for the claims of Nhost's tokens",
};

/** Sections of services that create the tables of a schema, which no migration does. */
const services: Readonly<Record<string, string>> = { auth: "auth", storage: "storage", ai: "graphite" };

/** Returns the manual steps for the settings of a project; none without `nhost.toml`. */
export async function nhostFindings(project: string, folder: string): Promise<readonly Finding[]> {
  const file = join(folder, nhostSettings);
  const text = await readFile(file, "utf8").catch(() => "");
  if (text.length > maxLength) return [];
  return [...settingsIn(text)].flatMap(({ name, value, line }): readonly Finding[] => {
    const message = adviceOn(name, value);
    return message === undefined ? [] : [{ kind: "todo", place: `${relative(project, file)}:${line}`, message }];
  });
}

function adviceOn(name: string, value: string | undefined): string | undefined {
  const key = name.slice(name.lastIndexOf(".") + 1);
  const schema = Object.hasOwn(services, name) ? services[name] : undefined;
  if (schema !== undefined && value === undefined) {
    return `${name} is a service of Nhost, which creates the tables of the schema ${schema}: run it, or add them to a migration`;
  }
  if (name === "global.environment.name") return `set the variable ${value} for the server`;
  if (Object.hasOwn(leftOut, name)) return `${key} ${leftOut[name]}`;
  if (Object.hasOwn(variables, name)) return `${key}: set ${variables[name]}${value === undefined ? "" : `=${value}`}`;
  const isUnknown = value !== undefined && /^hasura\.(?:settings|logs|events|authHook)\./.test(name);
  return isUnknown ? `${key} has no equivalent` : undefined;
}

interface Setting {
  /** Name with its section, such as `hasura.settings.devMode`; the name of a section alone for its header. */
  readonly name: string;
  /** `undefined` for a header, and for values that are not plain text. */
  readonly value: string | undefined;
  readonly line: number;
}

/** Yields the headers and settings of a TOML text; lists may take several lines. */
function* settingsIn(text: string): Iterable<Setting> {
  let section = "";
  const lines = text.split(/\r?\n/);
  for (let index = 0; index < lines.length; index++) {
    const line = index + 1;
    const written = withoutComment(lines[index] ?? "");
    const [, header] = /^\s*\[\[?\s*([\w.-]+)\s*\]\]?\s*$/.exec(written) ?? [];
    if (header !== undefined) {
      section = header;
      yield { name: header, value: undefined, line };
      continue;
    }
    const [, key, first = ""] = /^\s*([\w-]+)\s*=\s*(.*)$/.exec(written) ?? [];
    if (key === undefined) continue;
    let value = first.trim();
    while (value.startsWith("[") && !value.endsWith("]") && index + 1 < lines.length) {
      value += withoutComment(lines[++index] ?? "").trim();
    }
    yield { name: `${section}.${key}`, value: plainValue(value), line };
  }
}

/** Removes a comment, which begins outside of quotes. */
function withoutComment(line: string): string {
  return /^(?:[^#"']|"(?:[^"\\]|\\.)*"|'[^']*')*/.exec(line)?.[0] ?? "";
}

/** Returns a string, number, boolean or list as a variable's text; `undefined` for other values and characters. */
function plainValue(value: string): string | undefined {
  const items = value.startsWith("[") ? value.slice(1, -1).split(",") : [value];
  const plain = items.map((item) => item.trim().replace(/^(["'])(.*)\1$/, "$2")).filter((item) => item !== "");
  const text = plain.join(",");
  return /^[\w.,:*/@ -]*$/.test(text) ? text : undefined;
}
