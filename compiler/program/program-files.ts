/**
 * Which files follow from one Analysis, and how each is made. Listed folder by folder when first asked for; the modules
 * about one table each, of which there may be thousands, are found without a list of them.
 */
import type { Analysis } from "../2-analyze/analysis.ts";
import { adminRole } from "../3-lower/admin-role.ts";
import { type RoleAnalysis, withInheritance } from "../3-lower/inherited-roles.ts";
import { isUsable, usableTables } from "../3-lower/role-tables.ts";
import { RootFieldIndex } from "../3-lower/root-field-index.ts";
import { tablesInSchema } from "../3-lower/table-inputs.ts";
import { refTo } from "../3-lower/table-names.ts";
import { rolePath, tablePath, viewPath } from "../4-emit/paths.ts";
import type { Recipe } from "./recipe.ts";
import { roleRecipes, viewRecipe } from "./role-recipes.ts";
import {
  actionRecipes,
  eventRecipes,
  operationRecipes,
  remoteRecipes,
  restRecipes,
  scheduleRecipes,
  sharedRecipes,
  sourceRecipes,
  tableRecipe,
} from "./shared-recipes.ts";
import { TableFiles } from "./table-files.ts";

export class ProgramFiles {
  /** Those with modules of their own. */
  readonly roles: ReadonlySet<string>;
  readonly #analysis: Analysis;
  readonly #index: RootFieldIndex;
  readonly #folders = new Map<string, ReadonlyMap<string, Recipe>>();
  readonly #roleOfFolder: ReadonlyMap<string, string | null>;
  /** By role. */
  readonly #analyses = new Map<string | null, RoleAnalysis>();

  /** @param previous those of the program before */
  constructor(analysis: Analysis, previous: ProgramFiles | undefined) {
    this.#analysis = analysis;
    this.#index = RootFieldIndex.of(
      analysis.sources,
      previous && { sources: previous.#analysis.sources, index: previous.#index },
    );
    this.roles = new Set([adminRole, ...analysis.roles]);
    this.#roleOfFolder = new Map([null, ...this.roles].map((role) => [folderOf(rolePath(role)), role]));
  }

  /** Where they stand, in order. */
  paths(): readonly string[] {
    const roleFolders = [...this.#roleOfFolder.keys()];
    const folders = [sourceFiles, sourcesFolder, ...otherFolders, ...roleFolders];
    const others = folders.flatMap((folder) => [...this.#folder(folder).keys()]);
    return [...others, ...this.#tablePaths()].sort();
  }

  /** Those of event triggers, in order. */
  eventTriggers(): readonly string[] {
    return [...this.#folder(eventsFolder).keys()].sort();
  }

  /** Those of cron triggers, in order. */
  cronTriggers(): readonly string[] {
    return [...this.#folder(schedulesFolder).keys()].sort();
  }

  /** How the file of a path is made; `undefined`: there is none. */
  recipe(path: string): Recipe | undefined {
    const folder = folderOf(path);
    return this.#tableRecipe(folder, path.slice(folder.length + 1)) ?? this.#folder(folder).get(path);
  }

  /** What the modules of a role are made from: the Analysis with what the role inherits. */
  analysisOf(role: string | null): RoleAnalysis {
    let analysis = this.#analyses.get(role);
    if (analysis === undefined) {
      analysis = withInheritance(this.#analysis, role);
      this.#analyses.set(role, analysis);
    }
    return analysis;
  }

  /** Of a module about one table. */
  #tableRecipe(folder: string, file: string): Recipe | undefined {
    const files = TableFiles.of(this.#analysis.sources, this.#index);
    if (folder === sourcesFolder) {
      const found = files.find(this.#analysis.sources, file);
      return found && tableRecipe(...found);
    }
    const role = this.#roleOfFolder.get(folder);
    if (role === undefined || role === null) return undefined;
    const analysis = this.analysisOf(role);
    const found = files.find(analysis.sources, file);
    return found && isUsable(found[1], role) ? viewRecipe(analysis, ...found, role) : undefined;
  }

  /** The paths of the modules about one table each. */
  *#tablePaths(): Iterable<string> {
    for (const source of this.#analysis.sources.values()) {
      for (const { table } of tablesInSchema(source)) yield tablePath(refTo(source.name, table.table));
    }
    for (const role of this.roles) {
      for (const [source, { table }] of usableTables(this.analysisOf(role), role)) {
        yield viewPath(role, refTo(source.name, table.table));
      }
    }
  }

  /** The other files below `sources/`, `events/`, `remotes/`, `actions/`, `operations/`, `rest/` or below the folder of one role. */
  #folder(folder: string): ReadonlyMap<string, Recipe> {
    let recipes = this.#folders.get(folder);
    if (recipes === undefined) {
      recipes = new Map(this.#recipes(folder));
      this.#folders.set(folder, recipes);
    }
    return recipes;
  }

  #recipes(folder: string): Iterable<[string, Recipe]> {
    switch (folder) {
      case sourcesFolder:
        return sharedRecipes(this.#analysis);
      case sourceFiles:
        return sourceRecipes(this.#analysis);
      case eventsFolder:
        return eventRecipes(this.#analysis);
      case schedulesFolder:
        return scheduleRecipes(this.#analysis);
      case remotesFolder:
        return remoteRecipes(this.#analysis);
      case actionsFolder:
        return actionRecipes(this.#analysis);
      case operationsFolder:
        return operationRecipes(this.#analysis);
      case restFolder:
        return restRecipes(this.#analysis);
    }
    const role = this.#roleOfFolder.get(folder);
    return role === undefined ? [] : roleRecipes(this.analysisOf(role), role, this.#index);
  }
}

const sourcesFolder = "sources";
const sourceFiles = "sources/*/source.ts";
const eventsFolder = "events";
const schedulesFolder = "schedules";
const remotesFolder = "remotes";
const actionsFolder = "actions";
const operationsFolder = "operations";
const restFolder = "rest";
const otherFolders = [eventsFolder, schedulesFolder, remotesFolder, actionsFolder, operationsFolder, restFolder];

/**
 * Whose files are listed together: `sources`, `events`, `schedules`, `remotes`, `actions`, `operations`, `rest`,
 * `roles/<role>`, and files of some kind in these.
 */
function folderOf(path: string): string {
  const [top = "", role = ""] = path.split("/");
  if (top === sourcesFolder && path.endsWith("/source.ts")) return sourceFiles;
  if (top !== "roles") return top;
  return `${top}/${role}`;
}
