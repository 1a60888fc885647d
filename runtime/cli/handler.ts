/** What the package exports as `engine/handler`. */
import type { EngineHandler } from "../library/handler.d.mts";
import { handlerOf } from "../library/handler.ts";
import { openLiveEngine } from "../live/open-engine.ts";
import { version } from "./version.ts";

const handler: EngineHandler = handlerOf(() => openLiveEngine({}, version));

export const { fetch, listener, upgrade, close } = handler;
