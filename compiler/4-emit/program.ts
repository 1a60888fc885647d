/**
 * The generated files that follow from one Analysis alone. A file is lowered and emitted when it is first asked for,
 * and taken from the previous program where the parts of the Analysis that it depends on are the same.
 */
import { invariant } from "../../runtime/values/errors.ts";
import type { Analysis, SavedQuery } from "../2-analyze/analysis.ts";
import { adminRole } from "../3-lower/admin-role.ts";
import { type RoleAnalysis, withInheritance } from "../3-lower/inherited-roles.ts";
import { isUsable, usableTables } from "../3-lower/role-tables.ts";
import { RootFieldIndex } from "../3-lower/root-field-index.ts";
import { tablesInSchema } from "../3-lower/table-inputs.ts";
import { refTo } from "../3-lower/table-names.ts";
import type { GeneratedFile } from "./generated-file.ts";
import { type MadeFile, makeFile } from "./make-file.ts";
import { operationPath, relayPath, restRoutesPath, rolePath, tablePath, viewPath } from "./paths.ts";
import { ProgramCache } from "./program-cache.ts";
import {
  needsBackendSchema,
  operationRecipes,
  type Recipe,
  restRecipes,
  roleRecipes,
  sharedRecipes,
  sourceRecipes,
  tableRecipe,
  viewRecipe,
} from "./recipes.ts";
import { TableFiles } from "./table-files.ts";

export interface ProgramSettings {
  readonly analysis: Analysis;
  /** A program whose files are kept where they would come out the same. */
  readonly previous?: Program | undefined;
}

export class Program {
  /** What it was made from. */
  readonly analysis: Analysis;
  readonly #cache: ProgramCache<MadeFile>;
  readonly #files = new Map<string, GeneratedFile>();
  readonly #index: RootFieldIndex;
  readonly #folders = new Map<string, ReadonlyMap<string, Recipe>>();
  readonly #roles: ReadonlySet<string>;
  readonly #roleOfFolder: ReadonlyMap<string, string | null>;
  /** By role. */
  readonly #analyses = new Map<string | null, RoleAnalysis>();

  constructor({ analysis, previous }: ProgramSettings) {
    this.analysis = analysis;
    this.#cache = new ProgramCache(previous ? previous.#cache : undefined);
    this.#index = RootFieldIndex.of(
      analysis.sources,
      previous && { sources: previous.analysis.sources, index: previous.#index },
    );
    this.#roles = new Set([adminRole, ...analysis.roles]);
    this.#roleOfFolder = new Map([null, ...this.#roles].map((role) => [folderOf(rolePath(role)), role]));
  }

  /** The roles with modules of their own, in order. */
  roles(): readonly string[] {
    return [...this.#roles].sort();
  }

  /** Whether a role has modules of its own. */
  hasRole(role: string): boolean {
    return this.#roles.has(role);
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
    return known !== null && needsBackendSchema(this.#analysisOf(known), known);
  }

  /** The module that finds REST endpoints; `undefined` when there are none. */
  restRoutes(): string | undefined {
    return this.analysis.restEndpoints.size === 0 ? undefined : restRoutesPath;
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
    const roleFolders = [...this.#roleOfFolder.keys()];
    const folders = [sourceFiles, sourcesFolder, operationsFolder, restFolder, ...roleFolders];
    const others = folders.flatMap((folder) => [...this.#folder(folder).keys()]);
    return [...others, ...this.#tablePaths()].sort();
  }

  /** One of the files that `paths` lists. */
  module(path: string): GeneratedFile {
    let file = this.#files.get(path);
    if (file === undefined) {
      const recipe = this.#recipe(path);
      invariant(recipe, `the program has no file ${path}`);
      file = makeFile(path, recipe, this.#cache);
      this.#files.set(path, file);
    }
    return file;
  }

  /** The hash of a file; `undefined`: there is none of this path. */
  hashOf(path: string): string | undefined {
    return this.#recipe(path) ? this.module(path).hash : undefined;
  }

  #known(role: string): string | null {
    return this.hasRole(role) ? role : null;
  }

  #recipe(path: string): Recipe | undefined {
    const folder = folderOf(path);
    return this.#tableRecipe(folder, path.slice(folder.length + 1)) ?? this.#folder(folder).get(path);
  }

  /** Of a module about one table. Found without a list of all of them, of which there may be thousands. */
  #tableRecipe(folder: string, file: string): Recipe | undefined {
    const files = TableFiles.of(this.analysis.sources, this.#index);
    if (folder === sourcesFolder) {
      const found = files.find(this.analysis.sources, file);
      return found && tableRecipe(...found);
    }
    const role = this.#roleOfFolder.get(folder);
    if (role === undefined || role === null) return undefined;
    const found = files.find(this.#analysisOf(role).sources, file);
    return found && isUsable(found[1], role) ? viewRecipe(...found, role) : undefined;
  }

  /** The paths of the modules about one table each. */
  *#tablePaths(): Iterable<string> {
    for (const source of this.analysis.sources.values()) {
      for (const { table } of tablesInSchema(source)) yield tablePath(refTo(source.name, table.table));
    }
    for (const role of this.#roles) {
      for (const [source, { table }] of usableTables(this.#analysisOf(role), role)) {
        yield viewPath(role, refTo(source.name, table.table));
      }
    }
  }

  /** The other files below `sources/`, `operations/`, `rest/` or below the folder of one role. */
  #folder(folder: string): ReadonlyMap<string, Recipe> {
    let recipes = this.#folders.get(folder);
    if (recipes === undefined) {
      const role = this.#roleOfFolder.get(folder);
      if (folder === sourcesFolder) recipes = new Map(sharedRecipes(this.analysis));
      else if (folder === sourceFiles) recipes = new Map(sourceRecipes(this.analysis));
      else if (folder === operationsFolder) recipes = new Map(operationRecipes(this.analysis));
      else if (folder === restFolder) recipes = new Map(restRecipes(this.analysis));
      else recipes = new Map(role === undefined ? [] : roleRecipes(this.#analysisOf(role), role, this.#index));
      this.#folders.set(folder, recipes);
    }
    return recipes;
  }

  /** With what the role inherits. */
  #analysisOf(role: string | null): RoleAnalysis {
    let analysis = this.#analyses.get(role);
    if (analysis === undefined) {
      analysis = withInheritance(this.analysis, role);
      this.#analyses.set(role, analysis);
    }
    return analysis;
  }
}

const sourcesFolder = "sources";
const sourceFiles = "sources/*/source.ts";
const operationsFolder = "operations";
const restFolder = "rest";

/** Whose files are listed together: `sources`, `operations`, `rest`, `roles/<role>`, and files of some kind in these. */
function folderOf(path: string): string {
  const [top = "", role = ""] = path.split("/");
  if (top === sourcesFolder && path.endsWith("/source.ts")) return sourceFiles;
  if (top !== "roles") return top;
  return `${top}/${role}`;
}
