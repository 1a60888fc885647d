// Generated: change the metadata, not this file.
// From   enum table public.size (source default)
// Slice  sha256:98feca5b

import { defineEnum } from "engine/support";
import { defaultSource } from "./source.js";

/** Rows of enum table public.size. */
export const size = defineEnum({
  source: defaultSource,
  type: "size",
  values: { large: null, small: null },
});
