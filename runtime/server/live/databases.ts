/** Which databases a server starts with: those of the options, or an embedded PostgreSQL. */
import type { Options } from "../../config/option-table.ts";
import type { Environment } from "../../config/options.ts";
import { openAsOwner } from "../../databases/embedded-postgres/owner-role.ts";
import { levelOfServerLine } from "../../databases/embedded-postgres/server-line.ts";
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from "../../databases/embedded-postgres/start-embedded-postgres.ts";
import type { Log } from "../../observe/logs/log.ts";

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

/** Databases that run without this process. */
export function databasesAt(
  { metadataUrl, sourceUrl }: Pick<Databases, "metadataUrl" | "sourceUrl">,
  environment: Environment,
): Databases {
  const resolved = sourceUrl === null ? environment : { ...environment, [sourceVariable]: sourceUrl };
  return { metadataUrl, sourceUrl, environment: resolved, embedded: null };
}
