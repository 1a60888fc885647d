/**
 * Caches the schemas of roles and the plans of their saved operations, created on first use. Subclasses differ in how
 * they load the definitions of roles.
 *
 * A role whose definition is the same object as in the previous generation keeps its schemas and their cached plans.
 */
import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { DatabaseSource } from "../databases/sources/source.ts";
import type { ActionDefinition } from "../model/definitions/actions/action.ts";
import type { EventTriggerDefinition } from "../model/definitions/events/event-trigger.ts";
import { endpointsIn, type RouteNode } from "../model/definitions/rest/routes.ts";
import type { RelayDefinition, RoleDefinition } from "../model/definitions/roots.ts";
import type { CronTriggerDefinition } from "../model/definitions/schedules/cron-trigger.ts";
import type { RoleTool } from "../model/definitions/tools/agent-tool.ts";
import { type OpenApiForm, printOpenApi } from "../model/openapi/document.ts";
import type { RelayCipher } from "../model/relay/cipher.ts";
import {
  type RoleDefinitions,
  type RoleSchema,
  roleSchema,
  type SchemaApi,
  type SchemaVariant,
} from "../model/schema/role-schema.ts";
import { lazy } from "../values/lazy.ts";
import type { Generation, SchemaUser } from "./generation.ts";
import type { Guard } from "./guard/guard.ts";
import { type GuardRules, type GuardSettings, guardOf } from "./guard/guard-rules.ts";
import { IntrospectionCache } from "./introspection.ts";
import { PlanCache } from "./plan-cache.ts";
import type { PlannedSavedOperation } from "./saved.ts";

export interface GenerationSettings {
  readonly planCacheSize: number;
  readonly guard: GuardSettings;
  /** Encrypts Relay ids; `null` without a key. */
  readonly relayCipher: RelayCipher | null;
}

/** Content of a generation, without its roles. */
export interface GenerationParts<Saved>
  extends Pick<Generation, "resourceVersion" | "tlsAllowlist" | "sources" | "queryTags"> {
  readonly guardRules: GuardRules;
  /** The saved operations, each with the saved text and the text that client libraries print for it. */
  readonly savedOperations: Iterable<SavedText<Saved>>;
}

interface SavedText<Saved> {
  readonly texts: readonly string[];
  readonly saved: Saved;
}

/** State that the next generation can reuse. */
interface CarriedOver {
  readonly schemas: ReadonlyMap<RoleDefinition, SchemasOfRole>;
  readonly plans: PlanCache;
}

/** The schemas of a role, keyed by variant and API. */
type SchemasOfRole = Map<string, RoleSchema>;

interface SavedEntry<Saved> {
  readonly saved: Saved;
  /** Plans of the operation by variant and role; `null` if the role has none. */
  readonly planned: Readonly<Record<SchemaVariant, Map<string, PlannedSavedOperation | null>>>;
}

