/**
 * Rules of remote schemas: their definitions are valid, customised names are unique and clash with no other object, and
 * permission documents are subsets of the upstream schema.
 */
import { resolveTemplate } from "../../../runtime/values/environment-template.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import type { Json } from "../../catalog/model.ts";
import type { RemoteSchema, RemoteSchemaCustomization } from "../../catalog/outside-sources.ts";
import type { RemoteIntrospection, RemoteShape } from "../../shape/remote-shape.ts";
import type { Analysis, AnalysisOptions, AnalyzedRemoteSchema, AnalyzedSource, RemoteRoleShape } from "../analysis.ts";
import { remoteSchemaObject, remoteSchemaPermissionObject } from "../metadata-objects.ts";
import { type Findings, reject, rejectWithCode, withCode } from "../rejection.ts";
import { checkHeaders, checkUrl, checkVariable, type Environment, isAssumed } from "./environment.ts";
import { RoleTypes, TakenNames } from "./remote-conflicts.ts";
import { type RemoteNames, remoteNames } from "./remote-names.ts";
import { bindRemotePermission } from "./remote-permissions.ts";
import { haveSameFields } from "./root-fields.ts";

export interface RemoteSchemasInput {
  readonly catalog: Catalog;
  readonly introspections: ReadonlyMap<string, RemoteIntrospection>;
  readonly options: AnalysisOptions;
  readonly sources: ReadonlyMap<string, AnalyzedSource>;
  readonly previous: Analysis | undefined;
}

/** Returns the consistent remote schemas by name, sorted. */
export function analyzeRemoteSchemas(
  input: RemoteSchemasInput,
  findings: Findings,
): ReadonlyMap<string, AnalyzedRemoteSchema> {
  const { catalog, options, sources, previous } = input;
  if (previous !== undefined && isSame(input, previous)) {
    for (const entry of previous.inconsistencies) if (isOfRemoteSchema(entry.id.kind)) findings.add(entry);
    return previous.remoteSchemas;
  }
  const taken = new TakenNames(sources, catalog, options);
  const typesOfRoles = new RoleTypes();
  const analyzed: AnalyzedRemoteSchema[] = [];
  for (const schema of findings.withoutDuplicates(catalog.remote_schemas, ({ name }) => name, remoteSchemaObject)) {
    const found = findings.attempt(
      () => remoteSchemaObject(schema),
      "",
      () => {
        checkAddress(schema, options.environment);
        checkHeaders(schema.definition.headers, options.environment);
        const { customization } = schema.definition;
        withCode("invalid-params", () => checkCustomization(customization ?? {}));
        const known = shapeOf(schema, input.introspections.get(schema.name), findings);
        const shape = known && (schema.definition.subscriptions ? known : withoutSubscriptions(known));
        const names = shape === undefined ? unnamed : remoteNames(shape, customization);
        return { schema, shape, names: shape === undefined ? names : taken.take(shape, names) };
      },
    );
    if (found !== undefined) {
      analyzed.push({ ...found, permissions: permissionsOf(found, typesOfRoles, options, findings) });
    }
  }
  analyzed.sort((a, b) => (a.schema.name < b.schema.name ? -1 : 1));
  return new Map(analyzed.map((each) => [each.schema.name, each]));
}

const unnamed: RemoteNames = { types: new Map(), fields: new Map() };

/** Returns true if the inputs of remote schemas are unchanged, as are the objects that they could clash with. */
function isSame({ catalog, introspections, sources }: RemoteSchemasInput, previous: Analysis): boolean {
  const known = previous.remoteIntrospections;
  return (
    previous.catalog.remote_schemas === catalog.remote_schemas &&
    known.size === introspections.size &&
    [...introspections].every(([name, introspection]) => known.get(name) === introspection) &&
    (catalog.remote_schemas.length === 0 ||
      (previous.catalog.actions === catalog.actions &&
        previous.catalog.custom_types === catalog.custom_types &&
        haveSameFields(sources, previous.sources) &&
        haveSameTypes(sources, previous.sources)))
  );
}

