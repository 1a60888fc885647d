// Generated: change the metadata, not this file.
// From   role admin
// Slice  sha256:090fe4dc

import {
  defineRole,
  deleteByPk,
  deleteRows,
  insertRow,
  insertRows,
  namespace,
  selectAggregate,
  selectByPk,
  selectFunction,
  selectFunctionAggregate,
  selectGroups,
  selectMany,
  streamRows,
  updateByPk,
  updateMany,
  updateRows,
} from "engine/support";
import { tracked as islands_named } from "../../sources/default/public.islands_named.function.js";
import { tracked as rename_island } from "../../sources/default/public.rename_island.function.js";
import { defaultSource as source } from "../../sources/default/source.js";
import { island } from "./default/public.island.js";
import { tables } from "./tables.js";

/** Root fields of role admin. */
export const role = defineRole({
  role: "admin",
  query: {
    atlas: namespace(source, {
      the_island_aggregate_now: selectAggregate(() => island),
      the_island_by_pk_now: selectByPk(() => island),
      the_island_group_now: selectGroups(() => island),
      the_island_now: selectMany(() => island),
      the_islands_named_aggregate_now: selectFunctionAggregate(() => island, islands_named),
      the_islands_named_now: selectFunction(() => island, islands_named),
    }),
  },
  subscription: {
    atlas: namespace(source, {
      the_island_aggregate_now: selectAggregate(() => island),
      the_island_by_pk_now: selectByPk(() => island),
      the_island_group_now: selectGroups(() => island),
      the_island_now: selectMany(() => island),
      the_island_stream_now: streamRows(() => island),
      the_islands_named_aggregate_now: selectFunctionAggregate(() => island, islands_named),
      the_islands_named_now: selectFunction(() => island, islands_named),
    }),
  },
  mutation: {
    atlas: namespace(source, {
      the_delete_island_by_pk_now: deleteByPk(() => island),
      the_delete_island_now: deleteRows(() => island),
      the_insert_island_now: insertRows(() => island),
      the_insert_island_one_now: insertRow(() => island),
      the_rename_island_now: selectFunction(() => island, rename_island),
      the_update_island_by_pk_now: updateByPk(() => island),
      the_update_island_many_now: updateMany(() => island),
      the_update_island_now: updateRows(() => island),
    }),
  },
  tables: () => tables,
});
