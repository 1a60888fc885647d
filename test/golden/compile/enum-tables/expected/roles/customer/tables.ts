// Generated: change the metadata, not this file.
// From   role customer: tables
// Slice  sha256:cdf41c9f

import { type TablesByName } from "engine/support";
import { shirt } from "./default/public.shirt.js";

/** The tables that role customer has some permission on. */
export const tables: TablesByName = { default: { public: { shirt: () => shirt } } };
