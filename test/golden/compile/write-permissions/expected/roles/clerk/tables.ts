// Generated: change the metadata, not this file.
// From   role clerk: tables
// Slice  sha256:522739de

import { type TablesByName } from "engine/support";
import { client } from "./default/public.client.js";
import { invoice } from "./default/public.invoice.js";

/** Tables on which role clerk has a permission. */
export const tables: TablesByName = {
  default: { public: { client: () => client, invoice: () => invoice } },
};
