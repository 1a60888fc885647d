/** Locates the package folder, from which fixtures are loaded, both from the bundle and from source. */
import { existsSync } from "node:fs";

/** Returns the folder that contains `package.json`, as a URL with a trailing slash. */
export function packageFolder(): URL {
  for (let folder = new URL("./", import.meta.url); ; folder = new URL("../", folder)) {
    if (existsSync(new URL("package.json", folder))) return folder;
    if (folder.pathname === "/") throw new Error("invariant: the engine runs from its package");
  }
}
