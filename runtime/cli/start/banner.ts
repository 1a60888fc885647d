/** The text that `engine start` prints on a terminal when the server is ready. */

import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import picocolors from "picocolors";
import { redactUrl } from "../../databases/sources/connection-settings.ts";
import { shellQuoted } from "../../values/quoted.ts";
import { psqlUrl } from "../psql-url.ts";

export interface Banner {
  readonly version: string;
  /** Origin of the server, such as `http://localhost:8080`. */
  readonly address: string;
  readonly hasConsole: boolean;
  readonly database: BannerDatabase;
  readonly isDemo: boolean;
  /** Header with the admin secret, quoted for a shell; `null` if requests need none. */
  readonly secretHeader: string | null;
  /** Describes a generated admin secret, if any. */
  readonly generatedSecret: string | undefined;
  readonly warnings: readonly string[];
  /** Time between the start of the process and readiness. */
  readonly seconds: number;
}

interface BannerDatabase {
  readonly url: string;
  /** True for the embedded PostgreSQL, whose password is valid on this machine and until the server stops. */
  readonly isEmbedded: boolean;
  /** True if the options contain no source, only the database for the metadata. */
  readonly isMetadataOnly: boolean;
  /** Command of the engine that connects to the database, if there is one. */
  readonly command: string | null;
}

interface BannerSettings {
  readonly isColored: boolean;
  /** True if `psql` is installed. */
  readonly hasPsql: boolean;
}

type Row = readonly [label: string, text: string];

const labelWidth = 11;

/** Returns the banner, which ends with the time to readiness. */
export function bannerText(banner: Banner, { isColored, hasPsql }: BannerSettings): string {
  const { bold, cyan, dim, yellow } = picocolors.createColors(isColored);
  const { version, address, hasConsole, database, generatedSecret, warnings, seconds } = banner;
  const rows: readonly Row[] = [
    ["API", cyan(`${address}/v1/graphql`)],
    ...(hasConsole ? [["Console", cyan(`${address}/console`)] as const] : []),
    ["Database", databaseText(database, hasPsql)],
    ...(generatedSecret === undefined ? [] : [["Secret", generatedSecret] as const]),
    ...(banner.isDemo ? demoSteps(banner) : [["Next", nextStep(banner)] as const]),
    ...(warnings.length === 0 ? [] : [["Warning", yellow(warnings.join("; "))] as const]),
  ];
  const lines = rows.map(([label, text]) => `${dim(label.padEnd(labelWidth))}${text}`);
  return ["", bold(`engine ${version}`), "", ...lines, "", `ready in ${seconds.toFixed(1)} s`, ""].join("\n");
}

function nextStep({ address, hasConsole, database, secretHeader }: Banner): string {
  if (hasConsole) return "open the console to create and track tables";
  if (database.isEmbedded) {
    const sql = "create table note (id serial primary key, text text)";
    const body = { type: "run_sql", args: { sql } };
    return `create a table: ${curl(`${address}/v2/query`, { secretHeader, body })}`;
  }
  const [step, body] = database.isMetadataOnly
    ? ["read the metadata", { type: "export_metadata", args: {} }]
    : ["track a table", { type: "pg_track_table", args: { table: "NAME" } }];
  return `${step}: ${curl(`${address}/v1/metadata`, { secretHeader, body })}`;
}

const memberId = "00000000-0000-4000-8000-000000000001";

/** Returns the same query for two roles, one of which sees less. */
function demoSteps({ address, hasConsole, secretHeader }: Banner): readonly Row[] {
  const body = { query: "{ member(order_by: {name: asc}) { name loans { due_on } } }" };
  const query = (...session: readonly string[]): string =>
    curl(`${address}/v1/graphql`, { secretHeader, headers: session.map((header) => `'${header}'`), body });
  return [
    ["Next", `${hasConsole ? "open the console, then " : ""}query the sample library as two roles:`],
    ["Librarian", query("X-Engine-Role: librarian")],
    ["Member", query("X-Engine-Role: member", `X-Engine-User-Id: ${memberId}`)],
  ];
}

interface CurlParts {
  readonly secretHeader: string | null;
  /** Further headers, quoted for a shell. */
  readonly headers?: readonly string[];
  /** JSON without single quotes. */
  readonly body: object;
}

function curl(url: string, { secretHeader, headers = [], body }: CurlParts): string {
  const all = secretHeader === null ? headers : [secretHeader, ...headers];
  return ["curl", url, ...all.map((header) => `-H ${header}`), `-d '${JSON.stringify(body)}'`].join(" ");
}

/** Returns the address and a command that connects to it. The password of an external database is left out. */
function databaseText({ url, isEmbedded, isMetadataOnly, command }: BannerDatabase, hasPsql: boolean): string {
  const shown = isEmbedded ? url : psqlUrl(url)?.url;
  const role = isMetadataOnly ? " (metadata only)" : "";
  if (shown === undefined) return `${redactUrl(url)}${role}`;
  if (!hasPsql) return `${shown} (psql is not installed)${role}`;
  return command === null ? `psql ${shellQuoted(shown)}${role}` : `${shown} (to connect: ${command})${role}`;
}

/** Returns true if a program is in a folder of `PATH`. */
export function isInstalled(program: string, path = process.env.PATH ?? ""): boolean {
  return path.split(delimiter).some((folder) => {
    if (folder === "") return false;
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
