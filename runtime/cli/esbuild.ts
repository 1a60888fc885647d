/** esbuild, which npm installs with a separate package for the program of each platform. */
import type { build as runBuild } from "esbuild";
import { EngineError } from "../values/errors.ts";

/**
 * Bundles with esbuild, which is loaded on first use because few commands need it.
 * @throws EngineError `not-found` if optional dependencies were left out, so that its program is missing
 */
export const build: typeof runBuild = async (options) => {
  const esbuild = await import("esbuild");
  try {
    return await esbuild.build(options);
  } catch (error) {
    const name =
      error instanceof Error ? /^The package "(@esbuild\/[\w-]+)" could not be found/.exec(error.message) : null;
    if (name === null) throw error;
    const message = `the program of esbuild is not installed: run \`npm install ${name[1]}@${esbuild.version}\``;
    throw new EngineError("not-found", "$", message);
  }
};
