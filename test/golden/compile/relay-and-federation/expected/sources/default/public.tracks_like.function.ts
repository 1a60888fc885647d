// Generated: change the metadata, not this file.
// From   function public.tracks_like (source default)
// Slice  sha256:d0962d58

import { argument, defineFunction, pg, trackFunction } from "engine/support";
import { defaultSource } from "./source.js";

/** Function public.tracks_like. */
export const tracks_like = defineFunction({
  source: defaultSource,
  sql: `"public"."tracks_like"`,
  displayName: "tracks_like",
  arguments: [argument(pg("text"), { field: "search", sql: `"search"` })],
  returnsSet: true,
});

/** The function as root fields call it. */
export const tracked = trackFunction(tracks_like, { type: "tracks_like" });
