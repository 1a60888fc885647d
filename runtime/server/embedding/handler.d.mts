/**
 * The engine as a handler of requests, for hosts that import one: opened by the first request, with what the environment
 * of the process says. Written by hand, since the package and artifacts ship it as it is.
 */
import type { Engine, EngineSettings } from "./engine.mjs";

/** Answers 503 where the engine cannot start, says why on standard error, and tries again at the next request. */
export type EngineHandler = Pick<Engine, "fetch" | "listener" | "upgrade" | "close">;

/** A handler whose engine is opened with settings of the program, in place of the environment of the process alone. */
export declare function createHandler(settings: EngineSettings): EngineHandler;

export declare const fetch: EngineHandler["fetch"];
export declare const listener: EngineHandler["listener"];
export declare const upgrade: EngineHandler["upgrade"];
export declare const close: EngineHandler["close"];
