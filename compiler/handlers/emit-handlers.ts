/** Handlers → all files, as they are in an empty folder. */
import { emitGenerated } from "./emit-generated.ts";
import { emitHandlerFile } from "./emit-handler-file.ts";
import { generatedModulePath, type Handlers } from "./handlers.ts";

/** Text by path, with slashes; of all but the generated module the user's own text takes the place. */
export function emitHandlers(model: Handlers): ReadonlyMap<string, string> {
  const own = model.handlers.map((handler) => [handler.path, emitHandlerFile(handler)] as const);
  return new Map([[generatedModulePath, emitGenerated(model)], ...own]);
}
