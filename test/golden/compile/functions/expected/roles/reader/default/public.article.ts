// Generated: change the metadata, not this file.
// From   table public.article (source default): permissions of role reader
// Slice  sha256:12f5d317

import { type RowFilter, sql, tableView } from "engine/support";
import { article as table, columns } from "../../../sources/default/public.article.js";

/** Rows that role reader may read: {"is_published":true} */
const visible: RowFilter = (article) => sql`${article}."is_published" = 'true'::bool`;

/** Select permission of role reader on public.article. */
export const article = tableView(table, {
  columns: [columns.id, columns.title],
  visible,
  aggregations: true,
});
