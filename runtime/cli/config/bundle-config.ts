/** `engine.config.ts` with all that it imports → one module. */
import { existsSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { BuildFailure, Plugin } from "esbuild";
import { ConfigurationError } from "../../config/configuration-error.ts";
import { packageFolder } from "../../config/package-folder.ts";
import { EngineError, invariant } from "../../values/errors.ts";

export interface BundledConfig {
  readonly code: string;
  /** JSON. */
  readonly map: string;
}

const names = ["engine.config.ts", "engine.config.mts", "engine.config.js", "engine.config.mjs"];

/**
 * The file to load; `undefined`: there is none.
 * @param given a file that was named
 * @throws ConfigurationError where that does not exist
 */
export function configFile(folder: string, given: string | undefined): string | undefined {
  if (given === undefined) return names.map((name) => resolve(folder, name)).find((file) => existsSync(file));
  if (existsSync(given)) return resolve(given);
  throw new ConfigurationError([{ setting: "--config", message: `${given} does not exist` }]);
}

/** What code says of its own place. An artifact is moved, and must not tell where it was built. */
function placeIn(file: string): Readonly<Record<string, string>> {
  return {
    "import.meta.url": JSON.stringify(pathToFileURL(file).href),
    "import.meta.filename": JSON.stringify(file),
    "import.meta.dirname": JSON.stringify(dirname(file)),
  };
}

/** @throws ConfigurationError with file and line of each mistake */
export async function bundleConfig(file: string, use: "live" | "sealed"): Promise<BundledConfig> {
  const own = fileURLToPath(new URL(".build/config.mjs", packageFolder()));
  if (!existsSync(own)) {
    throw new EngineError("not-found", "$", "the package has no .build/config.mjs: run its script `build` first");
  }
  // Loaded here: most servers do without.
  const { build } = await import("esbuild");
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
    // Packages that are no ES modules require Node's own.
    banner: { js: requireBanner },
    define: use === "live" ? placeIn(file) : {},
    plugins: [configPackage(own)],
    logLevel: "silent",
  }).catch((failure: BuildFailure) => {
    throw mistakes(failure, file);
  });
  const textOf = (ending: string): string => {
    const output = result.outputFiles.find(({ path }) => path.endsWith(ending));
    invariant(output, `the bundler wrote no ${ending}`);
    return output.text;
  };
  return { code: textOf(".mjs"), map: textOf(".map") };
}

const requireBanner =
  'import { createRequire as createRequireOfConfig } from "node:module"; const require = createRequireOfConfig(import.meta.url);';

/** The package whose command runs, wherever the file lies. */
function configPackage(path: string): Plugin {
  return {
    name: "config",
    setup({ onResolve }) {
      onResolve({ filter: /^engine\/config$/ }, () => ({ path }));
    },
  };
}

function mistakes(failure: BuildFailure, file: string): ConfigurationError {
  if (!Array.isArray(failure.errors)) throw failure;
  return new ConfigurationError(
    failure.errors.map(({ text, location }) => ({
      setting: null,
      message: text,
      place: location ? `${location.file}:${location.line}` : basename(file),
    })),
  );
}
