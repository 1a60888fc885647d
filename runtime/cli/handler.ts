/** What the package exports as `engine/handler`. */
import type { EngineSettings } from "../library/engine.d.mts";
import type { EngineHandler } from "../library/handler.d.mts";
import { handlerOf } from "../library/handler.ts";
import { openLiveEngine } from "../live/open-engine.ts";
import { version } from "./version.ts";

export const createHandler = (settings: EngineSettings): EngineHandler =>
  handlerOf(async () => openLiveEngine(settings, version));

const handler = createHandler({});

export const { fetch, listener, upgrade, close } = handler;
