// Generated: change the metadata, not this file.
// From   role member: tables
// Slice  sha256:1442b84f

import { type TablesByName } from "engine/support";
import { author } from "./default/public.author.js";
import { book } from "./default/public.book.js";
import { branch } from "./default/public.branch.js";
import { copy } from "./default/public.copy.js";
import { loan } from "./default/public.loan.js";
import { member } from "./default/public.member.js";
import { review } from "./default/public.review.js";

/** Tables on which role member has a permission. */
export const tables: TablesByName = {
  default: {
    public: {
      author: () => author,
      book: () => book,
      branch: () => branch,
      copy: () => copy,
      loan: () => loan,
      member: () => member,
      review: () => review,
    },
  },
};
