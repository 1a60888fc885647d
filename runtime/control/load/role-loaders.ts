/**
 * The loaders of the roles of one Generation, each with modules of its own: those of roles whose modules a change does
 * not touch go on with the program of the next Generation, together with all that was made from their modules.
 *
 * A loader is only taken over where every module that it has loaded has the same text in the new program: whatever was
 * made from a role's definition was made from these, and what it has not loaded yet comes from the new program.
 */
import { atOnce, type Interruptible } from "../../values/interruptible.ts";
import type { ModuleLoader } from "./module-loader.ts";

/** Larger ones are looked at between requests only: a request would wait for more than some 10 ms. */
const mostModulesAtOnce = 500;

export class RoleLoaders {
  readonly #base: ModuleLoader;
  /** By the path of the role's module. */
  readonly #loaders = new Map<string, ModuleLoader>();
  /** Those of the Generation before, which were current there: what it did not take over itself is gone. */
  #earlier: ReadonlyMap<string, ModuleLoader> | undefined;

  /** @param base a loader of the program; what it has loaded is not used */
  constructor(base: ModuleLoader, previous?: RoleLoaders) {
    this.#base = base;
    this.#earlier = previous ? previous.#loaders : undefined;
  }

  /** The loader of a role: that of the Generation before, where nothing that it has loaded is another. */
  of(path: string): ModuleLoader {
    let loader = this.#loaders.get(path);
    if (loader === undefined) {
      loader = this.#kept(path) ?? this.#base.fork();
      this.#loaders.set(path, loader);
    }
    return loader;
  }

  /** Those that were asked for or taken over so far, by the path of the role's module. */
  all(): ReadonlyMap<string, ModuleLoader> {
    return this.#loaders;
  }

  /** Takes over those that no request has asked for yet. */
  *takeOver(): Interruptible<void> {
    for (const [path, loader] of this.#earlier ?? []) {
      if (this.#loaders.has(path) || !(yield* loader.isCurrentIn(this.#base))) continue;
      // Requests may have asked for it meanwhile.
      if (this.#loaders.has(path)) continue;
      loader.follow(this.#base);
      this.#loaders.set(path, loader);
    }
    this.#earlier = undefined;
  }

  #kept(path: string): ModuleLoader | undefined {
    const loader = this.#earlier?.get(path);
    if (loader === undefined || loader.size > mostModulesAtOnce) return undefined;
    if (!atOnce(loader.isCurrentIn(this.#base))) return undefined;
    loader.follow(this.#base);
    return loader;
  }
}
