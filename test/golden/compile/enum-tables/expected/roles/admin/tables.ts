// Generated: change the metadata, not this file.
// From   role admin: tables
// Slice  sha256:33830476

import { type TablesByName } from "engine/support";
import { color } from "./default/public.color.js";
import { shirt } from "./default/public.shirt.js";
import { size } from "./default/public.size.js";

/** Tables on which role admin has a permission. */
export const tables: TablesByName = {
  default: { public: { color: () => color, shirt: () => shirt, size: () => size } },
};
