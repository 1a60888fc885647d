// Generated: change the metadata, not this file.
// From   role importer
// Slice  sha256:eddab562

import { defineRole, insertRows, namespace } from "engine/support";
import { defaultSource as source } from "../../sources/default/source.js";
import { island } from "./default/public.island.js";
import { tables } from "./tables.js";

/** Root fields of role importer. */
export const role = defineRole({
  role: "importer",
  query: {},
  mutation: {
    atlas: namespace(source, {
      the_insert_island_now: insertRows(() => island, { backendOnly: true }),
    }),
  },
  tables: () => tables,
});
