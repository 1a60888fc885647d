/** Emits all files of handlers, as in an empty folder. */
import { emitGenerated } from "./emit-generated.ts";
import { emitHandlerFile } from "./emit-handler-file.ts";
import { generatedModulePath, type Handlers } from "./handlers.ts";

/**
 * Returns texts by path, with slashes. Existing files of the user take precedence over all files except the generated
 * module.
 */
export function emitHandlers(model: Handlers): ReadonlyMap<string, string> {
  const own = model.handlers.map((handler) => [handler.path, emitHandlerFile(handler)] as const);
  return new Map([[generatedModulePath, emitGenerated(model)], ...own]);
}
