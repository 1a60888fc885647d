/**
 * Phase 5: a Program whose modules are loaded → all files of the output. Those that are made here need what the modules
 * of the roles declare: schemas as SDL, saved operations as finished SQL, the OpenAPI document, the typed client; and the
 * manifest of all.
 */

import { posix } from "node:path";
import type { PlanOptions } from "../../runtime/model/planner/select/context.ts";
import type { RoleSchema, SchemaApi, SchemaVariant } from "../../runtime/model/schema/role-schema.ts";
import { invariant } from "../../runtime/values/errors.ts";
import { lazy } from "../../runtime/values/lazy.ts";
import type { SavedQuery } from "../2-analyze/analysis.ts";
import { savedQueryKey } from "../2-analyze/saved-operations.ts";
import { adminRole } from "../3-lower/admin-role.ts";
import { emitManifest, shapeHash } from "../4-emit/manifest.ts";
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
import { type GeneratedFile, generatedFile } from "../program/generated-file.ts";
import { type MadeFile, makeFile } from "../program/make-file.ts";
import type { Program } from "../program/program.ts";
import { ProgramCache } from "../program/program-cache.ts";
import { type Recipe, recipe } from "../program/recipe.ts";
import { emitClient } from "./client.ts";
import { describeOperation } from "./describe-operation.ts";
import { emitSavedPlans } from "./emit-plans.ts";
import { type DescribedEndpoint, emitOpenApi } from "./openapi.ts";
import type { SavedOutcome } from "./plan-operation.ts";
import type { SavedPlansIr } from "./plans-ir.ts";
import { type PlannedOperation, type RoleSchemas, type SavedOperationFault, SavedPlanner } from "./saved-planner.ts";
import { emitSchema, type SchemaFile, schemaFiles } from "./schemas.ts";

const admin = { role: adminRole, variant: "frontend" } as const;

/** Stands for all roles that nothing names. */
const unnamedRole = "";

const folderOf = (path: string): string => posix.dirname(path);

export interface PlannedProgramSettings {
  readonly program: Program;
  /** What the program's modules declare. */
  readonly schemas: RoleSchemas;
  readonly options: PlanOptions;
  /** One whose plans and files are kept where they would come out the same. */
  readonly previous?: PlannedProgram | undefined;
  /** Whether there is a file for programs that ask saved operations. */
  readonly client?: boolean | undefined;
}

export class PlannedProgram {
  readonly #program: Program;
  readonly #schemas: RoleSchemas;
  readonly #options: PlanOptions;
  readonly #hasClient: boolean;
  readonly #plans: ProgramCache<PlannedOperation>;
  readonly #planner: SavedPlanner;
  readonly #cache: ProgramCache<MadeFile>;
  readonly #files = new Map<string, GeneratedFile>();
  /** Files about all of the program. */
  readonly #wholes: ReadonlyMap<string, () => string> = new Map([
    [manifestPath, () => this.#manifest()],
    [openApiPath, () => this.#openApiFile()],
    [clientPath, () => this.#client()],
  ]);

  readonly #roleOfFolder = lazy(() => new Map(this.#roleNames().map((role) => [folderOf(rolePath(role)), role])));

  constructor({ program, schemas, options, previous, client = false }: PlannedProgramSettings) {
    this.#program = program;
    this.#schemas = schemas;
    this.#options = options;
    this.#hasClient = client;
    this.#cache = new ProgramCache(previous ? previous.#cache : undefined);
    this.#plans = new ProgramCache(previous ? previous.#plans : undefined);
    this.#planner = new SavedPlanner({
      schemas,
      options,
      operations: program.analysis.savedOperations,
      hashOf: (path) => program.hashOf(path),
      planned: this.#plans,
    });
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

