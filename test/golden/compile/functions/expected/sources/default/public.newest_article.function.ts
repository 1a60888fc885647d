// Generated: change the metadata, not this file.
// From   function public.newest_article (source default)
// Slice  sha256:5bd38606

import { defineFunction, trackFunction } from "engine/support";
import { defaultSource } from "./source.js";

/** Function public.newest_article. */
export const newest_article = defineFunction({
  source: defaultSource,
  sql: `"public"."newest_article"`,
  displayName: "newest_article",
  arguments: [],
  returnsSet: false,
});

/** The function as root fields call it. */
export const tracked = trackFunction(newest_article, { type: "newest_article" });
