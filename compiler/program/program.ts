/**
 * The generated files that follow from one Analysis alone. A file is lowered and emitted when it is first asked for,
 * and taken from the previous program where the parts of the Analysis that it depends on are the same.
 */
import { invariant } from "../../runtime/values/errors.ts";
import type { Analysis, SavedQuery } from "../2-analyze/analysis.ts";
import { needsBackendSchema } from "../3-lower/role-tables.ts";
import { actionPath, operationPath, relayPath, restRoutesPath, rolePath } from "../4-emit/paths.ts";
import type { GeneratedFile } from "./generated-file.ts";
import { type MadeFile, makeFile } from "./make-file.ts";
import { ProgramCache } from "./program-cache.ts";
import { ProgramFiles } from "./program-files.ts";

export interface ProgramSettings {
  readonly analysis: Analysis;
  /** A program whose files are kept where they would come out the same. */
  readonly previous?: Program | undefined;
}

export class Program {
  /** What it was made from. */
  readonly analysis: Analysis;
  readonly #cache: ProgramCache<MadeFile>;
  readonly #files: ProgramFiles;
  /** By path. */
  readonly #made = new Map<string, GeneratedFile>();

  constructor({ analysis, previous }: ProgramSettings) {
    this.analysis = analysis;
    this.#cache = new ProgramCache(previous ? previous.#cache : undefined);
    this.#files = new ProgramFiles(analysis, previous ? previous.#files : undefined);
  }

  /** The roles with modules of their own, in order. */
  roles(): readonly string[] {
    return [...this.#files.roles].sort();
  }

  /** Whether a role has modules of its own. */
  hasRole(role: string): boolean {
    return this.#files.roles.has(role);
  }

  /** The module that declares what a role may ask; roles that nothing names share one. */
  roleModule(role: string): string {
    return rolePath(this.#known(role));
  }

  /** The module that declares what a role may ask of the Relay API. */
  relayModule(role: string): string {
    return relayPath(this.#known(role));
  }

  /** Whether some permissions of a role are for backends only. */
  hasBackendSchema(role: string): boolean {
    const known = this.#known(role);
    return known !== null && needsBackendSchema(this.#files.analysisOf(known), known);
  }

  /** The module that finds REST endpoints; `undefined` when there are none. */
  restRoutes(): string | undefined {
    return this.analysis.restEndpoints.size === 0 ? undefined : restRoutesPath;
  }

  /** The modules of event triggers, in order. */
  eventTriggers(): readonly string[] {
    return this.#files.eventTriggers();
  }

  /** The modules of cron triggers, in order. */
  cronTriggers(): readonly string[] {
    return this.#files.cronTriggers();
  }

  /** The modules of asynchronous actions, in order. */
  asynchronousActions(): readonly string[] {
    const { actions } = this.analysis;
    const own = [...actions.values()].filter(({ definition }) => definition.kind === "asynchronous");
    return own.map(({ name }) => actionPath(name));
  }

  /** The saved operations, in order. */
  savedOperations(): Iterable<SavedQuery> {
    return this.analysis.savedOperations.values();
  }

  /** The module with what all roles share of a saved operation. */
  savedOperation(operation: SavedQuery): string {
    return operationPath(operation);
  }

  /** Its files, in order. */
  paths(): readonly string[] {
    return this.#files.paths();
  }

  /** One of the files that `paths` lists. */
  module(path: string): GeneratedFile {
    let file = this.#made.get(path);
    if (file === undefined) {
      file = this.#make(path);
      this.#made.set(path, file);
    }
    return file;
  }

  /** The same, for a walk of all of a role's modules, of which there may be thousands: it is not kept as long. */
  passingModule(path: string): GeneratedFile {
    return this.#made.get(path) ?? this.#make(path, true);
  }

  #make(path: string, isPassing = false): GeneratedFile {
    const recipe = this.#files.recipe(path);
    invariant(recipe, `the program has no file ${path}`);
    return makeFile(path, recipe, this.#cache, isPassing);
  }

  /** The hash of a file; `undefined`: there is none of this path. */
  hashOf(path: string): string | undefined {
    return this.#files.recipe(path) ? this.module(path).hash : undefined;
  }

  #known(role: string): string | null {
    return this.hasRole(role) ? role : null;
  }
}
