/** Location of a source's server for metrics and traces: host, port and database, never credentials. */
import type { DatabasePlace } from "../source.ts";
import { parseConnectionString } from "./connection-string.ts";
import type { PostgresSettings } from "./settings.ts";

const usualPort = 5432;

/** Returns the location, or `undefined` if the connection string is in a file, which may change, or is invalid. */
export function databasePlace({ connection }: Pick<PostgresSettings, "connection">): DatabasePlace | undefined {
  if (connection.kind === "file") return undefined;
  try {
    const { host = "", port = usualPort, database = "" } = parseConnectionString(connection.text.reveal());
    return { address: host, port, database };
  } catch {
    // The first connection reports the error.
    return undefined;
  }
}

export function serverLabel(settings: Pick<PostgresSettings, "connection">): string {
  if (settings.connection.kind === "file") return "dynamic";
  const place = databasePlace(settings);
  return place ? `${place.address}:${place.port}/${place.database}` : "";
}
