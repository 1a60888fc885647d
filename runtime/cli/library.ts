/** The main export of the package: the engine as a library. */
import type { openEngine as OpenEngine } from "../server/embedding/engine.d.mts";
import { openLiveEngine } from "../server/live/open-engine.ts";
import { version } from "./version.ts";

export const openEngine: typeof OpenEngine = async (settings = {}) => openLiveEngine(settings, version);
