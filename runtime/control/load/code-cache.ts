/**
 * Generated TypeScript → functions, once for each content. Functions have no state and are shared by all
 * generations; what they make when called belongs to one.
 */
import { createRequire, SourceMap, type SourceMapPayload } from "node:module";
import { compileFunction } from "node:vm";
import type { transformSync } from "esbuild";
import { LRUCache } from "lru-cache";
import { lazy } from "../../values/lazy.ts";
import { passingKept } from "../../values/passing.ts";
import { plainModule } from "./plain-module.ts";

/** Text of one generated module. */
export interface ModuleText {
  readonly text: string;
  /** Of the text: modules with equal paths and hashes are the same. */
  readonly hash: string;
}

/** The body of a CommonJS module. */
type ModuleBody = (
  exports: Record<string, unknown>,
  require: (specifier: string) => unknown,
  module: { exports: Record<string, unknown> },
) => void;

export interface CompiledModule {
  readonly body: ModuleBody;
  /** From the lines that run to those that were generated; `undefined`: they are the same. */
  readonly sourceMap: () => SourceMap | undefined;
}

interface Entry {
  readonly compiled: CompiledModule;
  /** Number of the last generation that used it. */
  usedBy: number;
}

const load = createRequire(import.meta.url);

/** Loaded when there is something to transform: a server starts without. */
const esbuild = lazy((): { readonly transformSync: typeof transformSync } => load("esbuild"));

/** Code that so many generations did not use is dropped. */
const generationsKept = 4;

export class CodeCache {
  readonly #entries = new Map<string, Entry>();
  readonly #passing = new LRUCache<string, CompiledModule>({ max: passingKept });
  #generation = 0;

  /** Begins a generation, and drops the code that only older ones used. */
  beginGeneration(): number {
    this.#generation++;
    for (const [key, { usedBy }] of this.#entries) {
      if (usedBy <= this.#generation - generationsKept) this.#entries.delete(key);
    }
    return this.#generation;
  }

  /** The code of a module, for one generation. */
  compile(path: string, { text, hash }: ModuleText, generation: number): CompiledModule {
    const key = keyOf(path, hash);
    let entry = this.#entries.get(key);
    if (entry === undefined) {
      entry = { compiled: this.#passing.get(key) ?? compileModule(path, text), usedBy: generation };
      this.#entries.set(key, entry);
    }
    entry.usedBy = Math.max(entry.usedBy, generation);
    return entry.compiled;
  }

  /** The code of a module for a walk of all modules of a role: of what had to be compiled for that, the latest is kept. */
  compilePassing(path: string, { text, hash }: ModuleText): CompiledModule {
    const key = keyOf(path, hash);
    let compiled = this.#entries.get(key)?.compiled ?? this.#passing.get(key);
    if (compiled === undefined) {
      compiled = compileModule(path, text);
      this.#passing.set(key, compiled);
    }
    return compiled;
  }

  /** A generation uses code that was compiled for an earlier one. */
  use(path: string, hash: string, generation: number): void {
    const entry = this.#entries.get(keyOf(path, hash));
    if (entry) entry.usedBy = Math.max(entry.usedBy, generation);
  }

  /** Number of modules it holds. */
  get size(): number {
    return this.#entries.size;
  }
}

const keyOf = (path: string, hash: string): string => `${hash} ${path}`;

/** What stack frames call a generated module. */
export const frameName = (path: string): string => `generated/${path}`;

const sameLines = (): undefined => undefined;

/**
 * What the compiler writes is plain: a call of esbuild waits for its process, 1.5 to 2.5 ms for each module. Esbuild
 * compiles what is not.
 */
function compileModule(path: string, text: string): CompiledModule {
  const plain = plainModule(text);
  if (plain !== undefined) return { body: bodyOf(path, plain), sourceMap: sameLines };
  const { code, map } = esbuild().transformSync(text, {
    loader: "ts",
    format: "cjs",
    target: "node20",
    sourcemap: "external",
    sourcefile: frameName(path),
    sourcesContent: false,
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
  });
  return { body: bodyOf(path, code), sourceMap: lazy(() => new SourceMap(JSON.parse(map) as SourceMapPayload)) };
}

function bodyOf(path: string, code: string): ModuleBody {
  return compileFunction(code, ["exports", "require", "module"], { filename: frameName(path) }) as ModuleBody;
}
