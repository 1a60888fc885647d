/**
 * The files that are generated from one Analysis alone. A file is lowered and emitted on first use, and reused from the
 * previous program if the parts of the Analysis that it depends on are equal.
 */
import { invariant } from "../../runtime/values/errors.ts";
import type { Analysis, SavedQuery } from "../2-analyze/analysis.ts";
import { needsBackendSchema } from "../3-lower/role-tables.ts";
import { sameValue } from "../3-lower/same-value.ts";
import { textHash } from "../4-emit/manifest.ts";
import { actionPath, operationPath, relayPath, restRoutesPath, rolePath } from "../4-emit/paths.ts";
import { ProgramCache } from "./program-cache.ts";
import { ProgramFiles } from "./program-files.ts";
import type { Recipe } from "./recipe.ts";

export interface ProgramSettings {
  readonly analysis: Analysis;
  /** An earlier program, whose files are reused if their inputs are equal. */
  readonly previous?: Program | undefined;
}

export class Program {
  readonly analysis: Analysis;
  readonly #cache: ProgramCache<MadeFile>;
  readonly #files: ProgramFiles;
  readonly #modules = new Map<string, GeneratedModule>();

  constructor({ analysis, previous }: ProgramSettings) {
    this.analysis = analysis;
    this.#cache = new ProgramCache(previous ? previous.#cache : undefined);
    this.#files = new ProgramFiles(analysis, previous ? previous.#files : undefined);
  }

  /** Returns the roles that have their own modules, sorted. */
  roles(): readonly string[] {
    return [...this.#files.roles].sort();
  }

  /** Returns true if a role has its own modules. */
  hasRole(role: string): boolean {
    return this.#files.roles.has(role);
  }

  /** Returns the path of the module with a role's root fields; roles that the metadata does not name share one. */
  roleModule(role: string): string {
    return rolePath(this.#known(role));
  }

  /** Returns the path of the module with a role's root fields of the Relay API. */
  relayModule(role: string): string {
    return relayPath(this.#known(role));
  }

  /** Returns true if the role has backend-only permissions. */
  hasBackendSchema(role: string): boolean {
    const known = this.#known(role);
    return known !== null && needsBackendSchema(this.#files.analysisOf(known), known);
  }

  /** Returns the path of the module with the REST routes; `undefined` without endpoints. */
  restRoutes(): string | undefined {
    return this.analysis.restEndpoints.size === 0 ? undefined : restRoutesPath;
  }

  /** Returns the paths of the event trigger modules, sorted. */
  eventTriggers(): readonly string[] {
    return this.#files.eventTriggers();
  }

  /** Returns the paths of the cron trigger modules, sorted. */
  cronTriggers(): readonly string[] {
    return this.#files.cronTriggers();
  }

  /** Returns the paths of the modules of asynchronous actions. */
  asynchronousActions(): readonly string[] {
    const { actions } = this.analysis;
    const own = [...actions.values()].filter(({ definition }) => definition.kind === "asynchronous");
    return own.map(({ name }) => actionPath(name));
  }

  savedOperations(): Iterable<SavedQuery> {
    return this.analysis.savedOperations.values();
  }

  /** Returns the path of the module that defines a saved operation, shared by all roles. */
  savedOperation(operation: SavedQuery): string {
    return operationPath(operation);
  }

  /** Returns the paths of all files, sorted. */
  paths(): readonly string[] {
    return this.#files.paths();
  }

  /** Returns a file that `paths` lists. */
  module(path: string): GeneratedModule {
    let file = this.#modules.get(path);
    if (file === undefined) {
      file = this.#make(path);
      this.#modules.set(path, file);
    }
    return file;
  }

  /** Returns a file for a traversal of all modules of a role. There may be thousands, so it is cached only briefly. */
  transientModule(path: string): GeneratedModule {
    return this.#modules.get(path) ?? this.#make(path, true);
  }

  #make(path: string, isPassing = false): GeneratedModule {
    const recipe = this.#files.recipe(path);
    invariant(recipe, `the program has no file ${path}`);
    return makeFile(path, recipe, this.#cache, isPassing);
  }

  /** Returns the hash of a file; `undefined` if there is none with that path. */
  hashOf(path: string): string | undefined {
    return this.#files.recipe(path) ? this.module(path).hash : undefined;
  }

  #known(role: string): string | null {
    return this.hasRole(role) ? role : null;
  }
}

export interface MadeFile {
  readonly inputs: unknown;
  readonly file: GeneratedModule;
}

/**
 * Returns the module of a recipe, from the cache if its inputs are equal.
 * @param isPassing caches a new file only briefly, for traversals
 */
export function makeFile(
  path: string,
  recipe: Recipe,
  cache: ProgramCache<MadeFile>,
  isPassing = false,
): GeneratedModule {
  const inputs = recipe.inputs();
  const cached = cache.get(path);
  if (cached && sameValue(cached.inputs, inputs)) return cached.file;
  const { text, code } = recipe.print(inputs);
  const file = { ...generatedFile(path, text), code };
  const made = { inputs, file };
  if (isPassing) cache.setPassing(path, made);
  else cache.set(path, made);
  return file;
}

export interface GeneratedFile {
  /** Relative to the output folder, with slashes. */
  readonly path: string;
  readonly text: string;
  /** Hash of the text. */
  readonly hash: string;
}

/** A TypeScript file that the runtime loads. */
export interface GeneratedModule extends GeneratedFile {
  /** The JavaScript that runs: the body of a CommonJS module. */
  readonly code: string;
}

export function generatedFile(path: string, text: string): GeneratedFile {
  return { path, text, hash: textHash(text) };
}
