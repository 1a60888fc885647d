/** One fetch of a key set from its URL. */
import type { HttpUrl } from "../../../config/http-url.ts";
import type { HttpReply } from "../../../outbound/http-call.ts";
import { callFailure, type HttpClient } from "../../../outbound/http-client.ts";
import { type IdentifiedKey, readKeySet } from "./key-set.ts";
import type { CacheHeaders } from "./refresh-time.ts";

export interface FetchedKeys {
  readonly keys: readonly IdentifiedKey[];
  /** The set as it came, to tell whether it changed. */
  readonly text: string;
  readonly cache: CacheHeaders;
}

/** Its message names the URL without the query string. */
export class KeyFetchError extends Error {}

/** @throws KeyFetchError */
export async function fetchKeys(client: HttpClient, url: HttpUrl): Promise<FetchedKeys> {
  let reply: HttpReply;
  try {
    reply = await client.call({ method: "GET", url: url.reveal(), headers: { accept: "application/json" } });
  } catch (error) {
    throw new KeyFetchError(`Error fetching JWK: ${callFailure(error)}`);
  }
  const { status, headers, text } = reply;
  if (status < 200 || status > 299) throw new KeyFetchError(`Non-2xx response on fetching JWK from: ${url}`);
  const keys = readKeySet(parse(text));
  if (keys === null) throw new KeyFetchError(`Error parsing JWK from url: ${url}`);
  return { keys, text, cache: { cacheControl: header(headers["cache-control"]), expires: header(headers.expires) } };
}

/** `undefined` when the text is not JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function header(value: string | readonly string[] | undefined): string | null {
  return value === undefined ? null : [value].flat().join(",");
}
