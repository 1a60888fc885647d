/** Determines the databases of a live server: configured databases, or an embedded PostgreSQL. */
import type { Options } from "../../config/option-table.ts";
import type { Environment } from "../../config/options.ts";
import { openAsOwner } from "../../databases/embedded-postgres/owner-role.ts";
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from "../../databases/embedded-postgres/start-embedded-postgres.ts";
import type { Log } from "../../observe/logs/log.ts";

export interface Databases {
  /** The URL of the metadata database. */
  readonly metadataUrl: string;
  /** The URL of the source `default`; `null` if the options contain none. */
  readonly sourceUrl: string | null;
  /** The environment for resolving metadata, including the variable with the source's URL. */
  readonly environment: Environment;
  readonly embedded: EmbeddedPostgres | null;
}

const sourceVariable = "ENGINE_GRAPHQL_DATABASE_URL";

/**
 * @param onProgram called when a program of the embedded PostgreSQL has started; there may be several
 * @throws EmbeddedPostgresError if no database is configured and the embedded one cannot start
 */
export async function openDatabases(
  options: Options,
  environment: Environment,
  log: Log,
  onProgram?: () => void,
): Promise<Databases> {
  const sourceUrl = options.databaseUrl?.reveal() ?? null;
  const metadataUrl = options.metadataDatabaseUrl?.reveal() ?? sourceUrl;
  if (metadataUrl !== null) return databasesAt({ metadataUrl, sourceUrl }, environment);
  const embedded = await startEmbeddedPostgres({
    dataDirectory: options.dataDirectory,
    log: (message) => log[levelOfServerLine(message)]("pg-client", { message }),
    ...(onProgram && { onProgram }),
  });
  try {
    const [data = null, metadata = ""] = await openAsOwner(embedded.url, {
      databases: ["engine", "engine_metadata"],
      mayBecomeSuperuser: options.embeddedSuperuser,
    });
    return { ...databasesAt({ metadataUrl: metadata, sourceUrl: data }, environment), embedded };
  } catch (error) {
    await embedded.stop();
    throw error;
  }
}

/** Returns databases that run independently of this process. */
export function databasesAt(
  { metadataUrl, sourceUrl }: Pick<Databases, "metadataUrl" | "sourceUrl">,
  environment: Environment,
): Databases {
  const resolved = sourceUrl === null ? environment : { ...environment, [sourceVariable]: sourceUrl };
  return { metadataUrl, sourceUrl, environment: resolved, embedded: null };
}

/** Messages about connections that end when the server stops. */
const shutdownMessage =
  /FATAL: {2}(terminating connection due to administrator command|the database system is shutting down)/;

/**
 * Returns `warn` for server problems and `debug` for everything else. Statement errors are reported by their senders.
 * @param line such as `2026-01-31 12:00:00.000 UTC [7] LOG: …`
 */
export function levelOfServerLine(line: string): "debug" | "warn" {
  return /\b(?:WARNING|FATAL|PANIC): /.test(line) && !shutdownMessage.test(line) ? "warn" : "debug";
}
