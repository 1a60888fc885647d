import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");

/** Collects the garbage of this process at once, so that a measurement of its memory counts only referenced objects. */
export const collectGarbage: () => void = runInNewContext("gc");
