/** Bundles generated files and the runtime into ESM files with source maps. Reads only the package's own bundle. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";
import type { Loader, Metafile, Plugin } from "esbuild";
import { packageFolder } from "../../config/package-folder.ts";
import { EngineError, invariant } from "../../values/errors.ts";
import type { OutputFiles } from "../compile/output-folder.ts";
import { build } from "../esbuild.ts";
import { versionCheckCode } from "../node-version.ts";
import { entryPaths } from "./entry.ts";

/** Bundled modules of the package, by the specifier under which generated modules and entries import them. */
const packages: Readonly<Record<string, string>> = {
  "engine/sealed": ".build/sealed.mjs",
  "engine/sealed-library": ".build/sealed-library.mjs",
  "engine/sealed-workers": ".build/sealed-workers.mjs",
  "engine/support": ".build/support.mjs",
};

export interface BundleInput {
  /** Generated modules, the entries and what they import. */
  readonly files: OutputFiles;
  /** Parts that the metadata does not use and the bundle omits: drivers by kind of database, `export` of telemetry. */
  readonly unused: readonly string[];
}

/** A bundle's entry: the server, its primary process with `--workers`, or the library for host programs. */
export type BundleUse = keyof typeof entryPaths;

export interface Bundle {
  readonly code: string;
  readonly map: string;
  /** Bundled files, as source maps name them. */
  readonly sources: readonly string[];
}

/** File names without extensions. */
const names: Readonly<Record<BundleUse, string>> = { server: "server", workers: "workers", library: "engine" };

/** Packages that the host program provides: it executes a mounted schema with its own `graphql`. */
const externals: Readonly<Record<BundleUse, ReadonlySet<string>>> = {
  server: new Set(),
  workers: new Set(),
  library: new Set(["graphql"]),
};

/** @throws EngineError when the package has not been built */
export async function bundleArtifact(use: BundleUse, { files, unused }: BundleInput): Promise<Bundle> {
  const root = fileURLToPath(packageFolder());
  const missing = Object.values(packages).filter((path) => !existsSync(`${root}${path}`));
  if (missing.length > 0) {
    throw new EngineError("not-found", "$", `the package lacks ${missing.join(", ")}: run \`npm run build\` first`);
  }
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: [`${generated}:${entryPaths[use]}`],
    // Nothing is written to this folder; names in the source map are relative to it.
    outdir: `${root}artifact`,
    entryNames: names[use],
    external: [...externals[use]],
    outExtension: { ".js": ".mjs" },
    write: false,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    // A library's map only lists its files and is not shipped, since a server reads the whole artifact at start-up.
    sourcemap: use === "server" ? "linked" : "external",
    legalComments: "none",
    // A server parses the whole file at start-up. Lines are limited so that stack traces have useful positions.
    minifyWhitespace: true,
    minifySyntax: true,
    lineLimit: 160,
    banner: { js: versionCheckCode(use === "library" ? "library" : "program") },
    plugins: [generatedFiles(files, root), without(unused), ...(use === "workers" ? [] : [noPrograms]), nodeModules],
    metafile: true,
    logLevel: "silent",
  });
  const imported = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
  const unbundled = imported.filter((path) => !isBuiltin(path) && !externals[use].has(path));
  invariant(unbundled.length === 0, `${names[use]}.mjs imports modules that were not bundled: ${unbundled.join(", ")}`);
  const textOf = (name: string): string => {
    const file = outputFiles.find(({ path }) => posix.basename(path) === name);
    invariant(file, `the bundler wrote no ${name}`);
    return file.text;
  };
  const map: SourceMap = JSON.parse(textOf(`${names[use]}.mjs.map`));
  return {
    code: textOf(`${names[use]}.mjs`),
    map: JSON.stringify(withoutPackages(map)),
    sources: [...map.sources, ...(await unmappedSources(root, metafile))],
  };
}

interface SourceMap {
  readonly sources: readonly string[];
  readonly sourcesContent: readonly (string | null)[];
}

/**
 * Returns the sources of bundled modules that consist of packages. Their maps list sources but no positions, and esbuild
 * leaves sources without positions out of the map of a bundle.
 */
async function unmappedSources(root: string, { outputs }: Metafile): Promise<readonly string[]> {
  const inputs = Object.values(outputs).flatMap(({ inputs }) => Object.entries(inputs));
  const modules = inputs.filter(([path, { bytesInOutput }]) => path.startsWith(".build/") && bytesInOutput > 0);
  const maps = await Promise.all(modules.map(([path]) => readFile(`${root}${path}.map`, "utf8")));
  return maps.flatMap((text) => {
    const { mappings, sources }: { mappings: string; sources: readonly string[] } = JSON.parse(text);
    return mappings === "" ? sources : [];
  });
}

/** Keeps only the text of generated modules, because packages are public and a server reads the map at start-up. */
function withoutPackages(map: SourceMap): SourceMap {
  const isGenerated = (source: string | undefined): boolean => source?.startsWith(`${generated}:`) ?? false;
  const sourcesContent = map.sourcesContent.map((text, i) => (isGenerated(map.sources[i]) ? text : null));
  return { ...map, sourcesContent };
}

const generated = "generated";
const loaders: Readonly<Record<string, Loader>> = { ".ts": "ts", ".json": "json", ".mjs": "js" };

/** Returns a plugin with which the bundler reads the generated files from memory. */
function generatedFiles(files: OutputFiles, root: string): Plugin {
  return {
    name: generated,
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^engine\// }, ({ path }) => {
        const file = packages[path];
        return file === undefined ? undefined : { path: `${root}${file}`, sideEffects: false };
      });
      onResolve({ filter: /^generated:/ }, ({ path }) => ({
        namespace: generated,
        path: path.slice(generated.length + 1),
      }));
      onResolve({ filter: /^\./, namespace: generated }, ({ path, importer }) => {
        const target = posix.join(posix.dirname(importer), path);
        return { namespace: generated, path: files.has(target) ? target : target.replace(/\.js$/, ".ts") };
      });
      onLoad({ filter: /.*/, namespace: generated }, ({ path }) => {
        const contents = files.get(path);
        if (contents === undefined) return { errors: [{ text: `no generated file ${path}` }] };
        return { contents, loader: loaders[posix.extname(path)] ?? "text" };
      });
    },
  };
}

/**
 * Returns a plugin that replaces unused parts with empty modules. The package's bundle imports each part lazily from a
 * file named after it.
 */
function without(parts: readonly string[]): Plugin {
  return {
    name: "unused",
    setup({ onResolve, onLoad }) {
      if (parts.length === 0) return;
      const filter = new RegExp(`^\\./(?:${parts.join("|")})-[A-Z0-9]+\\.mjs$`);
      onResolve({ filter }, ({ path }) => ({ namespace: "unused", path, sideEffects: false }));
      onLoad({ filter: /.*/, namespace: "unused" }, () => ({ contents: "export default undefined;" }));
    },
  };
}

/** Stubs `node:child_process`, which only `pg_dump` and the primary process of `--workers` need. */
const noPrograms: Plugin = {
  name: "no-programs",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:child_process$/ }, ({ path }) => ({ namespace: "programs", path, sideEffects: false }));
    onLoad({ filter: /.*/, namespace: "programs" }, () => ({
      contents: 'export function execFile() { throw new Error("an artifact starts no programs"); }',
    }));
  },
};

/** Marks Node's own modules as free of side effects, so that unused imports are dropped. */
const nodeModules: Plugin = {
  name: "node-modules",
  setup({ onResolve }) {
    onResolve({ filter: /^node:/ }, ({ path }) => ({ path, external: true, sideEffects: false }));
  },
};
