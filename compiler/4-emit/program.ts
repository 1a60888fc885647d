/**
 * The generated files of one Analysis. A file is lowered and emitted when it is first asked for, and taken from the
 * previous program where the parts of the Analysis that it depends on are the same.
 */
import { invariant } from "../../runtime/support/errors.ts";
import type { RoleSchema, SchemaApi, SchemaVariant } from "../../runtime/support/schema/role-schema.ts";
import type { PlanOptions } from "../../runtime/support/select/context.ts";
import type { Analysis, SavedQuery } from "../2-analyze/analysis.ts";
import { savedQueryKey } from "../2-analyze/saved-operations.ts";
import { adminRole } from "../3-lower/admin-role.ts";
import { describeOperation } from "../3-lower/describe-operation.ts";
import { type RoleAnalysis, withInheritance } from "../3-lower/inherited-roles.ts";
import { tablesInSchema } from "../3-lower/inputs.ts";
import type { SavedPlansIr } from "../3-lower/ir.ts";
import { isUsable, usableTables } from "../3-lower/role-tables.ts";
import { RootFieldIndex } from "../3-lower/root-field-index.ts";
import { sameValue } from "../3-lower/same-value.ts";
import type { SavedOutcome } from "../3-lower/saved-plans.ts";
import { refTo } from "../3-lower/views.ts";
import { exportMetadata, hash } from "../catalog/canonical.ts";
import { dialectOf } from "../dialects/index.ts";
import { emitClient } from "./client.ts";
import { type GeneratedFile, generatedFile } from "./generated-file.ts";
import { emitManifest, shapeHash } from "./manifest.ts";
import { type DescribedEndpoint, emitOpenApi, type OpenApiSettings } from "./openapi.ts";
import {
  backendRelaySchemaPath,
  backendSchemaPath,
  backendSubgraphSchemaPath,
  clientPath,
  manifestPath,
  openApiPath,
  operationPath,
  relayPath,
  relaySchemaPath,
  restRoutesPath,
  rolePath,
  savedPlansPath,
  schemaPath,
  subgraphSchemaPath,
  tablePath,
  viewPath,
} from "./paths.ts";
import {
  needsBackendSchema,
  operationRecipes,
  type Recipe,
  recipe,
  restRecipes,
  roleRecipes,
  sharedRecipes,
  sourceRecipes,
  tableRecipe,
  viewRecipe,
} from "./recipes.ts";
import { type PlannedOperation, type RoleSchemas, type SavedOperationFault, SavedPlanner } from "./saved-planner.ts";
import { emitSavedPlans } from "./saved-plans.ts";
import { emitSchema, type SchemaFile, schemaFiles } from "./schemas.ts";
import { TableFiles } from "./table-files.ts";

interface CacheEntry {
  readonly inputs: unknown;
  readonly file: GeneratedFile;
  /** Number of the last program that used it. */
  usedBy: number;
}

/** Files that so many programs did not ask for are forgotten. */
const programsKept = 8;

/** What planning saved operations needs, besides their texts. */
export interface Planning {
  /** The roles' schemas, from the modules of this program. */
  readonly schemas: (program: Program) => RoleSchemas;
  readonly options: PlanOptions;
}

export interface ProgramSettings {
  readonly analysis: Analysis;
  /** A program whose files are kept where they would come out the same. */
  readonly previous?: Program | undefined;
  /** Absent: saved operations are not planned for roles. */
  readonly planning?: Planning | undefined;
  /** Whether there is a file for programs that ask saved operations. */
  readonly client?: boolean | undefined;
}

