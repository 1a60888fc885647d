/**
 * What every Generation does with its roles: keeps their schemas and the plans of their saved operations, each made
 * when a request first needs it. Where roles come from is all that kinds of Generation differ in.
 *
 * A role whose definition is the same object as in the Generation before has its schemas from there, with the plans of
 * their operations.
 */

import type { DatabaseSource } from "../databases/sources/source.ts";
import type { ActionDefinition } from "../model/definitions/actions/action.ts";
import type { EventTriggerDefinition } from "../model/definitions/events/event-trigger.ts";
import type { RouteNode } from "../model/definitions/rest/routes.ts";
import type { RelayDefinition, RoleDefinition } from "../model/definitions/roots.ts";
import type { CronTriggerDefinition } from "../model/definitions/schedules/cron-trigger.ts";
import type { RelayCipher } from "../model/relay/cipher.ts";
import {
  type RoleDefinitions,
  type RoleSchema,
  roleSchema,
  type SchemaApi,
  type SchemaVariant,
} from "../model/schema/role-schema.ts";
import type { Generation, SchemaUser } from "./generation.ts";
import type { Guard } from "./guard/guard.ts";
import { type GuardRules, type GuardSettings, guardOf } from "./guard/guard-rules.ts";
import { IntrospectionCache } from "./introspection.ts";
import { PlanCache } from "./plan-cache.ts";
import type { PlannedSavedOperation } from "./saved.ts";
import { SessionSchemas } from "./session-schemas.ts";

/** What the options of the server say of all its Generations. */
export interface GenerationSettings {
  readonly planCacheSize: number;
  readonly guard: GuardSettings;
  /** What encrypts Relay ids; `null`: there is no key. */
  readonly relayCipher: RelayCipher | null;
}

/** What a Generation has besides its roles. */
export interface GenerationParts<Saved>
  extends Pick<Generation, "resourceVersion" | "tlsAllowlist" | "sources" | "queryTags"> {
  readonly guardRules: GuardRules;
  /** The saved operations, each with its text as it was saved and as clients print it. */
  readonly savedOperations: Iterable<SavedText<Saved>>;
}

interface SavedText<Saved> {
  readonly texts: readonly string[];
  readonly saved: Saved;
}

/** What a Generation leaves to the next. */
interface Estate {
  readonly schemas: ReadonlyMap<RoleDefinition, SchemasOfRole>;
  readonly plans: PlanCache;
}

/** By variant and API. */
type SchemasOfRole = Map<string, RoleSchema>;

interface KnownSaved<Saved> {
  readonly saved: Saved;
  /** By variant and role; `null`: there are no plans. */
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
  /** By what roles share that nothing names. */
  readonly #schemas = new Map<RoleDefinition, SchemasOfRole>();
  /** That of the Generation before, until all that is of use has been taken over. */
  #estate: Estate | undefined;
  readonly #sessionSchemas = new SessionSchemas((user, api) => this.#findSchema(user, api));
  readonly #savedByText: ReadonlyMap<string, KnownSaved<Saved>>;

  /** @param previous a Generation of the same settings whose roles may be taken over */
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
    this.#estate = previous && { schemas: previous.#schemas, plans: previous.plans };
    this.#savedByText = byText(parts.savedOperations);
  }

  /** Whether something names the role. */
  protected abstract hasRole(role: string): boolean;
  /** What the role may ask, as the same object as long as it is the same; roles that nothing names share one. */
  protected abstract definitionOf(role: string): RoleDefinition;
  /** What the role may ask of the Relay API. */
  protected abstract relayOf(role: string): RelayDefinition;
  /**
   * Gives both to who walks all of them once. It must not keep the Generation, which the schemas of roles outlive.
   * @param api what they are for
   */
  protected abstract unkeptDefinitions(role: string, api: SchemaApi): () => RoleDefinitions;
  /** Whether some permissions of the role are for backends only. */
  protected abstract hasBackendSchema(role: string): boolean;
  /** The saved operation with the plans of a role that something names; `undefined`: the role has none. */
  protected abstract planSaved(saved: Saved, role: string, variant: SchemaVariant): PlannedSavedOperation | undefined;
  /** The SDL for a gateway of a role that something names or not. */
  protected abstract subgraph(role: string, variant: SchemaVariant): string;

  abstract planSavedOperations(): Iterable<unknown>;
  abstract openApi(role: string): string | undefined;
  abstract openApiRoles(): Iterable<string>;
  abstract restRoutes(): RouteNode | undefined;
  abstract eventTriggers(): readonly EventTriggerDefinition[];
  abstract asynchronousActions(): readonly ActionDefinition[];
  abstract cronTriggers(): readonly CronTriggerDefinition[];

  schemaOf(user: SchemaUser, api: SchemaApi = "graphql"): RoleSchema {
    return this.#sessionSchemas.of(user, api);
  }

  subgraphOf(user: SchemaUser): string {
    return this.subgraph(user.role, this.#variantOf(user));
  }

  savedOperation(user: SchemaUser, text: string): PlannedSavedOperation | undefined {
    const known = this.#savedByText.get(text);
    // Sessions may name roles that nothing else does, as many as they like: these have no plans.
    if (known === undefined || !this.hasRole(user.role)) return undefined;
    const variant = this.#variantOf(user);
    const ofRoles = known.planned[variant];
    let planned = ofRoles.get(user.role);
    if (planned === undefined) {
      planned = this.planSaved(known.saved, user.role, variant) ?? null;
      ofRoles.set(user.role, planned);
    }
    return planned ?? undefined;
  }

  /** The schemas of a role; those of the Generation before if it has the same definition. */
  protected schemasOf(definition: RoleDefinition): SchemasOfRole {
    let schemas = this.#schemas.get(definition);
    if (schemas === undefined) {
      schemas = this.#inherit(definition) ?? new Map();
      this.#schemas.set(definition, schemas);
    }
    return schemas;
  }

  #inherit(definition: RoleDefinition): SchemasOfRole | undefined {
    if (this.#estate === undefined) return undefined;
    const { schemas, plans } = this.#estate;
    const known = schemas.get(definition);
    for (const schema of known?.values() ?? []) this.plans.takeOver({ schema, from: plans });
    return known;
  }

  /** Lets go of the Generation before: nothing of it is of use any more. */
  protected forgetPrevious(): void {
    this.#estate = undefined;
  }

  #findSchema(user: SchemaUser, api: SchemaApi): RoleSchema {
    const definition = this.definitionOf(user.role);
    const schemas = this.schemasOf(definition);
    const variant = this.#variantOf(user);
    const key = `${variant} ${api}`;
    let schema = schemas.get(key);
    if (schema === undefined) {
      const relay = api === "relay" ? this.relayOf(user.role) : undefined;
      const unkept = this.unkeptDefinitions(user.role, api);
      schema = roleSchema(definition, variant, relay, this.#relayCipher, "all", unkept);
      schemas.set(key, schema);
    }
    return schema;
  }

  /** Where no permission is for backends only, both variants are the same. */
  #variantOf({ role, backendOnly }: SchemaUser): SchemaVariant {
    return backendOnly && this.hasBackendSchema(role) ? "backend" : "frontend";
  }
}

function byText<Saved>(operations: Iterable<SavedText<Saved>>): ReadonlyMap<string, KnownSaved<Saved>> {
  const known = new Map<string, KnownSaved<Saved>>();
  for (const { texts, saved } of operations) {
    const entry = { saved, planned: { backend: new Map(), frontend: new Map() } };
    for (const text of texts) known.set(text, entry);
  }
  return known;
}
