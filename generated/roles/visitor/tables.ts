// Generated: change the metadata, not this file.
// From   role visitor: tables
// Slice  sha256:eb22f065

import { type TablesByName } from "engine/support";
import { author } from "./default/public.author.js";
import { book } from "./default/public.book.js";
import { branch } from "./default/public.branch.js";
import { copy } from "./default/public.copy.js";
import { review } from "./default/public.review.js";

/** Tables on which role visitor has a permission. */
export const tables: TablesByName = {
  default: {
    public: {
      author: () => author,
      book: () => book,
      branch: () => branch,
      copy: () => copy,
      review: () => review,
    },
  },
};
