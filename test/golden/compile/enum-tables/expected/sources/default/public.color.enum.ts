// Generated: change the metadata, not this file.
// From   enum table public.color (source default)
// Slice  sha256:5771d356

import { defineEnum } from "engine/support";
import { defaultSource } from "./source.js";

/** Rows of enum table public.color. */
export const color = defineEnum({
  source: defaultSource,
  type: "paint",
  values: { ["__proto__"]: "Not */ a `${trap}`.", blue: null, red: "Like blood." },
});
