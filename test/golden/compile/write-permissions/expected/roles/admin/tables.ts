// Generated: change the metadata, not this file.
// From   role admin: tables
// Slice  sha256:1bcfd24a

import { type TablesByName } from "engine/support";
import { client } from "./default/public.client.js";
import { invoice } from "./default/public.invoice.js";

/** Tables on which role admin has a permission. */
export const tables: TablesByName = {
  default: { public: { client: () => client, invoice: () => invoice } },
};
