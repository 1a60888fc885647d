/** Generated files → ESM files with the runtime, and their source maps. Reads nothing but the package's own bundle. */
import { existsSync } from "node:fs";
import { isBuiltin } from "node:module";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";
import type { Loader, Plugin } from "esbuild";
import { packageFolder } from "../../config/package-folder.ts";
import { EngineError, invariant } from "../../values/errors.ts";
import type { OutputFiles } from "../compile/output-folder.ts";
import { entryPaths } from "./entry.ts";

/** What the generated modules and the entries import besides each other. */
const packages: Readonly<Record<string, string>> = {
  "engine/sealed": ".build/sealed.mjs",
  "engine/sealed-library": ".build/sealed-library.mjs",
  "engine/sealed-workers": ".build/sealed-workers.mjs",
  "engine/support": ".build/support.mjs",
};

export interface BundleInput {
  /** Generated modules, the entries and what they import. */
  readonly files: OutputFiles;
  /** What is left out, because the metadata has no use for it: drivers by kinds of databases, `export` of telemetry. */
  readonly unused: readonly string[];
}

/** What an artifact is for: a server that runs by itself, that server in several processes, or other programs. */
export type BundleUse = keyof typeof entryPaths;

export interface Bundle {
  readonly code: string;
  readonly map: string;
  /** Files that it was made from, as the source map names them. */
  readonly sources: readonly string[];
}

/** Names of the files, without their endings. */
const names: Readonly<Record<BundleUse, string>> = { server: "server", workers: "workers", library: "engine" };

/** What may be missing from a bundle: the executor of the program that mounts a schema. */
const outsideOf: Readonly<Record<BundleUse, ReadonlySet<string>>> = {
  server: new Set(),
  workers: new Set(),
  library: new Set(["graphql"]),
};

/** @throws EngineError when the package has not been built */
export async function bundleArtifact(use: BundleUse, { files, unused }: BundleInput): Promise<Bundle> {
  const root = fileURLToPath(packageFolder());
  const missing = Object.values(packages).filter((path) => !existsSync(`${root}${path}`));
  if (missing.length > 0) {
    throw new EngineError("not-found", "$", `the package has no ${missing.join(", ")}: run its script \`build\` first`);
  }
  // Loaded here: the other commands do without.
  const { build } = await import("esbuild");
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: [`${generated}:${entryPaths[use]}`],
    // Nothing is written there; names in the source map are relative to it.
    outdir: `${root}artifact`,
    entryNames: names[use],
    external: [...outsideOf[use]],
    outExtension: { ".js": ".mjs" },
    write: false,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    // That of a library tells which files it is made of, and is not shipped: a server reads all of an artifact at its start.
    sourcemap: use === "server" ? "linked" : "external",
    legalComments: "none",
    // A server reads and parses all of it at its start. Errors name places in lines of this length.
    minifyWhitespace: true,
    minifySyntax: true,
    lineLimit: 160,
    plugins: [generatedFiles(files, root), without(unused), ...(use === "workers" ? [] : [noPrograms]), nodeModules],
    metafile: true,
    logLevel: "silent",
  });
  const imported = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
  const outside = imported.filter((path) => !isBuiltin(path) && !outsideOf[use].has(path));
  invariant(outside.length === 0, `${names[use]}.mjs is one file, which imports no ${outside.join(", ")}`);
  const textOf = (name: string): string => {
    const file = outputFiles.find(({ path }) => posix.basename(path) === name);
    invariant(file, `the bundler wrote no ${name}`);
    return file.text;
  };
  const map: SourceMap = JSON.parse(textOf(`${names[use]}.mjs.map`));
  return { code: textOf(`${names[use]}.mjs`), map: JSON.stringify(withoutPackages(map)), sources: map.sources };
}

interface SourceMap {
  readonly sources: readonly string[];
  readonly sourcesContent: readonly (string | null)[];
}

/** Generated modules with their text; of the packages, which everybody can get, names and lines. A start reads all of it. */
function withoutPackages(map: SourceMap): SourceMap {
  const isGenerated = (source: string | undefined): boolean => source?.startsWith(`${generated}:`) ?? false;
  const sourcesContent = map.sourcesContent.map((text, i) => (isGenerated(map.sources[i]) ? text : null));
  return { ...map, sourcesContent };
}

const generated = "generated";
const loaders: Readonly<Record<string, Loader>> = { ".ts": "ts", ".json": "json", ".mjs": "js" };

/** Lets the bundler read the generated files from memory. */
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

/** The package's bundle loads such a part from a file that is named for it, when it is first needed. */
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

/** Leaves out the module that starts programs: only `pg_dump` needs it, and what starts the server several times. */
const noPrograms: Plugin = {
  name: "no-programs",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:child_process$/ }, ({ path }) => ({ namespace: "programs", path, sideEffects: false }));
    onLoad({ filter: /.*/, namespace: "programs" }, () => ({
      contents: 'export function execFile() { throw new Error("an artifact starts no programs"); }',
    }));
  },
};

/** Leaves out those of Node's own modules that nothing uses. */
const nodeModules: Plugin = {
  name: "node-modules",
  setup({ onResolve }) {
    onResolve({ filter: /^node:/ }, ({ path }) => ({ path, external: true, sideEffects: false }));
  },
};
