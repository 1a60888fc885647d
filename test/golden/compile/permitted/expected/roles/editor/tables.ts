// Generated: change the metadata, not this file.
// From   role editor: tables
// Slice  sha256:fa46312a

import { type TablesByName } from "engine/support";
import { author } from "./default/public.author.js";
import { book } from "./default/public.book.js";
import { loan } from "./default/public.loan.js";

/** Tables on which role editor has a permission. */
export const tables: TablesByName = {
  default: { public: { author: () => author, book: () => book, loan: () => loan } },
};
