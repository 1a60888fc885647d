// Generated: change the metadata, not this file.
// From   role listener
// Slice  sha256:8e415b20

import {
  defineRole,
  namespace,
  selectByPk,
  selectFunction,
  selectMany,
  streamRows,
} from "engine/support";
import { tracked as islands_named } from "../../sources/default/public.islands_named.function.js";
import { defaultSource as source } from "../../sources/default/source.js";
import { island } from "./default/public.island.js";
import { tables } from "./tables.js";

/** Root fields of role listener. */
export const role = defineRole({
  role: "listener",
  query: {
    atlas: namespace(source, {
      the_islands_named_now: selectFunction(() => island, islands_named),
    }),
  },
  subscription: {
    atlas: namespace(source, {
      the_island_by_pk_now: selectByPk(() => island),
      the_island_now: selectMany(() => island),
      the_island_stream_now: streamRows(() => island),
      the_islands_named_now: selectFunction(() => island, islands_named),
    }),
  },
  tables: () => tables,
});