/** Compares the parts of table and model types that `haveSameFields` does not cover: fields that are not columns. */
function haveSameTypes(sources: RemoteSchemasInput["sources"], previous: RemoteSchemasInput["sources"]): boolean {
  for (const [name, { tables, logicalModels }] of sources) {
    const earlier = previous.get(name);
    if (earlier === undefined || earlier.logicalModels !== logicalModels) return false;
    for (const [{ table }, before] of tables.changesSince(earlier.tables)) {
      const old = before?.table;
      if (
        old?.object_relationships !== table.object_relationships ||
        old.array_relationships !== table.array_relationships ||
        old.computed_fields !== table.computed_fields ||
        old.remote_relationships !== table.remote_relationships
      ) {
        return false;
      }
    }
  }
  return true;
}

function isOfRemoteSchema(kind: string): boolean {
  return kind === "remote_schema" || kind === "remote_schema_permission";
}

/**
 * Returns the shape of a remote schema. An unreachable remote schema keeps the shape of its last introspection, if any.
 */
function shapeOf(
  schema: RemoteSchema,
  introspection: RemoteIntrospection | undefined,
  findings: Findings,
): RemoteShape | undefined {
  if (introspection === undefined) return undefined;
  if ("shape" in introspection) return introspection.shape;
  const { error, staleShape } = introspection;
  const internal = error.internal === undefined ? undefined : (error.internal as Json);
  if (staleShape === undefined) return rejectWithCode("remote-schema-error", error.message, internal);
  const reason = `remote schema "${schema.name}"  is inconsistent because of stale remote schema introspection is used. The remote schema couldn't be reached for a fresh introspection because we got error: ${error.message}`;
  findings.add({ ...remoteSchemaObject(schema), reason: `Inconsistent object: ${reason}` });
  return staleShape;
}

function withoutSubscriptions({ subscription: _, ...shape }: RemoteShape): RemoteShape {
  return shape;
}

/**
 * Returns the permissions by role; none unless remote schema permissions are enabled and the remote schema was
 * introspected.
 */
function permissionsOf(
  { schema, shape, names }: Omit<AnalyzedRemoteSchema, "permissions">,
  typesOfRoles: RoleTypes,
  { remoteSchemaPermissions, sessionAlias }: AnalysisOptions,
  findings: Findings,
): ReadonlyMap<string, RemoteRoleShape> {
  if (!remoteSchemaPermissions || shape === undefined) return new Map();
  const permissions = new Map<string, RemoteRoleShape>();
  for (const { role, definition } of schema.permissions) {
    const bound = findings.attempt(
      () => remoteSchemaPermissionObject(schema.name, role, definition.schema),
      "",
      () => {
        if (role === "admin") reject("cannot define permission for admin role");
        return bindRemotePermission(definition.schema, shape, sessionAlias);
      },
    );
    if (bound === undefined) continue;
    const isTaken = findings.attempt(
      () => remoteSchemaObject(schema),
      `in the schema of role "${role}": `,
      () => {
        typesOfRoles.take(role, bound, names);
        return true;
      },
    );
    if (isTaken) permissions.set(role, bound);
  }
  return new Map([...permissions].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function checkAddress({ definition }: RemoteSchema, environment: Environment): void {
  const { url, url_from_env: variable } = definition;
  if (url !== undefined) withCode("unexpected", () => checkUrl(url, environment));
  withCode("invalid-params", () => {
    if (url !== undefined && variable !== undefined) reject("both `url` and `url_from_env` can't be present");
    if (variable !== undefined) {
      checkVariable(variable, environment);
      if (!isUrl(environment[variable] ?? "")) reject(`not a valid URI in environment variable: ${variable}`);
    } else if (url === undefined) {
      reject("both `url` and `url_from_env` can't be empty");
    } else if (!isUrl(resolveTemplate(url, environment))) {
      reject(`not a valid URI generated from the template: ${url}`);
    }
  });
}

function isUrl(text: string): boolean {
  return isAssumed(text) || URL.canParse(text);
}

/** Refuses new names for introspection fields. */
function checkCustomization({ field_names = [] }: RemoteSchemaCustomization): void {
  for (const { mapping = {} } of field_names) {
    const reserved = Object.keys(mapping).find((field) => field.startsWith("__"));
    if (reserved !== undefined) reject(`attempt to customize reserved field name "${reserved}"`);
  }
}
