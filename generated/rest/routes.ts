// Generated: change the metadata, not this file.
// From   REST endpoints
// Slice  sha256:459a84e8

import { type RouteNode } from "engine/support";
import { endpoint as book } from "./book+1.js";
import { endpoint as findBooks } from "./find-books+1.js";
import { endpoint as lend } from "./lend+1.js";
import { endpoint as myLoans } from "./my-loans+1.js";
import { endpoint as renew } from "./renew+1.js";
import { endpoint as search } from "./search+1.js";

/** Endpoints by the path segments below /api/rest/; `variable` matches any segment. */
export const routes: RouteNode = {
  literals: {
    books: { variable: { endpoints: [() => book] }, endpoints: [() => findBooks] },
    loans: { variable: { endpoints: [() => renew] }, endpoints: [() => lend] },
    my: { literals: { loans: { endpoints: [() => myLoans] } } },
    search: { endpoints: [() => search] },
  },
};
