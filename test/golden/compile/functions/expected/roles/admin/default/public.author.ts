// Generated: change the metadata, not this file.
// From   table public.author (source default): role admin
// Slice  sha256:80f3bf64

import { allowDelete, allowInsert, allowUpdate, tableView, toRows } from "engine/support";
import {
  author as table,
  columns,
  computedFields,
} from "../../../sources/default/public.author.js";
import { article } from "./public.article.js";

/** Insert permission of role admin on public.author, without a check. */
const insert = allowInsert({
  columns: [columns.id, columns.first_name, columns.last_name, columns.birth_year],
});

/** Update permission of role admin on public.author, for every row. */
const update = allowUpdate({
  columns: [columns.id, columns.first_name, columns.last_name, columns.birth_year],
});

/** Delete permission of role admin on public.author, for every row. */
const remove = allowDelete();

/** Select permission of role admin on public.author, for every row. */
export const author = tableView(table, {
  columns: [columns.id, columns.first_name, columns.last_name, columns.birth_year],
  computedFields: {
    age: computedFields.age,
    full_name: computedFields.full_name,
    is_adult: computedFields.is_adult,
    newest: toRows(computedFields.newest, () => article),
    nicknames: computedFields.nicknames,
    published: toRows(computedFields.published, () => article),
    written: toRows(computedFields.written, () => article),
  },
  aggregations: true,
  insert,
  update,
  delete: remove,
});
