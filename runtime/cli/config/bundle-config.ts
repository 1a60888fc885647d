/** Bundles `engine.config.ts` with its imports into one module. */
import { existsSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { BuildFailure, Plugin } from "esbuild";
import { ConfigurationError } from "../../config/configuration-error.ts";
import { packageFolder } from "../../config/package-folder.ts";
import { EngineError, invariant } from "../../values/errors.ts";
import { build } from "../esbuild.ts";

export interface BundledConfig {
  readonly code: string;
  /** Source map as JSON. */
  readonly map: string;
}

const names = ["engine.config.ts", "engine.config.mts", "engine.config.js", "engine.config.mjs"];

/**
 * Returns the file to load, if any.
 * @param given path from `--config`
 * @throws ConfigurationError if `given` does not exist
 */
export function configFile(folder: string, given: string | undefined): string | undefined {
  if (given === undefined) return names.map((name) => resolve(folder, name)).find((file) => existsSync(file));
  if (existsSync(given)) return resolve(given);
  throw new ConfigurationError([{ setting: "--config", message: `no such file: ${given}` }]);
}

/** Returns values of `import.meta` for the original file. Not for artifacts, which must not reveal the build's paths. */
function importMeta(file: string): Readonly<Record<string, string>> {
  return {
    "import.meta.url": JSON.stringify(pathToFileURL(file).href),
    "import.meta.filename": JSON.stringify(file),
    "import.meta.dirname": JSON.stringify(dirname(file)),
  };
}

/** @throws ConfigurationError with file and line of each error */
export async function bundleConfig(file: string, use: "live" | "sealed"): Promise<BundledConfig> {
  const own = fileURLToPath(new URL(".build/config.mjs", packageFolder()));
  if (!existsSync(own)) {
    throw new EngineError("not-found", "$", "the package lacks .build/config.mjs: run `npm run build` first");
  }
  const result = await build({
    absWorkingDir: dirname(file),
    entryPoints: [file],
    outfile: "engine.config.mjs",
    write: false,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    sourcemap: "external",
    legalComments: "none",
    // CommonJS packages use `require` for Node's own modules.
    banner: { js: requireBanner },
    define: use === "live" ? importMeta(file) : {},
    plugins: [configPackage(own)],
    logLevel: "silent",
  }).catch((failure: BuildFailure) => {
    throw configurationError(failure, file);
  });
  const textOf = (ending: string): string => {
    const output = result.outputFiles.find(({ path }) => path.endsWith(ending));
    invariant(output, `the bundler wrote no ${ending} file`);
    return output.text;
  };
  return { code: textOf(".mjs"), map: textOf(".map") };
}

const requireBanner =
  'import { createRequire as createRequireOfConfig } from "node:module"; const require = createRequireOfConfig(import.meta.url);';

/** Resolves `engine/config` to the running package, wherever the file is. */
function configPackage(path: string): Plugin {
  return {
    name: "config",
    setup({ onResolve }) {
      onResolve({ filter: /^engine\/config$/ }, () => ({ path }));
    },
  };
}

function configurationError(failure: BuildFailure, file: string): ConfigurationError {
  if (!Array.isArray(failure.errors)) throw failure;
  return new ConfigurationError(
    failure.errors.map(({ text, location }) => ({
      setting: null,
      message: text,
      place: location ? `${location.file}:${location.line}` : basename(file),
    })),
  );
}
