/**
 * Phase 5: returns all files of the output for a Program whose modules are loaded. Adds the files that depend on the
 * loaded roles: schemas as SDL, plans of saved operations, the OpenAPI document, the typed client; and the manifest.
 */
import { posix } from "node:path";
import { buildSchema, type GraphQLSchema } from "graphql";
import type { RestEndpoint } from "../../runtime/model/definitions/rest/endpoint.ts";
import type { TablesByName } from "../../runtime/model/definitions/roots.ts";
import type { RoleTool } from "../../runtime/model/definitions/tools/agent-tool.ts";
import { printOpenApi } from "../../runtime/model/openapi/document.ts";
import type { PlanOptions } from "../../runtime/model/planner/select/context.ts";
import type { RoleSchema, SchemaApi, SchemaVariant } from "../../runtime/model/schema/role-schema.ts";
import { invariant } from "../../runtime/values/errors.ts";
import { lazy } from "../../runtime/values/lazy.ts";
import type { SavedQuery } from "../2-analyze/analysis.ts";
import { savedQueryKey } from "../2-analyze/saved-operations.ts";
import { adminRole } from "../3-lower/admin-role.ts";
import { lowerAgentTool } from "../3-lower/agent-tools.ts";
import { lowerRestEndpoint } from "../3-lower/rest.ts";
import { lowerSavedOperation, savedOperationOf } from "../3-lower/saved-operations.ts";
import { emitManifest, shapeHash } from "../4-emit/manifest.ts";
import type { ModuleText } from "../4-emit/module-builder.ts";
import {
  backendRelaySchemaPath,
  backendSchemaPath,
  backendSubgraphSchemaPath,
  clientPath,
  manifestPath,
  openApiPath,
  relaySchemaPath,
  rolePath,
  savedPlansPath,
  schemaPath,
  subgraphSchemaPath,
} from "../4-emit/paths.ts";
import { exportMetadata, hash } from "../catalog/canonical.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { dialectOf } from "../dialects/index.ts";
import {
  type GeneratedFile,
  type GeneratedModule,
  generatedFile,
  type MadeFile,
  makeFile,
  type Program,
} from "../program/program.ts";
import { ProgramCache } from "../program/program-cache.ts";
import { type Recipe, recipe } from "../program/recipe.ts";
import { type ClientInput, type ClientSettings, clientOperationOf, emitClient } from "./client.ts";
import { emitSavedPlans } from "./emit-plans.ts";
import { emitRoleTool, type RoleToolIr } from "./emit-tools.ts";
import type { SavedOutcome } from "./plan-operation.ts";
import type { SavedPlansIr } from "./plans-ir.ts";
import { type PlannedOperation, type RoleSchemas, type SavedOperationFault, SavedPlanner } from "./saved-planner.ts";
import { emitSchema, type SchemaFile, schemaFiles } from "./schemas.ts";
import { type DerivedTool, type ToolOfRole, ToolPlanner } from "./tool-planner.ts";

const admin = { role: adminRole, variant: "frontend" } as const;

/** A role that the metadata does not name; all such roles share one schema. */
const unnamedRole = "";

const folderOf = (path: string): string => posix.dirname(path);

export interface PlannedProgramSettings {
  readonly program: Program;
  /** The schemas that the program's modules declare. */
  readonly schemas: RoleSchemas;
  readonly options: PlanOptions;
  /** An earlier planned program, whose plans and files are reused if their inputs are equal. */
  readonly previous?: PlannedProgram | undefined;
  /** If true, the output has typed documents for client programs. */
  readonly client?: boolean | undefined;
}