export class Program {
  readonly #analysis: Analysis;
  /** Shared by a program and those made from it. */
  readonly #cache: Map<string, CacheEntry>;
  readonly #number: number;
  readonly #files = new Map<string, GeneratedFile>();
  readonly #index: RootFieldIndex;
  readonly #folders = new Map<string, ReadonlyMap<string, Recipe>>();
  readonly #roles: ReadonlySet<string>;
  readonly #roleOfFolder: ReadonlyMap<string, string | null>;
  /** By role. */
  readonly #analyses = new Map<string | null, RoleAnalysis>();
  readonly #planning: { readonly schemas: RoleSchemas; readonly options: PlanOptions } | undefined;
  readonly #planner: SavedPlanner | undefined;
  readonly #hasClient: boolean;
  /** Files about all of the program. */
  readonly #wholes: ReadonlyMap<string, () => string> = new Map([
    [manifestPath, () => this.#manifest()],
    [openApiPath, () => this.#openApiFile()],
    [clientPath, () => this.#client()],
  ]);
  /** By the path of the plans. Shared like the files. */
  readonly #planned: Map<string, PlannedOperation>;

  constructor({ analysis, previous, planning, client = false }: ProgramSettings) {
    this.#hasClient = client;
    this.#analysis = analysis;
    this.#planning = planning && { ...planning, schemas: planning.schemas(this) };
    this.#cache = previous ? previous.#cache : new Map();
    this.#planned = previous ? previous.#planned : new Map();
    this.#number = previous ? previous.#number + 1 : 0;
    this.#index = RootFieldIndex.of(
      analysis.sources,
      previous && { sources: previous.#analysis.sources, index: previous.#index },
    );
    this.#roles = new Set([adminRole, ...analysis.roles]);
    this.#roleOfFolder = new Map([null, ...this.#roles].map((role) => [folderOf(rolePath(role)), role]));
    for (const [path, { usedBy }] of this.#cache) {
      if (usedBy < this.#number - programsKept) this.#cache.delete(path);
    }
    for (const [path, { usedBy }] of this.#planned) {
      if (usedBy < this.#number - programsKept) this.#planned.delete(path);
    }
    this.#planner =
      this.#planning &&
      new SavedPlanner({
        ...this.#planning,
        operations: analysis.savedOperations,
        hashOf: (path) => this.#hashOf(path),
        planned: this.#planned,
        number: this.#number,
      });
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

  /** The schema of a role as SDL; `backend`: with what only backends may ask, where there is such a thing. */
  roleSchema(role: string, variant: SchemaVariant = "frontend", api: SchemaApi = "graphql"): string {
    const known = this.#known(role);
    const isBackend = variant === "backend" && known !== null;
    if (api === "relay") return isBackend ? backendRelaySchemaPath(known) : relaySchemaPath(known);
    return isBackend ? backendSchemaPath(known) : schemaPath(known);
  }

  /** The schema as a gateway of Apollo federation gets it. */
  subgraphSchema(role: string, variant: SchemaVariant): string {
    const known = this.#known(role);
    return variant === "backend" && known !== null ? backendSubgraphSchemaPath(known) : subgraphSchemaPath(known);
  }

  /** Whether some permissions of a role are for backends only. */
  hasBackendSchema(role: string): boolean {
    const known = this.#known(role);
    return known !== null && needsBackendSchema(this.#analysisOf(known), known);
  }

  /** The module that finds REST endpoints; `undefined` when there are none. */
  restRoutes(): string | undefined {
    return this.#analysis.restEndpoints.size === 0 ? undefined : restRoutesPath;
  }

  /** The saved operations, in order. */
  savedOperations(): Iterable<SavedQuery> {
    return this.#analysis.savedOperations.values();
  }

  /** The module with what all roles share of a saved operation. */
  savedOperation(operation: SavedQuery): string {
    return operationPath(operation);
  }

  /**
   * The module with the plans of a saved operation for a role; `undefined`: there are none, and a request with its
   * text is planned like any other. Planned when it is first asked for, unless what it depends on is as it was.
   */
  savedPlans(operation: SavedQuery, role: string, variant: SchemaVariant = "frontend"): string | undefined {
    const known = this.#known(role);
    if (known === null || this.#planner === undefined) return undefined;
    const used = variant === "backend" && this.hasBackendSchema(known) ? "backend" : "frontend";
    const isFixed = this.#planner.outcome(operation, known, used).kind === "fixed";
    return isFixed ? savedPlansPath(known, operation, used) : undefined;
  }

  /** What became of a saved operation for a role of the program; with what it can run, its plans as data. */
  savedOutcome(operation: SavedQuery, role: string, variant: SchemaVariant): SavedOutcome {
    invariant(this.#planner !== undefined, "saved operations are planned where there are schemas");
    return this.#planner.outcome(operation, role, variant);
  }

  /** What is wrong with saved operations on the schema of admin. */
  savedOperationFaults(): readonly SavedOperationFault[] {
    const planner = this.#planner;
    if (planner === undefined) return [];
    return [...this.savedOperations()].flatMap((operation) => planner.faultOf(operation, adminRole, "frontend") ?? []);
  }

  /** Saved operations that a role could run in the program before, as far as that was asked, and cannot now. */
  brokenSince(previous: Program): readonly SavedOperationFault[] {
    if (previous.#planner === undefined) return [];
    return this.#planner?.brokenSince(previous.#planner, (role) => this.#known(role) !== null) ?? [];
  }

  /** The OpenAPI document of the REST endpoints, with what admin sees of the types; `undefined`: types are not known. */
  openApi(settings: OpenApiSettings): string | undefined {
    if (this.#planning === undefined) return undefined;
    const endpoints = [...this.#analysis.restEndpoints.values()];
    const describe = (schema: RoleSchema): readonly DescribedEndpoint[] =>
      endpoints.map((endpoint) => {
        const { collection_name: collection, query_name: name } = endpoint.definition.query;
        const saved = this.#analysis.savedOperations.get(savedQueryKey({ collection, name }));
        invariant(saved, "the query of a consistent endpoint is a saved operation");
        return { endpoint, saved, described: describeOperation(saved.query, schema) };
      });
    // Types are made while the document is: within the same use of the schema.
    const { value } = this.#planning.schemas.use({ role: adminRole, variant: "frontend" }, (schema) =>
      emitOpenApi(describe(schema), settings),
    );
    return value;
  }

  /** Every file of the output, in order. */
  paths(): readonly string[] {
    return [...this.#generatedPaths(), manifestPath].sort();
  }

  /** One of the files that `paths` lists. */
  module(path: string): GeneratedFile {
    let file = this.#files.get(path);
    if (file === undefined) {
      const whole = this.#wholes.get(path) ?? this.#schema(path);
      file = whole ? generatedFile(path, whole()) : this.#make(path);
      this.#files.set(path, file);
    }
    return file;
  }

  /** Of a module that may be gone. */
  #hashOf(path: string): string | undefined {
    return this.#recipe(path) ? this.module(path).hash : undefined;
  }

  #client(): string {
    invariant(this.#planning, "the client is a file where types are known");
    const { schemas, options } = this.#planning;
    const { value } = schemas.use({ role: adminRole, variant: "frontend" }, (schema) => {
      const operations = [...this.savedOperations()].map((saved) => {
        return { saved, described: describeOperation(saved.query, schema) };
      });
      return emitClient(operations, options, hash(operations.map(({ saved }) => saved)).slice(0, 8));
    });
    return value;
  }

  #schemasOf(role: string | null): readonly SchemaFile[] {
    return schemaFiles(this.#analysisOf(role), role);
  }

  /** How one of the schemas of roles is printed. */
  #schema(path: string): (() => string) | undefined {
    const role = this.#roleOfFolder.get(folderOf(path));
    const isSchema = path.endsWith(".graphql") && role !== undefined;
    const file = isSchema ? this.#schemasOf(role).find((file) => file.path === path) : undefined;
    return file && (() => this.#printSchema(file));
  }

  #printSchema(file: SchemaFile): string {
    invariant(this.#planning, "schemas are files where modules are loaded");
    const { role, variant, form } = file;
    const api = form === "relay" ? "relay" : "graphql";
    const use = (schema: RoleSchema): string => emitSchema(file, schema);
    return this.#planning.schemas.use({ role: role ?? unnamedRole, variant, api }, use).value;
  }

  #openApiFile(): string {
    const document = this.openApi({ form: "full", response: "graphql" });
    invariant(document, "the document is a file where types are known");
    return `${JSON.stringify(JSON.parse(document), null, 2)}\n`;
  }

  #known(role: string): string | null {
    return this.hasRole(role) ? role : null;
  }

  #generatedPaths(): string[] {
    const roleFolders = [...this.#roleOfFolder.keys()];
    const folders = [sourceFiles, sourcesFolder, operationsFolder, restFolder, ...roleFolders];
    const plans = [...this.#roles].flatMap((role) =>
      [...this.savedOperations()].flatMap((operation) => [
        this.savedPlans(operation, role) ?? [],
        this.hasBackendSchema(role) ? (this.savedPlans(operation, role, "backend") ?? []) : [],
      ]),
    );
    const knowsTypes = this.#planning !== undefined;
    const document = [
      ...(knowsTypes && this.#analysis.restEndpoints.size > 0 ? [openApiPath] : []),
      ...(knowsTypes && this.#hasClient ? [clientPath] : []),
    ];
    const schemas = knowsTypes ? [...this.#roleOfFolder.values()].flatMap((role) => this.#schemasOf(role)) : [];
    const others = folders.flatMap((folder) => [...this.#folder(folder).keys()]);
    return [...others, ...schemas.map(({ path }) => path), ...this.#tablePaths(), ...plans.flat(), ...document];
  }

  #make(path: string): GeneratedFile {
    const recipe = this.#recipe(path);
    invariant(recipe, `the program has no file ${path}`);
    const inputs = recipe.inputs();
    const known = this.#cache.get(path);
    if (known && sameValue(known.inputs, inputs)) {
      known.usedBy = Math.max(known.usedBy, this.#number);
      return known.file;
    }
    const file = generatedFile(path, recipe.text(inputs));
    this.#cache.set(path, { inputs, file, usedBy: this.#number });
    return file;
  }

  #recipe(path: string): Recipe | undefined {
    const folder = folderOf(path);
    return this.#tableRecipe(folder, path.slice(folder.length + 1)) ?? this.#folder(folder).get(path);
  }

  /** Of a module about one table. Found without a list of all of them, of which there may be thousands. */
  #tableRecipe(folder: string, file: string): Recipe | undefined {
    const files = TableFiles.of(this.#analysis.sources, this.#index);
    if (folder === sourcesFolder) {
      const found = files.find(this.#analysis.sources, file);
      return found && tableRecipe(...found);
    }
    const role = this.#roleOfFolder.get(folder);
    if (role === undefined || role === null) return undefined;
    const found = files.find(this.#analysisOf(role).sources, file);
    return found && isUsable(found[1], role) ? viewRecipe(...found, role) : undefined;
  }

  /** The paths of the modules about one table each. */
  *#tablePaths(): Iterable<string> {
    for (const source of this.#analysis.sources.values()) {
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
      if (folder === sourcesFolder) recipes = new Map(sharedRecipes(this.#analysis));
      else if (folder === sourceFiles) recipes = new Map(sourceRecipes(this.#analysis));
      else if (folder === operationsFolder) recipes = new Map(operationRecipes(this.#analysis));
      else if (folder === restFolder) recipes = new Map(restRecipes(this.#analysis));
      else if (folder.endsWith(savedPlansFolder)) recipes = new Map(this.#savedPlansRecipes(folder));
      else recipes = new Map(role === undefined ? [] : roleRecipes(this.#analysisOf(role), role, this.#index));
      this.#folders.set(folder, recipes);
    }
    return recipes;
  }

  /** With what the role inherits. */
  #analysisOf(role: string | null): RoleAnalysis {
    let analysis = this.#analyses.get(role);
    if (analysis === undefined) {
      analysis = withInheritance(this.#analysis, role);
      this.#analyses.set(role, analysis);
    }
    return analysis;
  }

  *#savedPlansRecipes(folder: string): Iterable<[string, Recipe]> {
    const role = this.#roleOfFolder.get(folder.slice(0, -savedPlansFolder.length));
    if (role === undefined || role === null) return;
    for (const operation of this.savedOperations()) {
      for (const variant of ["frontend", "backend"] as const) {
        const inputs = () => {
          const outcome = this.#planner?.outcome(operation, role, variant);
          invariant(outcome?.kind === "fixed", "only operations with plans have a module with them");
          return outcome.plans;
        };
        const { collection, name } = operation;
        const lower = (plans: ReturnType<typeof inputs>): SavedPlansIr => {
          return { operation: { collection, name }, role, variant, ...plans };
        };
        const emit = (ir: SavedPlansIr, slice: string): string =>
          emitSavedPlans(ir, (source) => this.#dialectOf(source), slice);
        yield [savedPlansPath(role, operation, variant), recipe(inputs, lower, emit)];
      }
    }
  }

  /** The name of a source's dialect in `engine/support`. */
  #dialectOf(name: string): string {
    const source = this.#analysis.sources.get(name);
    const dialect = source && dialectOf(source.source.kind);
    invariant(dialect, `no dialect for source ${name}`);
    return dialect.runtime.name;
  }

  #manifest(): string {
    const { catalog, sources } = this.#analysis;
    return emitManifest({
      catalog: hash(exportMetadata(catalog)),
      shapes: Object.fromEntries([...sources].map(([name, { shape }]) => [name, shapeHash(shape)])),
      files: Object.fromEntries(
        this.#generatedPaths()
          .sort()
          .map((path) => [path, this.module(path).hash]),
      ),
    });
  }
}

/** Stands for all roles that nothing names. */
const unnamedRole = "";

const sourcesFolder = "sources";
const sourceFiles = "sources/*/source.ts";
const operationsFolder = "operations";
const restFolder = "rest";

const savedPlansFolder = "/(operations)";

/**
 * Whose files are listed together: `sources`, `operations`, `rest`, `roles/<role>`, `roles/<role>/(operations)`, and
 * files of some kind in these.
 */
function folderOf(path: string): string {
  const [top = "", role = "", next = ""] = path.split("/");
  if (top === sourcesFolder && path.endsWith("/source.ts")) return sourceFiles;
  if (top !== "roles") return top;
  return `/${next}` === savedPlansFolder ? `${top}/${role}${savedPlansFolder}` : `${top}/${role}`;
}