export abstract class BaseGeneration<Saved> implements Generation {
  readonly resourceVersion: number;
  readonly tlsAllowlist: Generation["tlsAllowlist"];
  readonly sources: ReadonlyMap<string, DatabaseSource>;
  readonly isRouted: boolean;
  readonly queryTags: Generation["queryTags"];
  readonly guard: Guard;
  readonly plans: PlanCache;
  readonly introspections = new IntrospectionCache();
  readonly #relayCipher: RelayCipher | null;
  /** Schemas by definition. All unknown roles share one definition, and therefore one entry. */
  readonly #schemas = new Map<RoleDefinition, SchemasOfRole>();
  /** State of the previous generation; `undefined` once all reusable state has been carried over. */
  #carriedOver: CarriedOver | undefined;
  readonly #sessionSchemas = new SessionSchemas((user, api) => this.#findSchema(user, api));
  readonly #savedByText: ReadonlyMap<string, SavedEntry<Saved>>;
  /** The texts of saved operations by hash. */
  readonly #savedTexts = lazy(() => new Map([...this.#savedByText.keys()].map((text) => [hashOf(text), text])));
  /** Tools by name, by role and variant. */
  readonly #agentTools: Readonly<Record<SchemaVariant, Map<string, ReadonlyMap<string, RoleTool>>>> = {
    backend: new Map(),
    frontend: new Map(),
  };
  /** OpenAPI documents by form and role. */
  readonly #openApiDocuments = new Map<string, string>();

  /** @param previous a generation with the same settings, whose roles may be reused */
  protected constructor(
    parts: GenerationParts<Saved>,
    { planCacheSize, guard, relayCipher }: GenerationSettings,
    previous?: BaseGeneration<Saved>,
  ) {
    this.resourceVersion = parts.resourceVersion;
    this.tlsAllowlist = parts.tlsAllowlist;
    this.sources = parts.sources;
    this.isRouted = [...parts.sources.values()].some(({ routes }) => routes !== undefined);
    this.queryTags = parts.queryTags;
    this.guard = guardOf(parts.guardRules, guard);
    this.plans = new PlanCache(planCacheSize, previous?.plans);
    this.#relayCipher = relayCipher;
    this.#carriedOver = previous && { schemas: previous.#schemas, plans: previous.plans };
    this.#savedByText = byText(parts.savedOperations);
  }

  /** Returns true if the metadata names the role. */
  protected abstract hasRole(role: string): boolean;
  /** Returns the role's definition: the same object until the role changes. Unknown roles share one definition. */
  protected abstract definitionOf(role: string): RoleDefinition;
  /** Returns the role's definition for the Relay API. */
  protected abstract relayOf(role: string): RelayDefinition;
  /**
   * Returns a loader of both definitions for a single traversal, without caching. The loader must not reference the
   * generation, because schemas of roles outlive it.
   */
  protected abstract transientDefinitions(role: string, api: SchemaApi): () => RoleDefinitions;
  /** Returns true if the role has backend-only permissions. */
  protected abstract hasBackendSchema(role: string): boolean;
  /** Returns the saved operation with its plans for a known role; `undefined` if the role has none. */
  protected abstract planSaved(saved: Saved, role: string, variant: SchemaVariant): PlannedSavedOperation | undefined;
  /** Returns the tools of a known role, sorted by name. */
  protected abstract toolsOf(role: string, variant: SchemaVariant): readonly RoleTool[];
  /** Returns the federation SDL of a role, known or unknown. */
  protected abstract subgraph(role: string, variant: SchemaVariant): string;

  abstract planSavedOperations(): Iterable<unknown>;
  abstract openApiRoles(): Iterable<string>;
  abstract restRoutes(): RouteNode | undefined;
  abstract eventTriggers(): readonly EventTriggerDefinition[];
  abstract asynchronousActions(): readonly ActionDefinition[];
  abstract cronTriggers(): readonly CronTriggerDefinition[];

  openApi(role: string, form: OpenApiForm): string | undefined {
    if (!this.hasRole(role)) return undefined;
    const key = [form.version, form.detail, form.response, role].join(" ");
    let document = this.#openApiDocuments.get(key);
    if (document === undefined) {
      const endpoints = endpointsIn(this.restRoutes() ?? {});
      const schema = this.schemaOf({ role, backendOnly: false });
      const tools = this.agentTools({ role, backendOnly: false });
      document = printOpenApi({ endpoints, schema, tools, includesFaulty: role === "admin", ...form });
      this.#openApiDocuments.set(key, document);
    }
    return document;
  }

  agentTools(user: SchemaUser): readonly RoleTool[] {
    return [...this.#toolsByName(user).values()];
  }

  agentTool(user: SchemaUser, name: string): RoleTool | undefined {
    return this.#toolsByName(user).get(name);
  }

  #toolsByName(user: SchemaUser): ReadonlyMap<string, RoleTool> {
    // Sessions can claim any number of unknown roles, which have no tools.
    if (!this.hasRole(user.role)) return noTools;
    const variant = this.#variantOf(user);
    let tools = this.#agentTools[variant].get(user.role);
    if (tools === undefined) {
      tools = new Map(this.toolsOf(user.role, variant).map((each) => [each.tool.name, each]));
      this.#agentTools[variant].set(user.role, tools);
    }
    return tools;
  }

  schemaOf(user: SchemaUser, api: SchemaApi = "graphql"): RoleSchema {
    return this.#sessionSchemas.of(user, api);
  }

  subgraphOf(user: SchemaUser): string {
    return this.subgraph(user.role, this.#variantOf(user));
  }

  savedOperation(user: SchemaUser, text: string): PlannedSavedOperation | undefined {
    const entry = this.#savedByText.get(text);
    // Sessions can claim any number of unknown roles, which have no plans.
    if (entry === undefined || !this.hasRole(user.role)) return undefined;
    const variant = this.#variantOf(user);
    const ofRoles = entry.planned[variant];
    let planned = ofRoles.get(user.role);
    if (planned === undefined) {
      planned = this.planSaved(entry.saved, user.role, variant) ?? null;
      ofRoles.set(user.role, planned);
    }
    return planned ?? undefined;
  }

  savedText(hash: string): string | undefined {
    return this.#savedTexts().get(hash);
  }

  /** Returns the schemas of a role, reusing the previous generation's schemas if the definition is unchanged. */
  protected schemasOf(definition: RoleDefinition): SchemasOfRole {
    let schemas = this.#schemas.get(definition);
    if (schemas === undefined) {
      schemas = this.#inherit(definition) ?? new Map();
      this.#schemas.set(definition, schemas);
    }
    return schemas;
  }

  #inherit(definition: RoleDefinition): SchemasOfRole | undefined {
    if (this.#carriedOver === undefined) return undefined;
    const { schemas, plans } = this.#carriedOver;
    const schemasOfRole = schemas.get(definition);
    for (const schema of schemasOfRole?.values() ?? []) this.plans.adopt({ schema, from: plans });
    return schemasOfRole;
  }

  protected releasePrevious(): void {
    this.#carriedOver = undefined;
  }

  #findSchema(user: SchemaUser, api: SchemaApi): RoleSchema {
    const definition = this.definitionOf(user.role);
    const schemas = this.schemasOf(definition);
    const variant = this.#variantOf(user);
    const key = `${variant} ${api}`;
    let schema = schemas.get(key);
    if (schema === undefined) {
      const relay = api === "relay" ? this.relayOf(user.role) : undefined;
      const transient = this.transientDefinitions(user.role, api);
      schema = roleSchema(definition, variant, relay, this.#relayCipher, "all", transient);
      schemas.set(key, schema);
    }
    return schema;
  }

  /** Returns the variant for a user. For roles without backend-only permissions, both variants are the same. */
  #variantOf({ role, backendOnly }: SchemaUser): SchemaVariant {
    return backendOnly && this.hasBackendSchema(role) ? "backend" : "frontend";
  }
}

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