  /**
   * The module with the plans of a saved operation for a role; `undefined`: there are none, and a request with its
   * text is planned like any other. Planned when it is first asked for, unless what it depends on is as it was.
   */
  savedPlans(operation: SavedQuery, role: string, variant: SchemaVariant = "frontend"): string | undefined {
    if (!this.#program.hasRole(role)) return undefined;
    const used = variant === "backend" && this.#program.hasBackendSchema(role) ? "backend" : "frontend";
    const isFixed = this.savedOutcome(operation, role, used).kind === "fixed";
    return isFixed ? savedPlansPath(role, operation, used) : undefined;
  }

  /** What became of a saved operation for a role of the program; with what it can run, its plans as data. */
  savedOutcome(operation: SavedQuery, role: string, variant: SchemaVariant): SavedOutcome {
    return this.#planner.outcome(operation, role, variant);
  }

  /** What is wrong with saved operations on the schema of admin. */
  faults(): readonly SavedOperationFault[] {
    const operations = [...this.#program.savedOperations()];
    return operations.flatMap((operation) => this.#planner.faultOf(operation, adminRole, "frontend") ?? []);
  }

  /** Saved operations that a role could run in the program before, as far as that was asked, and cannot now. */
  brokenSince(previous: PlannedProgram): readonly SavedOperationFault[] {
    return this.#planner.brokenSince(previous.#planner, (role) => this.#program.hasRole(role));
  }

  /**
   * The OpenAPI document of the REST endpoints, with what a role sees of the types: of those that it may ask, for admin
   * of all. `undefined`: nothing names the role.
   */
  openApi(role: string): string | undefined {
    if (role !== adminRole && !this.#program.hasRole(role)) return undefined;
    const { restEndpoints, savedOperations } = this.#program.analysis;
    const all = [...restEndpoints.values()].map((endpoint) => {
      const { collection_name: collection, query_name: name } = endpoint.definition.query;
      const saved = savedOperations.get(savedQueryKey({ collection, name }));
      invariant(saved, "the query of a consistent endpoint is a saved operation");
      return { endpoint, saved };
    });
    const allowed = all.filter(
      ({ saved }) => role === adminRole || this.#planner.faultOf(saved, role, "frontend") === undefined,
    );
    const describe = (schema: RoleSchema): readonly DescribedEndpoint[] =>
      allowed.map((each) => ({ ...each, described: describeOperation(each.saved.query, schema) }));
    // Types are made while the document is: within the same use of the schema.
    return this.#schemas.use({ ...admin, role }, (schema) => emitOpenApi(describe(schema))).value;
  }

  /** Every file of the output, in order. */
  paths(): readonly string[] {
    return [...this.#pathsInManifest(), manifestPath].sort();
  }

  /** The modules of one role of the program, in order. */
  modulesOf(role: string): readonly string[] {
    const folder = `${folderOf(this.#program.roleModule(role))}/`;
    const own = this.#program.paths().filter((path) => path.startsWith(folder) && path.endsWith(".ts"));
    return [...own, ...this.#plansOf(role)].sort();
  }

  /** One of the files that `paths` lists, or the module that `savedPlans` named. */
  module(path: string): GeneratedFile {
    let file = this.#files.get(path);
    if (file === undefined) {
      file = this.#make(path) ?? this.#program.module(path);
      this.#files.set(path, file);
    }
    return file;
  }

  #make(path: string): GeneratedFile | undefined {
    const whole = this.#wholes.get(path);
    if (whole) return generatedFile(path, whole());
    const schema = this.#schemaFile(path);
    if (schema) return generatedFile(path, this.#printSchema(schema));
    const recipe = this.#savedPlansRecipe(path);
    return recipe && makeFile(path, recipe, this.#cache);
  }

  #known(role: string): string | null {
    return this.#program.hasRole(role) ? role : null;
  }

  /** `null`: every role that nothing names. */
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
    const emit = (ir: SavedPlansIr, slice: string): string =>
      emitSavedPlans(ir, (source) => this.#dialectOf(source), slice);
    return recipe(() => plans, lower, emit);
  }

  #dialectOf(name: string): Dialect {
    const source = this.#program.analysis.sources.get(name);
    const dialect = source && dialectOf(source.source.kind);
    invariant(dialect, `no dialect for source ${name}`);
    return dialect;
  }

  #client(): string {
    const { value } = this.#schemas.use(admin, (schema) => {
      const operations = [...this.#program.savedOperations()].map((saved) => {
        return { saved, described: describeOperation(saved.query, schema) };
      });
      return emitClient(operations, this.#options, hash(operations.map(({ saved }) => saved)).slice(0, 8));
    });
    return value;
  }

  #openApiFile(): string {
    const document: unknown = JSON.parse(this.openApi(adminRole) ?? "");
    return `${JSON.stringify(document, null, 2)}\n`;
  }

  #pathsInManifest(): readonly string[] {
    const program = this.#program;
    const plans = program.roles().flatMap((role) => this.#plansOf(role));
    const schemas = this.#roleNames().flatMap((role) => this.#schemasOf(role).map(({ path }) => path));
    const documents = [
      ...(program.restRoutes() === undefined ? [] : [openApiPath]),
      ...(this.#hasClient ? [clientPath] : []),
    ];
    return [...program.paths(), ...schemas, ...plans, ...documents].sort();
  }

  #plansOf(role: string): readonly string[] {
    const variants: readonly SchemaVariant[] = this.#program.hasBackendSchema(role)
      ? ["frontend", "backend"]
      : ["frontend"];
    return [...this.#program.savedOperations()].flatMap((operation) =>
      variants.flatMap((variant) => this.savedPlans(operation, role, variant) ?? []),
    );
  }

  #manifest(): string {
    const { catalog, sources } = this.#program.analysis;
    return emitManifest({
      catalog: hash(exportMetadata(catalog)),
      shapes: Object.fromEntries([...sources].map(([name, { shape }]) => [name, shapeHash(shape)])),
      files: Object.fromEntries(this.#pathsInManifest().map((path) => [path, this.module(path).hash])),
    });
  }
}
