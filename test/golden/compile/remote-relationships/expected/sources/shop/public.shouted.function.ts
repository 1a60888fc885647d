// Generated: change the metadata, not this file.
// From   function public.shouted (source shop)
// Slice  sha256:70821d62

import { argument, defineFunction, pg } from "engine/support";
import { shop } from "./source.js";

/** Function public.shouted. */
export const shouted = defineFunction({
  source: shop,
  sql: `"public"."shouted"`,
  displayName: "shouted",
  arguments: [argument(pg("orders", { cast: "public.orders", category: "composite" }))],
  returnsSet: false,
});
