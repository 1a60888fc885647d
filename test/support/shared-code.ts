/** The code of generated modules, cached across all programs of a run, because most programs share most modules. */
import { CodeCache } from "../../runtime/control/load/code-cache.ts";

export const sharedCode = new CodeCache();
