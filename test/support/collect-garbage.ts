import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");

/** Collects the garbage of this process at once, so that a measure of its memory counts only what is still held. */
export const collectGarbage: () => void = runInNewContext("gc");
