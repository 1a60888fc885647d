// Generated: change the metadata, not this file.
// From   table public.author (source default): permissions of role filtered
// Slice  sha256:8d3c6312

import { type RowFilter, sql, tableView, wholeSession } from "engine/support";
import { author as table, columns } from "../../../sources/default/public.author.js";

/**
 * Rows that role filtered may read: {"_and":[{"full_name":{"_like":"A%"}},{"is_adult":true},
 * {"_or":[{"published":{"title":{"_ceq":["$","first_name"]}}},
 * {"_not":{"newest":{"heading":{"_is_null":true}}}}]}]}
 */
const visible: RowFilter = (author) => sql`
  "public"."full_name"(${author}.*) like 'A%'::text
  and "public"."is_adult"(${author}.*, ${wholeSession}::json) = 'true'::bool
  and (
    exists (
      select 1 from "public"."published"(${author}.*) article_1
      where article_1."title" = ${author}."first_name"
    )
    or not (
      exists (
        select 1 from "public"."latest"(${author}.*) article_2
        where not (article_2.* is null)
        and "public"."author"(article_2.*) is null
      )
    )
  )`;

/** Select permission of role filtered on public.author. */
export const author = tableView(table, { columns: [columns.id], visible });
