// Generated: change the metadata, not this file.
// From   table public.log_entry (source default)
// Slice  sha256:4a991d2b

import {
  column,
  constraint,
  copyColumn,
  defineTable,
  insertBefore,
  joinOn,
  pg,
  sql,
} from "engine/support";
import { defaultSource } from "./source.js";

/** Columns of public.log_entry. */
export const columns = {
  entryId: column("entryId", `"entry_id"`, pg("int4")),
  shipId: column("shipId", `"ship_id"`, pg("int4")),
  entry_json: column("entry_json", `"entry_data"`, pg("jsonb")),
  isFinal: column("isFinal", `"is_final"`, pg("bool")),
};

/** Table public.log_entry. */
export const log_entry = defineTable({
  source: defaultSource,
  sql: `"public"."log_entry"`,
  type: "diary_page",
  displayName: "log_entry",
  primaryKey: [columns.entryId],
  constraints: [constraint("log_entry_pkey", `"log_entry_pkey"`, ["entry_id"])],
});

/** Join conditions of relationships. */
export const joins = {
  /** ship_id is a foreign key to sea_port.cargo_ship. */
  the_ship: joinOn(
    (log_entry, cargo_ship) => sql`${cargo_ship}."ship_id" = ${log_entry}."ship_id"`,
    { unique: true, insert: insertBefore([copyColumn(`"ship_id"`, `"ship_id"`, pg("int4"))]) },
  ),
};
