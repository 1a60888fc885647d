/**
 * The header `X-Engine-Read-After`: the minimum log position of each source for a response, for example
 * `shop=0/3000060,stock=0/16B3748`. A position has the form that the database uses (for PostgreSQL, the text of a
 * `pg_lsn`), or is `latest`, which only the primary satisfies.
 */
export const readAfterHeader = "x-engine-read-after";

export const latest = "latest";

export type ReadAfter = ReadonlyMap<string, string>;

const nothing: ReadAfter = new Map();

/** Returns `latest` for a malformed text, so that no response is older than the client's last one. */
export function parseReadAfter(text: string | undefined): ReadAfter | typeof latest {
  if (text === undefined || text === "") return nothing;
  const positions = new Map<string, string>();
  for (const entry of text.split(",")) {
    const [, name, position] = /^\s*([^=\s]+)=([0-9A-Fa-f]{1,8}\/[0-9A-Fa-f]{1,8}|latest)\s*$/.exec(entry) ?? [];
    const source = name === undefined ? undefined : decoded(name);
    if (source === undefined || position === undefined) return latest;
    positions.set(source, position);
  }
  return positions;
}

export function printReadAfter(positions: ReadAfter): string {
  return [...positions].map(([name, position]) => `${encodeURIComponent(name)}=${position}`).join(",");
}

/** Returns the minimum log position of a source, if any. */
export function requiredLogPosition(after: ReadAfter | typeof latest, source: string): string | undefined {
  return after === latest ? latest : after.get(source);
}

function decoded(name: string): string | undefined {
  try {
    return decodeURIComponent(name);
  } catch {
    // `printReadAfter` does not write such texts.
    return undefined;
  }
}
