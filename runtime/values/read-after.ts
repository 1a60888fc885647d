/**
 * What a client has seen of the databases, as it says in the header `X-Engine-Read-After`: places in their logs by the names
 * of sources, for example `shop=0/3000060,stock=0/16B3748`. Places are those that the databases tell (for PostgreSQL the
 * text of a `pg_lsn`), or `latest`: only the primary is sure to have been there.
 */
export const readAfterHeader = "x-engine-read-after";

export const latest = "latest";

export type ReadAfter = ReadonlyMap<string, string>;

const nothing: ReadAfter = new Map();

/** @returns `latest` where the text cannot be read: no answer may be older than what the client knows */
export function parseReadAfter(text: string | undefined): ReadAfter | typeof latest {
  if (text === undefined || text === "") return nothing;
  const places = new Map<string, string>();
  for (const entry of text.split(",")) {
    const [, name, place] = /^\s*([^=\s]+)=([0-9A-Fa-f]{1,8}\/[0-9A-Fa-f]{1,8}|latest)\s*$/.exec(entry) ?? [];
    const source = name === undefined ? undefined : decoded(name);
    if (source === undefined || place === undefined) return latest;
    places.set(source, place);
  }
  return places;
}

export function printReadAfter(places: ReadAfter): string {
  return [...places].map(([name, place]) => `${encodeURIComponent(name)}=${place}`).join(",");
}

/** Where a source has to be. @returns `undefined`: anywhere */
export function placeOfSource(after: ReadAfter | typeof latest, source: string): string | undefined {
  return after === latest ? latest : after.get(source);
}

function decoded(name: string): string | undefined {
  try {
    return decodeURIComponent(name);
  } catch {
    // Not written by `printReadAfter`.
    return undefined;
  }
}
