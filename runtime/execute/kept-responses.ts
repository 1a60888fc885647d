/** Where answers are kept, and which of them are of one metadata. */

import type { ResponseCacheService } from "../ports/response-cache.ts";
import type { ResponseCache } from "./caching/response-cache.ts";
import type { Generation } from "./generation.ts";

export interface KeptResponses {
  readonly cache: ResponseCache;
  /** Clears them, wherever processes of the server keep them. */
  readonly clearing: ResponseCacheService;
  /** Differs where the same query may have another answer: by installation, databases and version of the metadata. */
  realmOf(generation: Generation): string;
}
