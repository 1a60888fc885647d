/** What `engine start` tells a person once it serves. The log goes to standard output, this to standard error. */

import { redactUrl } from "../databases/sources/connection-settings.ts";
import type { Databases } from "../server/live/databases.ts";

export interface NextSteps {
  readonly port: number;
  readonly demo: boolean;
  /** Requests need no secret. */
  readonly isOpen: boolean;
  /** What is probably wrong with the settings, a line each. */
  readonly warnings: readonly string[];
  readonly databases: Databases;
  /** About an admin secret that the start has made; absent: it has made none. */
  readonly secretLine?: string | undefined;
}

const demoQuery = "{ book(order_by: {title: asc}) { title author { name } } }";

export function nextSteps({ port, demo, isOpen, warnings, databases, secretLine }: NextSteps): string {
  const base = `http://localhost:${port}`;
  const secret = isOpen ? "" : " -H 'X-Engine-Admin-Secret: …'";
  const lines = ["", `engine serves on ${base}`];
  const { embedded, sourceUrl } = databases;
  if (embedded && sourceUrl !== null) {
    lines.push(`embedded PostgreSQL: ${redactUrl(sourceUrl)}, data in ${embedded.dataDirectory}`);
  }
  if (secretLine !== undefined) lines.push(secretLine);
  if (demo) {
    lines.push(
      "",
      "Ask the sample library, as a librarian; then as a member, who sees less:",
      `  curl ${base}/v1/graphql${secret} -H 'X-Engine-Role: librarian' -d '{"query": "${demoQuery}"}'`,
    );
  } else {
    lines.push(
      "",
      "Make a table, track it, ask for its rows:",
      `  curl ${base}/v2/query${secret} -d '{"type": "run_sql", "args": {"sql": "create table note (id serial primary key, text text)"}}'`,
      `  curl ${base}/v1/metadata${secret} -d '{"type": "pg_track_table", "args": {"table": "note"}}'`,
      `  curl ${base}/v1/graphql${secret} -d '{"query": "{ note { id text } }"}'`,
    );
  }
  for (const warning of warnings) lines.push("", `WARNING: ${warning}`);
  lines.push("", "Stop with Ctrl-C.", "");
  return lines.join("\n");
}
