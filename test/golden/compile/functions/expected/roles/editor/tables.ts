// Generated: change the metadata, not this file.
// From   role editor: tables
// Slice  sha256:474b45fa

import { type TablesByName } from "engine/support";
import { article } from "./default/public.article.js";

/** The tables that role editor has some permission on. */
export const tables: TablesByName = { default: { public: { article: () => article } } };
