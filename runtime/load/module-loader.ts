/**
 * The generated modules of one generation, loaded when they are first used. A module imports others through objects
 * that load them at the first access to an export, so that a role with hundreds of tables costs what it uses.
 */
import { posix } from "node:path";
import { type CodeCache, type CompiledModule, frameName, type ModuleText } from "./code-cache.ts";
import { mapStack } from "./map-stack.ts";

/** Where the text of modules comes from: a compiler's program, or a folder. */
export interface ModuleSource {
  module(path: string): ModuleText;
}

export interface ModuleLoaderOptions {
  readonly program: ModuleSource;
  /** What modules get as `engine/support`: the runtime's own module, so that there is one copy of it. */
  readonly support: object;
  /** Shared by all generations. */
  readonly cache: CodeCache;
}

type Exports = Readonly<Record<string, unknown>>;

export class ModuleLoader {
  readonly #program: ModuleSource;
  readonly #support: object;
  readonly #cache: CodeCache;
  /** Of the code that it compiles; those that never load a module are none. */
  #generation: number | undefined;
  readonly #loaded = new Map<string, { exports: Record<string, unknown> }>();
  readonly #compiled = new Map<string, CompiledModule>();
  readonly #lazy = new Map<string, Exports>();
  /** By module: those that it used while it was evaluated. */
  readonly #imports = new Map<string, ReadonlySet<string>>();
  /** The modules that are used by what is in progress, innermost last. */
  readonly #inProgress: Set<string>[] = [];

  constructor({ program, support, cache }: ModuleLoaderOptions) {
    this.#program = program;
    this.#support = support;
    this.#cache = cache;
  }

  /**
   * What a module exports. The module is evaluated at the first call, what it imports at the first use.
   * @param path for example `roles/member/resolvers.ts`
   * @param given its text, where it is no module of the program itself
   */
  require(path: string, given?: ModuleText): Exports {
    this.#inProgress.at(-1)?.add(path);
    const known = this.#loaded.get(path);
    if (known) return known.exports;
    this.#generation ??= this.#cache.beginGeneration();
    const compiled = this.#cache.compile(path, given ?? this.#program.module(path), this.#generation);
    const module = { exports: {} };
    this.#loaded.set(path, module);
    this.#compiled.set(path, compiled);
    const used = new Set<string>();
    this.#inProgress.push(used);
    try {
      compiled.body(module.exports, (specifier) => this.#resolve(path, specifier), module);
    } catch (error) {
      // The next use shall meet the error again, not half a module.
      this.#loaded.delete(path);
      throw error;
    } finally {
      this.#inProgress.pop();
    }
    this.#imports.set(path, used);
    return module.exports;
  }

  /** What `work` gives, and the modules whose contents it depends on. */
  track<T>(work: () => T): { readonly value: T; readonly modules: ReadonlySet<string> } {
    const used = new Set<string>();
    this.#inProgress.push(used);
    try {
      const value = work();
      // Grows while it is walked.
      for (const path of used) for (const imported of this.#imports.get(path) ?? []) used.add(imported);
      return { value, modules: used };
    } finally {
      this.#inProgress.pop();
    }
  }

  /** The stack of an error with its frames in generated modules at the lines as they were generated. */
  mapStack(error: Error): string {
    return mapStack(error.stack ?? String(error), (file) => {
      for (const [path, compiled] of this.#compiled) if (frameName(path) === file) return compiled.sourceMap();
      return undefined;
    });
  }

  #resolve(from: string, specifier: string): object {
    if (specifier === "engine/support") return this.#support;
    const path = posix.join(posix.dirname(from), specifier.replace(/\.js$/, ".ts"));
    if (!specifier.startsWith(".") || path.startsWith("..")) {
      throw new Error(`generated module ${from} imports ${specifier}, which is no generated module`);
    }
    let lazy = this.#lazy.get(path);
    if (lazy === undefined) {
      lazy = new Proxy({}, { get: (_, name) => (typeof name === "string" ? this.require(path)[name] : undefined) });
      this.#lazy.set(path, lazy);
    }
    return lazy;
  }
}
