/** Where the package lies: its fixtures are found from there, from the bundle as well as from source. */
import { existsSync } from "node:fs";

/** The folder that holds `package.json`, as a URL that ends in a slash. */
export function packageFolder(): URL {
  for (let folder = new URL("./", import.meta.url); ; folder = new URL("../", folder)) {
    if (existsSync(new URL("package.json", folder))) return folder;
    if (folder.pathname === "/") throw new Error("invariant: the engine runs from its package");
  }
}
