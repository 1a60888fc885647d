// Generated: change the metadata, not this file.
// From   REST endpoints
// Slice  sha256:459a84e8

import { type RouteNode } from "engine/support";
import { endpoint as Book } from "./+book.js";
import { endpoint as Find_books } from "./+find=20=books.js";
import { endpoint as Lend } from "./+lend.js";
import { endpoint as My_loans } from "./+my=20=loans.js";
import { endpoint as Renew } from "./+renew.js";
import { endpoint as Search } from "./+search.js";

/** Which endpoints the segments of a path below /api/rest/ lead to; `variable` is any segment. */
export const routes: RouteNode = {
  literals: {
    books: { variable: { endpoints: [() => Book] }, endpoints: [() => Find_books] },
    loans: { variable: { endpoints: [() => Renew] }, endpoints: [() => Lend] },
    my: { literals: { loans: { endpoints: [() => My_loans] } } },
    search: { endpoints: [() => Search] },
  },
};
