// Generated: change the metadata, not this file.
// From   role tailor: tables
// Slice  sha256:80fa9c99

import { type TablesByName } from "engine/support";
import { shirt } from "./default/public.shirt.js";
import { size } from "./default/public.size.js";

/** Tables on which role tailor has a permission. */
export const tables: TablesByName = {
  default: { public: { shirt: () => shirt, size: () => size } },
};
