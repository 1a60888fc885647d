/** Which databases a server starts with: those of the options, or an embedded PostgreSQL. */
import pg from "pg";
import type { Options } from "../config/option-table.ts";
import type { Environment } from "../config/options.ts";
import { levelOfServerLine } from "../embedded-postgres/server-line.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../embedded-postgres/start-embedded-postgres.ts";
import type { Log } from "../observe/log.ts";

export interface Databases {
  /** Holds the metadata. */
  readonly metadataUrl: string;
  /** The source `default`; `null`: none comes from the options. */
  readonly sourceUrl: string | null;
  /** The environment that metadata is resolved with: `from_env` finds the source's URL in it. */
  readonly environment: Environment;
  readonly embedded: EmbeddedPostgres | null;
}

const sourceVariable = "ENGINE_GRAPHQL_DATABASE_URL";

/** @throws EmbeddedPostgresError when none is configured and the embedded one cannot start */
export async function openDatabases(options: Options, environment: Environment, log: Log): Promise<Databases> {
  const sourceUrl = options.databaseUrl?.reveal() ?? null;
  const metadataUrl = options.metadataDatabaseUrl?.reveal() ?? sourceUrl;
  if (metadataUrl !== null) return databasesAt({ metadataUrl, sourceUrl }, environment);
  const embedded = await startEmbeddedPostgres({
    dataDirectory: options.dataDirectory,
    log: (message) => log[levelOfServerLine(message)]("pg-client", { message }),
  });
  try {
    const data = await ensureDatabase(embedded.url, "engine");
    const metadata = await ensureDatabase(embedded.url, "engine_metadata");
    return { ...databasesAt({ metadataUrl: metadata, sourceUrl: data }, environment), embedded };
  } catch (error) {
    await embedded.stop();
    throw error;
  }
}

/** Databases that run without this process. */
export function databasesAt(
  { metadataUrl, sourceUrl }: Pick<Databases, "metadataUrl" | "sourceUrl">,
  environment: Environment,
): Databases {
  const resolved = sourceUrl === null ? environment : { ...environment, [sourceVariable]: sourceUrl };
  return { metadataUrl, sourceUrl, environment: resolved, embedded: null };
}

/** The URL of a database of the embedded server, made when it is missing. */
async function ensureDatabase(serverUrl: string, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    const { rowCount } = await client.query("select 1 from pg_database where datname = $1", [name]);
    if (!rowCount) await client.query(`create database ${client.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}
