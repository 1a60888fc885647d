// Generated: change the metadata, not this file.
// From   role customer: tables
// Slice  sha256:cdf41c9f

import { type TablesByName } from "engine/support";
import { shirt } from "./default/public.shirt.js";

/** Tables on which role customer has a permission. */
export const tables: TablesByName = { default: { public: { shirt: () => shirt } } };
