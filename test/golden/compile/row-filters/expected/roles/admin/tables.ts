// Generated: change the metadata, not this file.
// From   role admin: tables
// Slice  sha256:a679d3f4

import { type TablesByName } from "engine/support";
import { customer } from "./default/public.customer.js";
import { purchase } from "./default/public.purchase.js";
import { support_agent } from "./default/public.support_agent.js";

/** Tables on which role admin has a permission. */
export const tables: TablesByName = {
  default: {
    public: {
      customer: () => customer,
      purchase: () => purchase,
      support_agent: () => support_agent,
    },
  },
};
