// Generated: change the metadata, not this file.
// From   REST endpoints
// Slice  sha256:459a84e8

import { type RouteNode } from "engine/support";
import { endpoint as Book } from "./book=1.js";
import { endpoint as Find_books } from "./find-books=1.js";
import { endpoint as Lend } from "./lend=1.js";
import { endpoint as My_loans } from "./my-loans=1.js";
import { endpoint as Renew } from "./renew=1.js";
import { endpoint as Search } from "./search=1.js";

/** Which endpoints the segments of a path below /api/rest/ lead to; `variable` is any segment. */
export const routes: RouteNode = {
  literals: {
    books: { variable: { endpoints: [() => Book] }, endpoints: [() => Find_books] },
    loans: { variable: { endpoints: [() => Renew] }, endpoints: [() => Lend] },
    my: { literals: { loans: { endpoints: [() => My_loans] } } },
    search: { endpoints: [() => Search] },
  },
};
