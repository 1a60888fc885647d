/**
 * The engine as a request handler for hosts that import one. The first request opens the engine with the environment of
 * the process. Written by hand, because the package and artifacts ship this file unchanged.
 */
import type { Engine, EngineSettings } from "./engine.mjs";

/**
 * Responds with status 503 if the engine cannot start, writes the reason to standard error, and retries on the next
 * request.
 */
export type EngineHandler = Pick<Engine, "fetch" | "listener" | "upgrade" | "close">;

/** Creates a handler whose engine is opened with the given settings. */
export declare function createHandler(settings: EngineSettings): EngineHandler;

export declare const fetch: EngineHandler["fetch"];
export declare const listener: EngineHandler["listener"];
export declare const upgrade: EngineHandler["upgrade"];
export declare const close: EngineHandler["close"];
