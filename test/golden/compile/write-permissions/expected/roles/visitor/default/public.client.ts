// Generated: change the metadata, not this file.
// From   table public.client (source default): permissions of role visitor
// Slice  sha256:00b81784

import { allowInsert, preset, sql, tableView } from "engine/support";
import { client as table } from "../../../sources/default/public.client.js";

/** Insert permission of role visitor on public.client, without a check. */
const insert = allowInsert({
  columns: [],
  presets: [
    preset(`"id"`, () => sql`'1'::int4`),
    preset(`"name"`, (session) => sql`${session("x-engine-user-id")}::text`),
    preset(`"tenant"`, () => sql`'7'::int4`),
  ],
});

/** Write permissions of role visitor on public.client. */
export const client = tableView(table, { readable: false, insert });
