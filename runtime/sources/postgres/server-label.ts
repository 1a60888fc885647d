/** What metrics call the server of a source: host, port and database, never who connects. */
import { parseConnectionString } from "./connection-string.ts";
import type { PostgresSettings } from "./settings.ts";

export function serverLabel({ connection }: Pick<PostgresSettings, "connection">): string {
  // Another server may be in the file every time it is read.
  if (connection.kind === "file") return "dynamic";
  try {
    const { host = "", port = 5432, database = "" } = parseConnectionString(connection.text.reveal());
    return `${host}:${port}/${database}`;
  } catch {
    // The first connection says what is wrong with it.
    return "";
  }
}