const noTools: ReadonlyMap<string, RoleTool> = new Map();

function byText<Saved>(operations: Iterable<SavedText<Saved>>): ReadonlyMap<string, SavedEntry<Saved>> {
  const entries = new Map<string, SavedEntry<Saved>>();
  for (const { texts, saved } of operations) {
    const entry = { saved, planned: { backend: new Map(), frontend: new Map() } };
    for (const text of texts) entries.set(text, entry);
  }
  return entries;
}

// Schemas by role name: the fast path of most requests.

/** Bounded, because sessions can claim any number of unknown roles. */
const maxRoles = 1000;

class SessionSchemas {
  readonly #find: (user: SchemaUser, api: SchemaApi) => RoleSchema;
  /** Created on first use, because most generations never serve all variants. */
  readonly #caches: Readonly<Record<SchemaApi, Variants>> = { graphql: noVariants(), relay: noVariants() };

  /** @param find computes the schema, which is then cached */
  constructor(find: (user: SchemaUser, api: SchemaApi) => RoleSchema) {
    this.#find = find;
  }

  of(user: SchemaUser, api: SchemaApi): RoleSchema {
    const variants = this.#caches[api];
    const variant = user.backendOnly ? "backend" : "frontend";
    let cache = variants[variant];
    if (cache === undefined) {
      cache = new LRUCache({ max: maxRoles });
      variants[variant] = cache;
    }
    let schema = cache.get(user.role);
    if (schema === undefined) {
      schema = this.#find(user, api);
      cache.set(user.role, schema);
    }
    return schema;
  }
}

type Variants = Record<SchemaVariant, LRUCache<string, RoleSchema> | undefined>;

const noVariants = (): Variants => ({ backend: undefined, frontend: undefined });
