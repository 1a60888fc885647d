/**
 * The files that are generated from one Analysis, with their recipes. Folders are listed on first use. Modules of single
 * tables are found without a list, because a database may have thousands of tables.
 */
import type { Analysis, AnalyzedSource } from "../2-analyze/analysis.ts";
import type { AnalyzedTable } from "../2-analyze/analyzed-table.ts";
import { ofGroup } from "../2-analyze/table-map.ts";
import { adminRole } from "../3-lower/admin-role.ts";
import { type RoleAnalysis, withInheritance } from "../3-lower/inherited-roles.ts";
import { isUsable, usableTables } from "../3-lower/role-tables.ts";
import { RootFieldIndex } from "../3-lower/root-field-index.ts";
import { isInSchema, tablesInSchema } from "../3-lower/table-inputs.ts";
import { refTo } from "../3-lower/table-names.ts";
import { rolePath, tableFilePath, tablePath, viewPath } from "../4-emit/paths.ts";
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
  toolRecipes,
} from "./shared-recipes.ts";

export class ProgramFiles {
  /** Roles that have their own modules. */
  readonly roles: ReadonlySet<string>;
  readonly #analysis: Analysis;
  readonly #index: RootFieldIndex;
  readonly #folders = new Map<string, ReadonlyMap<string, Recipe>>();
  readonly #roleOfFolder: ReadonlyMap<string, string | null>;
  /** Analyses with the inherited permissions of each role. */
  readonly #analyses = new Map<string | null, RoleAnalysis>();

  /** @param previous the files of the previous program */
  constructor(analysis: Analysis, previous: ProgramFiles | undefined) {
    this.#analysis = analysis;
    this.#index = RootFieldIndex.of(
      analysis.sources,
      previous && { sources: previous.#analysis.sources, index: previous.#index },
    );
    this.roles = new Set([adminRole, ...analysis.roles]);
    this.#roleOfFolder = new Map([null, ...this.roles].map((role) => [folderOf(rolePath(role)), role]));
  }

  /** Returns the paths of all files, sorted. */
  paths(): readonly string[] {
    const roleFolders = [...this.#roleOfFolder.keys()];
    const folders = [sourceFiles, sourcesFolder, ...otherFolders, ...roleFolders];
    const listed = folders.flatMap((folder) => [...this.#folder(folder).keys()]);
    return [...listed, ...this.#tablePaths()].sort();
  }

  /** Returns the paths of the event trigger modules, sorted. */
  eventTriggers(): readonly string[] {
    return [...this.#folder(eventsFolder).keys()].sort();
  }

  /** Returns the paths of the cron trigger modules, sorted. */
  cronTriggers(): readonly string[] {
    return [...this.#folder(schedulesFolder).keys()].sort();
  }

  /** Returns the recipe of a file; `undefined` if there is none with that path. */
  recipe(path: string): Recipe | undefined {
    const folder = folderOf(path);
    return this.#tableRecipe(folder, path.slice(folder.length + 1)) ?? this.#folder(folder).get(path);
  }

  /** Returns the Analysis with the role's inherited permissions. */
  analysisOf(role: string | null): RoleAnalysis {
    let analysis = this.#analyses.get(role);
    if (analysis === undefined) {
      analysis = withInheritance(this.#analysis, role);
      this.#analyses.set(role, analysis);
    }
    return analysis;
  }

  /** Returns the recipe of the module of a table. */
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

  /** Yields the paths of the modules of single tables. */
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

  /** Returns the recipes of a folder by path, except recipes of single tables. */
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
      case toolsFolder:
        return toolRecipes(this.#analysis);
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
const toolsFolder = "tools";
const otherFolders = [
  eventsFolder,
  schedulesFolder,
  remotesFolder,
  actionsFolder,
  operationsFolder,
  restFolder,
  toolsFolder,
];

/** Returns the unit in which a file is listed: a top-level folder, `roles/<role>`, or all `source.ts` files. */
function folderOf(path: string): string {
  const [top = "", role = ""] = path.split("/");
  if (top === sourcesFolder && path.endsWith("/source.ts")) return sourceFiles;
  if (top !== "roles") return top;
  return `${top}/${role}`;
}

// Tables by the paths of their modules below `sources/` and `roles/<role>/`: shared by all roles, and reused from program
// to program until a table is added or removed.

type Sources = ReadonlyMap<string, AnalyzedSource>;

class TableFiles {
  readonly #tables = new Map<string, { readonly source: string; readonly key: string }>();

  constructor(sources: Sources) {
    for (const source of sources.values()) {
      for (const group of source.tables.groups) {
        for (const [path, table] of locationsOfGroup(group)) this.#tables.set(path, table);
      }
    }
  }

  /** @param index has the same lifetime as the result */
  static of(sources: Sources, index: RootFieldIndex): TableFiles {
    let files = byIndex.get(index);
    if (files === undefined) {
      files = new TableFiles(sources);
      byIndex.set(index, files);
    }
    return files;
  }

  /** Returns the table of a file, as these sources define it. */
  find(sources: Sources, file: string): readonly [AnalyzedSource, AnalyzedTable] | undefined {
    const ref = this.#tables.get(file);
    const source = ref && sources.get(ref.source);
    const table = source?.tables.get(ref?.key ?? "");
    return source && table && [source, table];
  }
}

const byIndex = new WeakMap<RootFieldIndex, TableFiles>();

type Location = readonly [path: string, table: { readonly source: string; readonly key: string }];

/** Memoized per group: computing all paths again would dominate the cost of adding or removing a table. */
const locationsOfGroup = ofGroup((group): readonly Location[] =>
  group
    .filter(isInSchema)
    .map(({ source, key, table }) => [tableFilePath(refTo(source, table.table)), { source, key }]),
);
