/**
 * The generated files of one Analysis. A file is lowered and emitted when it is first asked for, and taken from the
 * previous program where the parts of the Analysis that it depends on are the same.
 */
import { invariant } from "../../runtime/support/errors.ts";
import type { SchemaApi, SchemaVariant } from "../../runtime/support/schema/role-schema.ts";
import type { Analysis } from "../2-analyze/analysis.ts";
import { adminRole } from "../3-lower/admin-role.ts";
import { enumsInSchema, functionsInSchema } from "../3-lower/function-inputs.ts";
import { lowerEnum, lowerFunction } from "../3-lower/functions.ts";
import { type RoleAnalysis, withInheritance } from "../3-lower/inherited-roles.ts";
import {
  nativeQueryViewInputs,
  roleInputs,
  sourceInputs,
  tableInputs,
  tablesInSchema,
  usableTables,
  viewInputs,
} from "../3-lower/inputs.ts";
import { nativeName, nativeQueriesOf, nativeTableInputs } from "../3-lower/native-inputs.ts";
import { lowerRelay } from "../3-lower/relay.ts";
import { lowerRestEndpoint, lowerRestRoutes } from "../3-lower/rest.ts";
import { lowerRole } from "../3-lower/roots.ts";
import { sameValue } from "../3-lower/same-value.ts";
import { lowerSavedOperation } from "../3-lower/saved-operations.ts";
import { lowerRelaySchema, lowerRoleSchema, roleSchemaInputs } from "../3-lower/schemas.ts";
import { lowerSource, lowerTable } from "../3-lower/tables.ts";
import { lowerView, refTo } from "../3-lower/views.ts";
import { hasBackendOnly } from "../3-lower/write-inputs.ts";
import { exportMetadata, hash } from "../catalog/canonical.ts";
import { emitEnum, emitFunction } from "./functions.ts";
import { emitManifest, shapeHash, textHash } from "./manifest.ts";
import {
  backendRelaySchemaPath,
  backendSchemaPath,
  backendSubgraphSchemaPath,
  enumPath,
  functionPath,
  manifestPath,
  operationPath,
  relayPath,
  relaySchemaPath,
  restEndpointPath,
  restRoutesPath,
  rolePath,
  schemaPath,
  sourcePath,
  subgraphSchemaPath,
  tablePath,
  viewPath,
} from "./paths.ts";
import { emitRelay } from "./relay.ts";
import { emitRole } from "./resolvers.ts";
import { emitRestEndpoint, emitRestRoutes } from "./rest.ts";
import { emitSavedOperation } from "./saved-operations.ts";
import { emitRoleSchema, emitSubgraphSchema } from "./schemas.ts";
import { emitSource, emitTable } from "./sources.ts";
import { emitView } from "./views.ts";

export interface GeneratedFile {
  /** Below the output folder, with slashes. */
  readonly path: string;
  readonly text: string;
  /** Of the text. */
  readonly hash: string;
}

/** How one file is made. */
interface Recipe {
  /** The parts of the Analysis that the file depends on. */
  readonly inputs: () => unknown;
  readonly text: (inputs: unknown) => string;
}

interface CacheEntry {
  readonly inputs: unknown;
  readonly file: GeneratedFile;
  /** Number of the last program that used it. */
  usedBy: number;
}

/** Files that so many programs did not ask for are forgotten. */
const programsKept = 8;

export class Program {
  readonly #analysis: Analysis;
  /** Shared by a program and those made from it. */
  readonly #cache: Map<string, CacheEntry>;
  readonly #number: number;
  readonly #files = new Map<string, GeneratedFile>();
  readonly #folders = new Map<string, ReadonlyMap<string, Recipe>>();
  readonly #roles: ReadonlySet<string>;
  readonly #roleOfFolder: ReadonlyMap<string, string | null>;
  /** By role. */
  readonly #analyses = new Map<string | null, RoleAnalysis>();

