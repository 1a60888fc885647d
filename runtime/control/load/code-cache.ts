/**
 * Compiles the code of generated modules to functions, once for each content. Compiled functions are stateless and shared;
 * each generation owns the objects they create.
 */
import { compileFunction } from "node:vm";
import { LRUCache } from "lru-cache";
import { maxTransientModules } from "../../values/transient-modules.ts";

/** Executable code of one generated module. */
export interface ModuleCode {
  /** Body of a CommonJS module. */
  readonly code: string;
  /** Modules with equal paths and hashes are the same. */
  readonly hash: string;
}

/** The compiled body of a CommonJS module. */
export type ModuleBody = (
  exports: Record<string, unknown>,
  require: (specifier: string) => unknown,
  module: { exports: Record<string, unknown> },
) => void;

interface Entry {
  readonly body: ModuleBody;
  /** Number of the last generation that used the code. */
  usedBy: number;
}

/** Number of generations after which unused code is evicted. */
const maxUnusedGenerations = 4;

export class CodeCache {
  readonly #entries = new Map<string, Entry>();
  readonly #transient = new LRUCache<string, ModuleBody>({ max: maxTransientModules });
  #generation = 0;

  /** Begins a generation and evicts code that only older generations used. Returns the number of the generation. */
  beginGeneration(): number {
    this.#generation++;
    for (const [key, { usedBy }] of this.#entries) {
      if (usedBy <= this.#generation - maxUnusedGenerations) this.#entries.delete(key);
    }
    return this.#generation;
  }

  /** Returns the compiled code of a module and marks it as used by a generation. */
  compile(path: string, { code, hash }: ModuleCode, generation: number): ModuleBody {
    const key = keyOf(path, hash);
    let entry = this.#entries.get(key);
    if (entry === undefined) {
      entry = { body: this.#transient.get(key) ?? compileModule(path, code), usedBy: generation };
      this.#entries.set(key, entry);
    }
    entry.usedBy = Math.max(entry.usedBy, generation);
    return entry.body;
  }

  /** Returns the compiled code of a module for a traversal of all modules of a role. Only recent modules are cached. */
  compileTransient(path: string, { code, hash }: ModuleCode): ModuleBody {
    const key = keyOf(path, hash);
    let body = this.#entries.get(key)?.body ?? this.#transient.get(key);
    if (body === undefined) {
      body = compileModule(path, code);
      this.#transient.set(key, body);
    }
    return body;
  }

  /** Marks code that was compiled for an earlier generation as used by a later generation. */
  use(path: string, hash: string, generation: number): void {
    const entry = this.#entries.get(keyOf(path, hash));
    if (entry) entry.usedBy = Math.max(entry.usedBy, generation);
  }

  /** Number of cached modules. */
  get size(): number {
    return this.#entries.size;
  }
}

const keyOf = (path: string, hash: string): string => `${hash} ${path}`;

/** Compiles the code of a module. Its stack frames show the file name and lines of the generated text. */
function compileModule(path: string, code: string): ModuleBody {
  return compileFunction(code, ["exports", "require", "module"], { filename: `generated/${path}` }) as ModuleBody;
}
