/** Where the server of a source is, for metrics and traces: host, port and database, never who connects. */
import type { DatabasePlace } from "../source.ts";
import { parseConnectionString } from "./connection-string.ts";
import type { PostgresSettings } from "./settings.ts";

const usualPort = 5432;

/** @returns `undefined`: another server may be in the file every time it is read, or the text cannot be read */
export function databasePlace({ connection }: Pick<PostgresSettings, "connection">): DatabasePlace | undefined {
  if (connection.kind === "file") return undefined;
  try {
    const { host = "", port = usualPort, database = "" } = parseConnectionString(connection.text.reveal());
    return { address: host, port, database };
  } catch {
    // The first connection says what is wrong with it.
    return undefined;
  }
}

export function serverLabel(settings: Pick<PostgresSettings, "connection">): string {
  if (settings.connection.kind === "file") return "dynamic";
  const place = databasePlace(settings);
  return place ? `${place.address}:${place.port}/${place.database}` : "";
}
