/** The export `engine/handler` of the package. */
import type { EngineSettings } from "../server/embedding/engine.d.mts";
import type { EngineHandler } from "../server/embedding/handler.d.mts";
import { handlerOf } from "../server/embedding/handler.ts";
import { openLiveEngine } from "../server/live/open-engine.ts";
import { version } from "./version.ts";

export const createHandler = (settings: EngineSettings): EngineHandler =>
  handlerOf(async () => openLiveEngine(settings, version));

const handler = createHandler({});

export const { fetch, listener, upgrade, close } = handler;