export class PlannedProgram {
  readonly #program: Program;
  readonly #schemas: RoleSchemas;
  readonly #options: PlanOptions;
  readonly #hasClient: boolean;
  readonly #plans: ProgramCache<PlannedOperation>;
  readonly #planner: SavedPlanner;
  readonly #derivedTools: ProgramCache<DerivedTool>;
  readonly #tools: ToolPlanner;
  readonly #cache: ProgramCache<MadeFile>;
  readonly #files = new Map<string, GeneratedFile>();
  /** Files about the whole program, by path. */
  readonly #programFiles: ReadonlyMap<string, () => string> = new Map([
    [manifestPath, () => this.#manifest()],
    [openApiPath, () => this.#openApi()],
    [clientPath, () => this.#client()],
  ]);

  readonly #toolsByPath = lazy(() => {
    const roles = this.#program.roles().flatMap((role) => this.#variantsOf(role).map((variant) => ({ role, variant })));
    const tools = roles.flatMap(({ role, variant }) => this.toolsOf(role, variant));
    return new Map(tools.map((tool) => [tool.path, tool]));
  });

  readonly #roleOfFolder = lazy(() => new Map(this.#roleNames().map((role) => [folderOf(rolePath(role)), role])));

  constructor({ program, schemas, options, previous, client = false }: PlannedProgramSettings) {
    this.#program = program;
    this.#schemas = schemas;
    this.#options = options;
    this.#hasClient = client;
    this.#cache = new ProgramCache(previous ? previous.#cache : undefined);
    this.#plans = new ProgramCache(previous ? previous.#plans : undefined);
    this.#derivedTools = new ProgramCache(previous ? previous.#derivedTools : undefined);
    const { stringifyNumbers, nullCollapse } = options;
    this.#tools = new ToolPlanner({
      analysis: program.analysis,
      schemas,
      stringifyNumbers,
      nullCollapse,
      hashOf: (path) => program.hashOf(path),
      derived: this.#derivedTools,
    });
    this.#planner = new SavedPlanner({
      schemas,
      options,
      operations: program.analysis.savedOperations,
      hashOf: (path) => program.hashOf(path),
      planned: this.#plans,
    });
  }

  /** Returns the path of a role's SDL; `backend` includes backend-only fields if the role has any. */
  roleSchema(role: string, variant: SchemaVariant = "frontend", api: SchemaApi = "graphql"): string {
    const known = this.#known(role);
    const isBackend = variant === "backend" && known !== null;
    if (api === "relay") return isBackend ? backendRelaySchemaPath(known) : relaySchemaPath(known);
    return isBackend ? backendSchemaPath(known) : schemaPath(known);
  }

  /** Returns the path of a role's SDL for gateways of Apollo federation. */
  subgraphSchema(role: string, variant: SchemaVariant): string {
    const known = this.#known(role);
    return variant === "backend" && known !== null ? backendSubgraphSchemaPath(known) : subgraphSchemaPath(known);
  }

  /**
   * Returns the path of the module with the plans of a saved operation for a role; `undefined` if requests must plan it.
   * Plans on first use, unless an earlier plan is still valid.
   */
  savedPlans(operation: SavedQuery, role: string, variant: SchemaVariant = "frontend"): string | undefined {
    if (!this.#program.hasRole(role)) return undefined;
    const used = variant === "backend" && this.#program.hasBackendSchema(role) ? "backend" : "frontend";
    const isFixed = this.savedOutcome(operation, role, used).kind === "fixed";
    return isFixed ? savedPlansPath(role, operation, used) : undefined;
  }

  /** Returns the result of planning a saved operation for a role of the program. */
  savedOutcome(operation: SavedQuery, role: string, variant: SchemaVariant): SavedOutcome {
    return this.#planner.outcome(operation, role, variant);
  }

  /** Derives the tools of a role on its schema, sorted by name. */
  deriveTools(role: string, schema: RoleSchema): readonly RoleTool[] {
    return this.#tools.derive(role, schema);
  }

  /** Returns the tools of a role of the program, sorted by name. */
  toolsOf(role: string, variant: SchemaVariant): readonly ToolOfRole[] {
    return this.#tools.toolsOf(role, variant);
  }

  /** Returns the saved operations that admin cannot run. */
  faults(): readonly SavedOperationFault[] {
    const operations = [...this.#program.savedOperations()];
    return operations.flatMap((operation) => this.#planner.faultOf(operation, adminRole, "frontend") ?? []);
  }

  /** Returns the saved operations that were planned in the previous program and that their role can no longer run. */
  brokenSince(previous: PlannedProgram): readonly SavedOperationFault[] {
    return this.#planner.brokenSince(previous.#planner, (role) => this.#program.hasRole(role));
  }

  /** Returns the paths of all output files, sorted. */
  paths(): readonly string[] {
    return [...this.#pathsInManifest(), manifestPath].sort();
  }

  /** Returns the paths of the modules of a role of the program, sorted. */
  modulesOf(role: string): readonly string[] {
    const folder = `${folderOf(this.#program.roleModule(role))}/`;
    const own = this.#program.paths().filter((path) => path.startsWith(folder) && path.endsWith(".ts"));
    return [...own, ...this.#plansOf(role), ...this.#toolPathsOf(role)].sort();
  }

  /** Returns a file that `paths` lists. */
  file(path: string): GeneratedFile {
    let file = this.#files.get(path);
    if (file === undefined) {
      file = this.#make(path) ?? this.module(path);
      this.#files.set(path, file);
    }
    return file;
  }

  /** Returns a module that the runtime loads, including modules with plans of saved operations. */
  module(path: string): GeneratedModule {
    const recipe = this.#savedPlansRecipe(path) ?? this.#toolRecipe(path);
    return recipe ? makeFile(path, recipe, this.#cache) : this.#program.module(path);
  }

  #make(path: string): GeneratedFile | undefined {
    const print = this.#programFiles.get(path);
    if (print) return generatedFile(path, print());
    const schema = this.#schemaFile(path);
    return schema && generatedFile(path, this.#printSchema(schema));
  }

  #known(role: string): string | null {
    return this.#program.hasRole(role) ? role : null;
  }

  /** Returns the roles, including `null` for all roles that the metadata does not name. */
  #roleNames(): readonly (string | null)[] {
    return [null, ...this.#program.roles()];
  }

  #schemasOf(role: string | null): readonly SchemaFile[] {
    const isSubgraph = this.#program.analysis.options.experimentalFeatures.has("apollo_federation");
    return schemaFiles(role, { isSubgraph, hasBackend: role !== null && this.#program.hasBackendSchema(role) });
  }

  #schemaFile(path: string): SchemaFile | undefined {
    const role = path.endsWith(".graphql") ? this.#roleOfFolder().get(folderOf(path)) : undefined;
    return role === undefined ? undefined : this.#schemasOf(role).find((file) => file.path === path);
  }

  #printSchema(file: SchemaFile): string {
    const { role, variant, form } = file;
    const api = form === "relay" ? "relay" : "graphql";
    const use = (schema: RoleSchema): string => emitSchema(file, schema);
    return this.#schemas.use({ role: role ?? unnamedRole, variant, api }, use).value;
  }

  #savedPlansRecipe(path: string): Recipe | undefined {
    const planned = this.#planner.planned(path);
    if (planned?.outcome.kind !== "fixed") return undefined;
    const { plans } = planned.outcome;
    const { operation, role, variant } = planned;
    const { collection, name } = operation;
    const lower = (): SavedPlansIr => ({ operation: { collection, name }, role, variant, ...plans });
    const emit = (ir: SavedPlansIr, slice: string): ModuleText =>
      emitSavedPlans(ir, (source) => this.#dialectOf(source), slice);
    return recipe(() => plans, lower, emit);
  }

  #toolRecipe(path: string): Recipe | undefined {
    const tool = this.#toolsByPath().get(path);
    return (
      tool &&
      recipe(
        () => this.#toolIr(tool),
        (ir: RoleToolIr) => ir,
        emitRoleTool,
      )
    );
  }

  #toolIr({ inputs, role, variant, tool: { tool, hints, input, output } }: ToolOfRole): RoleToolIr {
    const { saved } = inputs;
    const { description } = lowerAgentTool(inputs);
    const isPlanned = this.savedPlans(saved, role, variant) !== undefined;
    return {
      name: tool.name,
      role,
      variant,
      ...(description === undefined && { description: tool.description }),
      hints,
      input,
      output,
      ...(isPlanned && { planned: { collection: saved.collection, name: saved.name } }),
    };
  }

  #dialectOf(name: string): Dialect {
    const source = this.#program.analysis.sources.get(name);
    const dialect = source && dialectOf(source.source.kind);
    invariant(dialect, `no dialect for source ${name}`);
    return dialect;
  }

  #client(): string {
    return this.client(adminRole, {
      from: "query collections, as admin sees their types",
      operations: [...this.#program.savedOperations()].map(clientOperationOf),
      fragments: [],
    });
  }

  /** Returns a TypeScript module with operations that are valid on the schema of a role. */
  client(
    role: string,
    input: Omit<ClientInput, "schema">,
    documentMode: ClientSettings["documentMode"] = "documentNode",
  ): string {
    const { stringifyNumbers } = this.#options;
    const schema = this.clientSchema(role);
    return emitClient({ ...input, schema }, { stringifyNumbers, documentMode, scalars: new Map() });
  }

  /** Returns what `use` reads from the schema of admin. */
  readAdmin<T>(use: (schema: RoleSchema) => T): T {
    return this.#schemas.use({ ...admin, variant: "backend" }, use).value;
  }

  /** Returns what `use` reads from the tables of a role. */
  readTables<T>(role: string, use: (tables: TablesByName) => T): T {
    const key = { role, variant: "frontend" } as const;
    return this.#schemas.use(key, (schema) => use(schema.transient().tables)).value;
  }

  /** Returns the schema of a role for validation, without resolvers. */
  clientSchema(role: string): GraphQLSchema {
    return buildSchema(this.file(this.roleSchema(role)).text, { assumeValidSDL: true });
  }

  #openApi(): string {
    const { restEndpoints, savedOperations } = this.#program.analysis;
    const endpoints = Array.from(restEndpoints.values(), (endpoint): RestEndpoint => {
      const ir = lowerRestEndpoint(endpoint);
      const saved = savedOperations.get(savedQueryKey(ir.operation));
      invariant(saved, "the query of a consistent endpoint is a saved operation");
      return { ...ir, operation: savedOperationOf(lowerSavedOperation(saved)) };
    });
    const tools = this.toolsOf(adminRole, "frontend").map(({ tool }) => tool);
    // Types are resolved lazily, so the document must be printed within this use of the schema.
    const { value } = this.#schemas.use(admin, (schema) =>
      printOpenApi({
        ...{ endpoints, schema, tools },
        ...{ includesFaulty: true, version: "3.0", detail: "full", response: "graphql" },
      }),
    );
    return `${JSON.stringify(JSON.parse(value), null, 2)}\n`;
  }

  #pathsInManifest(): readonly string[] {
    const program = this.#program;
    const plans = program.roles().flatMap((role) => [...this.#plansOf(role), ...this.#toolPathsOf(role)]);
    const schemas = this.#roleNames().flatMap((role) => this.#schemasOf(role).map(({ path }) => path));
    const documents = [
      ...(program.restRoutes() === undefined ? [] : [openApiPath]),
      ...(this.#hasClient ? [clientPath] : []),
    ];
    return [...program.paths(), ...schemas, ...plans, ...documents].sort();
  }

  #variantsOf(role: string): readonly SchemaVariant[] {
    return this.#program.hasBackendSchema(role) ? ["frontend", "backend"] : ["frontend"];
  }

  #toolPathsOf(role: string): readonly string[] {
    return this.#variantsOf(role).flatMap((variant) => this.toolsOf(role, variant).map(({ path }) => path));
  }

  #plansOf(role: string): readonly string[] {
    const variants = this.#variantsOf(role);
    return [...this.#program.savedOperations()].flatMap((operation) =>
      variants.flatMap((variant) => this.savedPlans(operation, role, variant) ?? []),
    );
  }

  #manifest(): string {
    const { catalog, sources } = this.#program.analysis;
    return emitManifest({
      catalog: hash(exportMetadata(catalog)),
      shapes: Object.fromEntries([...sources].map(([name, { shape }]) => [name, shapeHash(shape)])),
      files: Object.fromEntries(this.#pathsInManifest().map((path) => [path, this.file(path).hash])),
    });
  }
}
