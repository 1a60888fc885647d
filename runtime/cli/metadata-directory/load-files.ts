/**
 * Reads a file and its includes, recursively. Included paths are relative to the including file and must be below the
 * root directory.
 */

import { readdir, readFile, realpath } from "node:fs/promises";
import { basename, dirname, extname, isAbsolute, join, relative, resolve, sep } from "node:path";
import type { Json } from "../../../compiler/catalog/model.ts";
import { fileError, type Located, type Locations, type SourceText } from "../../metadata-text/locations.ts";
import { type Include, includesOf, parseYaml, type YamlFile, yamlValue } from "../../metadata-text/yaml-file.ts";
import { EngineError } from "../../values/errors.ts";
import { didYouMean } from "../../values/nearest-name.ts";
import type { FileChanges } from "./file-changes.ts";
import { parseJsonFile } from "./json-file.ts";

/** Number of files read in parallel: enough for the disk, and below the limit of open files. */
const concurrency = 16;

export interface LoadedFile {
  readonly source: SourceText;
  /** `undefined` for JSON and text files. */
  readonly yaml?: YamlFile;
  readonly includes: readonly (Include & { readonly path: string })[];
}

export class FileLoader {
  /** Includes must be below this directory. */
  readonly #root: string;
  readonly #rootName: string;
  readonly #locations: Locations;
  readonly #changes: FileChanges;
  readonly #files = new Map<string, LoadedFile>();
  readonly #values = new Map<string, Located>();

  /**
   * @param changes texts that replace those of files, or absent files
   * @param rootName the root in messages
   */
  constructor(
    root: string,
    locations: Locations,
    changes: FileChanges = new Map(),
    rootName = "the metadata directory",
  ) {
    this.#root = root;
    this.#rootName = rootName;
    this.#locations = locations;
    this.#changes = changes;
  }

  /** Returns the value of a file below the root, or `undefined` if the file does not exist. */
  async read(path: string): Promise<Located | undefined> {
    const text = await this.#textOf(path);
    if (text === undefined) return undefined;
    this.#add(path, text);
    await this.#loadIncludes(path);
    return this.#value(path, []);
  }

  /** Returns the text of a file without includes, such as SDL, or `undefined` if the file does not exist. */
  async readText(path: string): Promise<SourceText | undefined> {
    const text = await this.#textOf(path);
    if (text === undefined) return undefined;
    const source: SourceText = { file: path, text };
    this.#files.set(path, { source, includes: [] });
    return source;
  }

  /** All files that were read, including includes. */
  get files(): ReadonlyMap<string, LoadedFile> {
    return this.#files;
  }

  /** Returns the value of a file that was read as a section, without merged values of other files. */
  valueOf(path: string): Json | undefined {
    return this.#values.get(path)?.value;
  }

  async #textOf(path: string): Promise<string | undefined> {
    return this.#changes.has(path) ? this.#changes.get(path) : await textOf(path);
  }

  /** Loads breadth first, so that cyclic includes cannot cause a deadlock. */
  async #loadIncludes(start: string): Promise<void> {
    let wave = this.#pending([start]);
    while (wave.length > 0) {
      for (let first = 0; first < wave.length; first += concurrency) {
        await Promise.all(wave.slice(first, first + concurrency).map((include) => this.#load(include)));
      }
      wave = this.#pending(wave.map(({ path }) => path));
    }
  }

  /** Returns includes of the files that are not loaded, without duplicates. */
  #pending(paths: readonly string[]): LoadedFile["includes"] {
    const found = new Map<string, LoadedFile["includes"][number]>();
    for (const path of paths) {
      for (const include of this.#files.get(path)?.includes ?? []) {
        if (!this.#files.has(include.path) && !found.has(include.path)) found.set(include.path, include);
      }
    }
    return [...found.values()];
  }

  async #load({ path, place, target }: LoadedFile["includes"][number]): Promise<void> {
    const refused = (reason: string) => fileError(place, `the included file ${JSON.stringify(target)} ${reason}`);
    const notBelow = `is not below ${this.#rootName}`;
    if (!isBelow(this.#root, path)) throw refused(notBelow);
    const text = await this.#textOf(path);
    if (text === undefined) throw refused(`does not exist${await nearestFile(path)}`);
    const isNew = this.#changes.has(path);
    if (!isNew && !isBelow(await realpath(this.#root), await realpath(path))) throw refused(notBelow);
    this.#add(path, text);
  }

  #add(path: string, text: string): void {
    const source: SourceText = { file: path, text };
    if (!isYaml(path)) {
      this.#files.set(path, { source, includes: [] });
      return;
    }
    const yaml = parseYaml(source);
    const includes = includesOf(yaml).map((include) => ({ ...include, path: join(dirname(path), include.target) }));
    this.#files.set(path, { source, yaml, includes });
  }

  #value(path: string, chain: readonly string[]): Located {
    const known = this.#values.get(path);
    if (known !== undefined) return known;
    const file = this.#files.get(path);
    if (file === undefined) throw new Error(`invariant: ${path} was not loaded`);
    const cyclic = file.includes.find((include) => include.path === path || chain.includes(include.path));
    if (cyclic !== undefined) {
      const target = JSON.stringify(cyclic.target);
      throw fileError(cyclic.place, `the included file ${target} includes this one, directly or indirectly`);
    }
    const value = this.#convert(path, file, [...chain, path]);
    this.#values.set(path, value);
    return value;
  }

  #convert(path: string, { source, yaml }: LoadedFile, chain: readonly string[]): Located {
    if (yaml !== undefined) {
      return yamlValue(yaml, this.#locations, (target) => this.#value(join(dirname(path), target), chain));
    }
    if (extname(path) === ".json") return parseJsonFile(source, this.#locations);
    return { value: source.text, place: { source, offset: 0 } };
  }
}

/** Returns a suggestion for the name of a missing file, or an empty text. */
async function nearestFile(path: string): Promise<string> {
  const hint = didYouMean(basename(path), await readdir(dirname(path)).catch(() => []));
  return hint === undefined ? "" : `: ${hint}`;
}

function isYaml(path: string): boolean {
  return [".yaml", ".yml"].includes(extname(path));
}

/** Returns true if `path` is `root` or below it. Does not resolve symbolic links. */
export function isBelow(root: string, path: string): boolean {
  const fromRoot = relative(resolve(root), resolve(path));
  return fromRoot !== ".." && !fromRoot.startsWith(`..${sep}`) && !isAbsolute(fromRoot);
}

/**
 * Returns the text of a file, or `undefined` if it does not exist.
 * @throws EngineError with the file's path for other failures
 */
export async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new EngineError("unexpected", "$", `cannot read ${path}: ${String(code ?? error)}`, { cause: error });
  }
}
