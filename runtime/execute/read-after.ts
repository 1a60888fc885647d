/** Reads that follow what a client has written or seen: which copies of a database may answer it, and what it is told. */

import type { DatabaseSource, Reader } from "../databases/sources/source.ts";
import type { AnswerHeaders } from "../ports/graphql.ts";
import {
  latest,
  parseReadAfter,
  placeOfSource,
  printReadAfter,
  type ReadAfter,
  readAfterHeader,
} from "../values/read-after.ts";
import type { Session } from "../values/session.ts";

type Client = Pick<Session, "clientHeaders">;

/** Whether the client says what it has seen. */
export function followsOthers({ clientHeaders }: Client): boolean {
  return clientHeaders?.[readAfterHeader] !== undefined;
}

/** What answers reads of the session. */
export function readerOf(source: DatabaseSource, { clientHeaders }: Client): Reader {
  if (source.reader === undefined) return source;
  const given = clientHeaders?.[readAfterHeader];
  return source.reader(given === undefined ? undefined : placeOfSource(parseReadAfter(given), source.name));
}

/** Tells the client where sources are that were written to, beside what it said itself. */
export async function tellPlaces(
  written: Iterable<DatabaseSource>,
  { clientHeaders }: Client,
  headers: AnswerHeaders | undefined,
): Promise<void> {
  const sources = [...new Set(written)].filter(({ logPlace }) => logPlace !== undefined);
  if (sources.length === 0 || headers?.setReadAfter === undefined) return;
  const before = parseReadAfter(clientHeaders?.[readAfterHeader]);
  const places = new Map<string, string>(before === latest ? new Map<string, string>() : (before satisfies ReadAfter));
  await Promise.all(sources.map(async (source) => places.set(source.name, await placeOf(source))));
  headers.setReadAfter(printReadAfter(places));
}

/** It was written: that the place cannot be had does not undo it. */
async function placeOf(source: DatabaseSource): Promise<string> {
  try {
    return (await source.logPlace?.()) ?? latest;
  } catch {
    return latest;
  }
}
