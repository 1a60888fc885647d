// Generated: change the metadata, not this file.
// From   role clerk: tables
// Slice  sha256:522739de

import { type TablesByName } from "engine/support";
import { client } from "./default/public.client.js";
import { invoice } from "./default/public.invoice.js";

/** The tables that role clerk has some permission on. */
export const tables: TablesByName = {
  default: { public: { client: () => client, invoice: () => invoice } },
};
