/** The database that `engine database check` creates, or the empty one of its URL. */
import type { SourceKind } from "../../../compiler/catalog/model.ts";
import { ConfigurationError } from "../../config/configuration-error.ts";
import type { Target } from "./check-database.ts";
import { openMssqlTarget } from "./mssql-target.ts";
import { openPostgresTarget } from "./postgres-target.ts";

const openers: Readonly<Record<SourceKind, (url: URL) => Promise<Target>>> = {
  postgres: openPostgresTarget,
  mssql: openMssqlTarget,
};

const protocols: Readonly<Record<string, SourceKind>> = {
  "postgres:": "postgres",
  "postgresql:": "postgres",
  "mssql:": "mssql",
};

/**
 * @throws ConfigurationError for another URL
 * @throws EngineError if the server is unreachable, or the database cannot be used
 */
export async function openTarget(text: string): Promise<Target> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const kind = url && Object.hasOwn(protocols, url.protocol) ? protocols[url.protocol] : undefined;
  if (url === undefined || kind === undefined || url.hostname === "") {
    const message = "expected postgres://user:password@host:port/database or mssql://user:password@host:port";
    throw new ConfigurationError([{ setting: "--url", message }]);
  }
  return openers[kind](url);
}
