/**
 * Loads generated modules on first use. A module imports others through proxies that load them on the first access to
 * an export, so that a role with hundreds of tables loads only the modules that it uses.
 */
import { posix } from "node:path";
import type { Interruptible } from "../../values/interruptible.ts";
import { lazy } from "../../values/lazy.ts";
import type { CodeCache, ModuleCode } from "./code-cache.ts";

/** Provides the code of modules: the program of a compiler. */
interface ModuleSource {
  module(path: string): ModuleCode;
  /** Like `module`, but caches code only briefly, for a traversal of all modules. Absent if `module` caches nothing. */
  transientModule?(path: string): ModuleCode;
  /** Returns the hash of a module's text; `undefined` if there is no such module. */
  hashOf(path: string): string | undefined;
}

export interface ModuleLoaderOptions {
  readonly program: ModuleSource;
  /** Exports of `engine/support`. Must be the runtime's own module, since two copies of its classes would differ. */
  readonly support: object;
  /** Cache shared by all generations. */
  readonly cache: CodeCache;
}

type Exports = Readonly<Record<string, unknown>>;

/** State shared by all loaders of one program. */
interface Origin extends ModuleLoaderOptions {
  /** Returns the program's generation in the cache. The generation begins when the first module is compiled. */
  readonly generation: () => number;
}

/** Number of modules compared per step, which takes about a millisecond. */
const comparedPerStep = 64;

export class ModuleLoader {
  #origin: Origin;
  readonly #isTransient: boolean;
  readonly #loaded = new Map<string, { exports: Record<string, unknown> }>();
  /** Hashes of the modules whose evaluation has begun, by path. */
  readonly #evaluated = new Map<string, string>();
  readonly #lazy = new Map<string, Exports>();
  /** Modules used during the evaluation of each module. */
  readonly #imports = new Map<string, ReadonlySet<string>>();
  /** Modules used by each evaluation in progress, innermost last. */
  readonly #inProgress: Set<string>[] = [];

  constructor(options: ModuleLoaderOptions, isTransient = false) {
    this.#origin = { ...options, generation: lazy(() => options.cache.beginGeneration()) };
    this.#isTransient = isTransient;
  }

  /** Returns another loader of the same program, with separate modules. */
  fork(): ModuleLoader {
    return this.#fork(false);
  }

  /** Returns a fork for a traversal of all modules of a role: their text and code are cached only briefly. */
  forkTransient(): ModuleLoader {
    return this.#fork(true);
  }

  #fork(isTransient: boolean): ModuleLoader {
    const fork = new ModuleLoader(this.#origin, isTransient);
    fork.#origin = this.#origin;
    return fork;
  }

  /** Number of loaded modules. */
  get size(): number {
    return this.#evaluated.size;
  }

  /**
   * Returns true if the program of another loader contains all modules loaded by this loader, each with the same text.
   * Then everything derived from them is valid for that program, and this loader may adopt it with `follow`, in the
   * same turn of the event loop.
   */
  *isCurrentIn(next: ModuleLoader): Interruptible<boolean> {
    const { program } = next.#origin;
    // The iteration also visits modules that are loaded between steps.
    let compared = 0;
    for (const [path, hash] of this.#evaluated) {
      if (program.hashOf(path) !== hash) return false;
      if (++compared % comparedPerStep === 0) yield;
    }
    return true;
  }

  /** Adopts the program of another loader, in which all modules loaded so far are unchanged. */
  follow(next: ModuleLoader): void {
    const { cache, generation } = next.#origin;
    this.#origin = next.#origin;
    for (const [path, hash] of this.#evaluated) cache.use(path, hash, generation());
  }

  /**
   * Returns the exports of a module. The module is evaluated by the first call, its imports on first use.
   * @param path for example `roles/member/root-fields.ts`
   * @param given code of a module that is not part of the program
   */
  require(path: string, given?: ModuleCode): Exports {
    this.#inProgress.at(-1)?.add(path);
    const known = this.#loaded.get(path);
    if (known) return known.exports;
    const { cache, program, generation } = this.#origin;
    const module = given ?? ((this.#isTransient && program.transientModule?.(path)) || program.module(path));
    const body = this.#isTransient ? cache.compileTransient(path, module) : cache.compile(path, module, generation());
    const loaded = { exports: {} };
    this.#loaded.set(path, loaded);
    this.#evaluated.set(path, module.hash);
    const used = new Set<string>();
    this.#inProgress.push(used);
    try {
      body(loaded.exports, (specifier) => this.#resolve(path, specifier), loaded);
    } catch (error) {
      // The next use has to fail again, not find a half-evaluated module.
      this.#loaded.delete(path);
      throw error;
    } finally {
      this.#inProgress.pop();
    }
    this.#imports.set(path, used);
    return loaded.exports;
  }

  /**
   * Runs `work` and returns its result with the modules on which it depends.
   * @param work receives a function that returns the modules used so far, with their exports
   */
  track<T>(work: (modules: () => Iterable<readonly [path: string, exports: Exports]>) => T): {
    readonly value: T;
    readonly modules: ReadonlySet<string>;
  } {
    const used = new Set<string>();
    this.#inProgress.push(used);
    try {
      const value = work(() => this.#exportsOf(used));
      this.#addImports(used);
      return { value, modules: used };
    } finally {
      this.#inProgress.pop();
    }
  }

  #exportsOf(used: ReadonlySet<string>): Iterable<readonly [path: string, exports: Exports]> {
    const all = new Set(used);
    this.#addImports(all);
    return [...all].map((path) => [path, this.#loaded.get(path)?.exports ?? {}] as const);
  }

  #addImports(used: Set<string>): void {
    // The iteration also visits the imports that it adds.
    for (const path of used) for (const imported of this.#imports.get(path) ?? []) used.add(imported);
  }

  #resolve(from: string, specifier: string): object {
    if (specifier === "engine/support") return this.#origin.support;
    const path = posix.join(posix.dirname(from), specifier.replace(/\.js$/, ".ts"));
    if (!specifier.startsWith(".") || path.startsWith("..")) {
      throw new Error(`generated module ${from} imports ${specifier}, which is not a generated module`);
    }
    let lazy = this.#lazy.get(path);
    if (lazy === undefined) {
      lazy = new Proxy({}, { get: (_, name) => (typeof name === "string" ? this.require(path)[name] : undefined) });
      this.#lazy.set(path, lazy);
    }
    return lazy;
  }
}
