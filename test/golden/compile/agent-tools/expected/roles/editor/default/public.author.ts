// Generated: change the metadata, not this file.
// From   table public.author (source default): permissions of role editor
// Slice  sha256:9e6b10bc

import { allowInsert, nestedRows, tableView } from "engine/support";
import { author as table, columns, joins } from "../../../sources/default/public.author.js";
import { book } from "./public.book.js";

/** Insert permission of role editor on public.author, without a check. */
const insert = allowInsert({
  columns: [columns.id, columns.name],
  nested: { books: nestedRows(joins.books, () => book) },
});

/** Write permissions of role editor on public.author. */
export const author = tableView(table, { readable: false, insert });