  /** @param previous a program whose files are kept where they would come out the same */
  constructor(analysis: Analysis, previous?: Program) {
    this.#analysis = analysis;
    this.#cache = previous ? previous.#cache : new Map();
    this.#number = previous ? previous.#number + 1 : 0;
    this.#roles = new Set([adminRole, ...analysis.roles]);
    this.#roleOfFolder = new Map([null, ...this.#roles].map((role) => [folderOf(rolePath(role)), role]));
    for (const [path, { usedBy }] of this.#cache) {
      if (usedBy < this.#number - programsKept) this.#cache.delete(path);
    }
  }

  /** The roles with modules of their own, in order. */
  roles(): readonly string[] {
    return [...this.#roles].sort();
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

  /** Every file of the output, in order. */
  paths(): readonly string[] {
    return [...this.#generatedPaths(), manifestPath].sort();
  }

  /** One of the files that `paths` lists. */
  module(path: string): GeneratedFile {
    let file = this.#files.get(path);
    if (file === undefined) {
      file = path === manifestPath ? generatedFile(path, this.#manifest()) : this.#make(path);
      this.#files.set(path, file);
    }
    return file;
  }

  #known(role: string): string | null {
    return this.#roles.has(role) ? role : null;
  }

  #generatedPaths(): string[] {
    return [sourcesFolder, operationsFolder, restFolder, ...this.#roleOfFolder.keys()].flatMap((folder) => [
      ...this.#folder(folder).keys(),
    ]);
  }

  #make(path: string): GeneratedFile {
    const recipe = this.#folder(folderOf(path)).get(path);
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

  /** The files below `sources/`, `operations/`, `rest/` or below the folder of one role. */
  #folder(folder: string): ReadonlyMap<string, Recipe> {
    let recipes = this.#folders.get(folder);
    if (recipes === undefined) {
      const role = this.#roleOfFolder.get(folder);
      if (folder === sourcesFolder) recipes = new Map(sharedRecipes(this.#analysis));
      else if (folder === operationsFolder) recipes = new Map(operationRecipes(this.#analysis));
      else if (folder === restFolder) recipes = new Map(restRecipes(this.#analysis));
      else recipes = new Map(role === undefined ? [] : roleRecipes(this.#analysisOf(role), role));
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

const sourcesFolder = "sources";
const operationsFolder = "operations";
const restFolder = "rest";

/** `sources`, `operations`, `rest`, or `roles/<role>`. */
function folderOf(path: string): string {
  const [top = "", role = ""] = path.split("/");
  return top === "roles" ? `${top}/${role}` : top;
}

function generatedFile(path: string, text: string): GeneratedFile {
  return { path, text, hash: textHash(text) };
}

/** A module: lowered from its inputs, with the hash of its IR in its header. */
function recipe<Inputs, Ir>(
  inputs: () => Inputs,
  lower: (inputs: Inputs) => Ir,
  emit: (ir: Ir, slice: string) => string,
): Recipe {
  return {
    inputs,
    text: (parts) => {
      const ir = lower(parts as Inputs);
      return emit(ir, hash(ir).slice(0, 8));
    },
  };
}

function* sharedRecipes({ sources, options }: Analysis): Iterable<[string, Recipe]> {
  for (const source of sources.values()) {
    yield [sourcePath(source.name), recipe(() => sourceInputs(source, options), lowerSource, emitSource)];
    for (const table of tablesInSchema(source)) {
      const path = tablePath(refTo(source.name, table.table.table));
      yield [path, recipe(() => tableInputs(source, table), lowerTable, emitTable)];
    }
    for (const query of source.nativeQueries.values()) {
      const path = tablePath(refTo(source.name, nativeName(query.query.root_field_name)));
      yield [path, recipe(() => nativeTableInputs(source, query), lowerTable, emitTable)];
    }
    for (const inputs of enumsInSchema(source)) {
      yield [enumPath(refTo(source.name, inputs.table)), recipe(() => inputs, lowerEnum, emitEnum)];
    }
    for (const inputs of functionsInSchema(source)) {
      const path = functionPath(refTo(source.name, inputs.function));
      yield [path, recipe(() => inputs, lowerFunction, emitFunction)];
    }
  }
}

function* operationRecipes({ savedOperations }: Analysis): Iterable<[string, Recipe]> {
  for (const saved of savedOperations.values()) {
    yield [operationPath(saved), recipe(() => saved, lowerSavedOperation, emitSavedOperation)];
  }
}

function* restRecipes({ restEndpoints }: Analysis): Iterable<[string, Recipe]> {
  if (restEndpoints.size === 0) return;
  const routes = () => [...restEndpoints.values()].map(({ name, url }) => ({ name, url }));
  yield [restRoutesPath, recipe(routes, lowerRestRoutes, emitRestRoutes)];
  for (const endpoint of restEndpoints.values()) {
    yield [restEndpointPath(endpoint.name), recipe(() => endpoint, lowerRestEndpoint, emitRestEndpoint)];
  }
}

/** Whether some of the role's permissions are for backends only. */
function needsBackendSchema(analysis: RoleAnalysis, role: string): boolean {
  for (const [, table] of usableTables(analysis, role)) if (hasBackendOnly(table, role)) return true;
  return false;
}

const isSubgraph = ({ options }: RoleAnalysis): boolean => options.experimentalFeatures.has("apollo_federation");

function* roleRecipes(analysis: RoleAnalysis, role: string | null): Iterable<[string, Recipe]> {
  yield [rolePath(role), recipe(() => roleInputs(analysis, role), lowerRole, emitRole)];
  // Its IR has less in it than what the role's fields depend on, and is made as fast.
  yield [
    relayPath(role),
    recipe(
      () => lowerRelay(roleInputs(analysis, role)),
      (ir) => ir,
      emitRelay,
    ),
  ];
  const inputs = () => roleSchemaInputs(analysis, role);
  if (isSubgraph(analysis)) {
    yield [subgraphSchemaPath(role), recipe(inputs, lowerRoleSchema, emitSubgraphSchema("frontend"))];
    if (role !== null && needsBackendSchema(analysis, role)) {
      yield [backendSubgraphSchemaPath(role), recipe(inputs, lowerRoleSchema, emitSubgraphSchema("backend"))];
    }
  }
  yield [schemaPath(role), recipe(inputs, lowerRoleSchema, emitRoleSchema("frontend"))];
  yield [relaySchemaPath(role), recipe(inputs, lowerRelaySchema, emitRoleSchema("frontend"))];
  if (role !== null && needsBackendSchema(analysis, role)) {
    yield [backendSchemaPath(role), recipe(inputs, lowerRoleSchema, emitRoleSchema("backend"))];
    yield [backendRelaySchemaPath(role), recipe(inputs, lowerRelaySchema, emitRoleSchema("backend"))];
  }
  for (const [source, table] of usableTables(analysis, role)) {
    const path = viewPath(role ?? "", refTo(source.name, table.table.table));
    yield [path, recipe(() => viewInputs(source, table, role ?? ""), lowerView, emitView)];
  }
  for (const source of analysis.sources.values()) {
    for (const query of nativeQueriesOf(source, role)) {
      const path = viewPath(role ?? "", refTo(source.name, nativeName(query.query.root_field_name)));
      yield [path, recipe(() => nativeQueryViewInputs(source, query, role ?? ""), lowerView, emitView)];
    }
  }
}
