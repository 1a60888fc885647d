// Generated: change the metadata, not this file.
// From   role visitor: tables
// Slice  sha256:a995cd67

import { type TablesByName } from "engine/support";
import { client } from "./default/public.client.js";

/** Tables on which role visitor has a permission. */
export const tables: TablesByName = { default: { public: { client: () => client } } };
