/** The response cache of a server. */

import type { ResponseCacheService } from "../ports/response-cache.ts";
import type { ResponseCache } from "./caching/response-cache.ts";
import type { Generation } from "./generation.ts";

export interface ResponseCaching {
  readonly cache: ResponseCache;
  /** Clears the caches of all processes of the server. */
  readonly clearing: ResponseCacheService;
  /** Returns a key that differs by installation, databases and metadata version. */
  realmOf(generation: Generation): string;
}
