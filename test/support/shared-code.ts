/** The code of generated modules, kept for all programs of a run: most of them have most modules in common. */
import { CodeCache } from "../../runtime/control/load/code-cache.ts";

export const sharedCode = new CodeCache();
