/**
 * Generated modules, loaded when they are first used. A module imports others through objects that load them at the
 * first access to an export, so that a role with hundreds of tables costs what it uses.
 */
import { posix } from "node:path";
import type { Interruptible } from "../../values/interruptible.ts";
import { lazy } from "../../values/lazy.ts";
import { type CodeCache, type CompiledModule, frameName, type ModuleText } from "./code-cache.ts";
import { mapStack } from "./map-stack.ts";

/** Where the text of modules comes from: a compiler's program, or a folder. */
interface ModuleSource {
  module(path: string): ModuleText;
  /** The same, for a walk of all modules of a role: it is not kept as long. Absent: `module` keeps none. */
  passingModule?(path: string): ModuleText;
  /** The hash of a module's text; `undefined`: there is none of this path. */
  hashOf(path: string): string | undefined;
}

export interface ModuleLoaderOptions {
  readonly program: ModuleSource;
  /** What modules get as `engine/support`: the runtime's own module, so that there is one copy of it. */
  readonly support: object;
  /** Shared by all generations. */
  readonly cache: CodeCache;
}

type Exports = Readonly<Record<string, unknown>>;

/** What all loaders of one program share. */
interface Origin extends ModuleLoaderOptions {
  /** Of the code that they compile; programs of which no module is loaded are none. */
  readonly generation: () => number;
}

/** It takes about a millisecond. */
const lookedAtInATurn = 64;

/** What is kept of a module beside its exports: not its body, which runs once. */
interface Evaluated {
  readonly sourceMap: CompiledModule["sourceMap"];
  /** Of the text that it was compiled from. */
  readonly hash: string;
}

export class ModuleLoader {
  #origin: Origin;
  readonly #isPassing: boolean;
  readonly #loaded = new Map<string, { exports: Record<string, unknown> }>();
  /** Those whose evaluation was begun. */
  readonly #evaluated = new Map<string, Evaluated>();
  readonly #lazy = new Map<string, Exports>();
  /** By module: those that it used while it was evaluated. */
  readonly #imports = new Map<string, ReadonlySet<string>>();
  /** The modules that are used by what is in progress, innermost last. */
  readonly #inProgress: Set<string>[] = [];

  constructor(options: ModuleLoaderOptions, isPassing = false) {
    this.#origin = { ...options, generation: lazy(() => options.cache.beginGeneration()) };
    this.#isPassing = isPassing;
  }

  /** Another loader of the same program: what it loads is its own. */
  fork(): ModuleLoader {
    return this.#fork(false);
  }

  /** The same, for a walk of all modules of a role: text and code that had to be made for it are not kept as long. */
  forkPassing(): ModuleLoader {
    return this.#fork(true);
  }

  #fork(isPassing: boolean): ModuleLoader {
    const fork = new ModuleLoader(this.#origin, isPassing);
    fork.#origin = this.#origin;
    return fork;
  }

  /** How many modules it has loaded. */
  get size(): number {
    return this.#evaluated.size;
  }

  /**
   * Whether the program of another loader has all modules that this one has loaded, each with the same text. Then all
   * that was made from them is what the other program would give, and this loader can go on with that program
   * (`follow`), in the same turn.
   */
  *isCurrentIn(next: ModuleLoader): Interruptible<boolean> {
    const { program } = next.#origin;
    // Modules that are loaded meanwhile are met, too.
    let looked = 0;
    for (const [path, { hash }] of this.#evaluated) {
      if (program.hashOf(path) !== hash) return false;
      if (++looked % lookedAtInATurn === 0) yield;
    }
    return true;
  }

  /** Loads from the program of another loader from now on. The modules that it has loaded are the same there. */
  follow(next: ModuleLoader): void {
    const { cache, generation } = next.#origin;
    this.#origin = next.#origin;
    for (const [path, { hash }] of this.#evaluated) cache.use(path, hash, generation());
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
    const { cache, program, generation } = this.#origin;
    const text = given ?? ((this.#isPassing && program.passingModule?.(path)) || program.module(path));
    const compiled = this.#isPassing ? cache.compilePassing(path, text) : cache.compile(path, text, generation());
    const module = { exports: {} };
    this.#loaded.set(path, module);
    this.#evaluated.set(path, { sourceMap: compiled.sourceMap, hash: text.hash });
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

  /**
   * What `work` gives, and the modules whose contents it depends on.
   * @param work gets those that it has used so far, with what they export
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
    // Grows while it is walked.
    for (const path of used) for (const imported of this.#imports.get(path) ?? []) used.add(imported);
  }

  /** The stack of an error with its frames in generated modules at the lines as they were generated. */
  mapStack(error: Error): string {
    return mapStack(error.stack ?? String(error), (file) => {
      for (const [path, { sourceMap }] of this.#evaluated) if (frameName(path) === file) return sourceMap();
      return undefined;
    });
  }

  #resolve(from: string, specifier: string): object {
    if (specifier === "engine/support") return this.#origin.support;
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
