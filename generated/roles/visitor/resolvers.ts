// Generated: change the metadata, not this file.
// From   role visitor
// Slice  sha256:1798f87d

import { defineRole, selectByPk, selectMany } from "engine/support";
import { author } from "./default/public.author.js";
import { book } from "./default/public.book.js";
import { branch } from "./default/public.branch.js";
import { copy } from "./default/public.copy.js";
import { review } from "./default/public.review.js";

/** What role visitor may ask. */
export const role = defineRole({
  role: "visitor",
  query: {
    author: selectMany(() => author),
    author_by_pk: selectByPk(() => author),
    book: selectMany(() => book),
    book_by_pk: selectByPk(() => book),
    branch: selectMany(() => branch),
    branch_by_pk: selectByPk(() => branch),
    copy: selectMany(() => copy),
    copy_by_pk: selectByPk(() => copy),
    review: selectMany(() => review),
  },
  tables: {
    default: {
      public: {
        author: () => author,
        book: () => book,
        branch: () => branch,
        copy: () => copy,
        review: () => review,
      },
    },
  },
});
