// Generated: change the metadata, not this file.
// From   function public.yearly_rent (source default)
// Slice  sha256:a73471b6

import { argument, defineFunction, pg } from "engine/support";
import { defaultSource } from "./source.js";

/** Function public.yearly_rent. */
export const yearly_rent = defineFunction({
  source: defaultSource,
  sql: `"public"."yearly_rent"`,
  displayName: "yearly_rent",
  arguments: [
    argument(pg("lodger", { cast: "public.lodger", category: "composite" }), {
      field: "l",
      sql: `"l"`,
    }),
  ],
  returnsSet: false,
});
