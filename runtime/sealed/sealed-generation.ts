/** An artifact and its open sources → the one Generation that a sealed server serves. */

import type { RouteNode } from "../definitions/rest/routes.ts";
import type { Generation, SchemaUser } from "../execute/generation.ts";
import type { Guard } from "../execute/guard/guard.ts";
import { type GuardSettings, guardOf } from "../execute/guard/guard-rules.ts";
import { IntrospectionCache } from "../execute/introspection.ts";
import { PlanCache } from "../execute/plan-cache.ts";
import { type PlannedSavedOperation, plannedSavedOperation } from "../execute/saved.ts";
import { SessionSchemas } from "../execute/session-schemas.ts";
import type { OpenApiSettings } from "../ports/rest.ts";
import type { RelayCipher } from "../relay/cipher.ts";
import { type RoleSchema, roleSchema, type SchemaApi, type SchemaVariant } from "../schema/role-schema.ts";
import type { DatabaseSource } from "../sources/source.ts";
import { invariant } from "../values/errors.ts";
import type { Artifact, SealedOperation, SealedRole } from "./artifact.ts";

export interface SealedGenerationSettings {
  readonly sources: ReadonlyMap<string, DatabaseSource>;
  readonly planCacheSize: number;
  readonly guard: GuardSettings;
  /** What encrypts Relay ids; `null`: there is no key. */
  readonly relayCipher: RelayCipher | null;
}

export class SealedGeneration implements Generation {
  readonly resourceVersion = 1;
  readonly tlsAllowlist: Generation["tlsAllowlist"];
  readonly sources: ReadonlyMap<string, DatabaseSource>;
  readonly guard: Guard;
  readonly plans: PlanCache;
  readonly introspections = new IntrospectionCache();
  readonly #artifact: Artifact;
  readonly #relayCipher: RelayCipher | null;
  readonly #schemas = new Map<string, RoleSchema>();
  readonly #sessionSchemas = new SessionSchemas((user, api) => this.#findSchema(user, api));
  readonly #savedByText: ReadonlyMap<string, SealedOperation>;
  /** By role, variant and operation. */
  readonly #planned = new Map<string, PlannedSavedOperation>();

  constructor(artifact: Artifact, { sources, planCacheSize, guard, relayCipher }: SealedGenerationSettings) {
    this.#artifact = artifact;
    this.#relayCipher = relayCipher;
    this.#savedByText = new Map(
      artifact.savedOperations.flatMap((saved) => [
        [saved.printed, saved],
        [saved.operation.text, saved],
      ]),
    );
    this.tlsAllowlist = artifact.settings.tlsAllowlist;
    this.sources = sources;
    this.guard = guardOf(artifact.settings.guard, guard);
    this.plans = new PlanCache(planCacheSize);
  }

  schemaOf(user: SchemaUser, api: SchemaApi = "graphql"): RoleSchema {
    return this.#sessionSchemas.of(user, api);
  }

  #findSchema(user: SchemaUser, api: SchemaApi): RoleSchema {
    const { role, relay } = this.#roleOf(user);
    const variant = this.#variantOf(user);
    const key = JSON.stringify([role.role, variant, api]);
    let schema = this.#schemas.get(key);
    if (schema === undefined) {
      schema = roleSchema(role, variant, api === "relay" ? relay : undefined, this.#relayCipher);
      this.#schemas.set(key, schema);
    }
    return schema;
  }

  subgraphOf(user: SchemaUser): string {
    const text = this.#roleOf(user).subgraph[this.#variantOf(user)];
    invariant(text !== undefined, "only subgraphs are asked for their schema");
    return text;
  }

  savedOperation(user: SchemaUser, text: string): PlannedSavedOperation | undefined {
    const saved = this.#savedByText.get(text);
    const variant = this.#variantOf(user);
    const plans = saved?.plans.get(user.role)?.[variant];
    if (saved === undefined || plans === undefined) return undefined;
    const { collection, name } = saved.operation;
    const key = JSON.stringify([user.role, variant, collection, name]);
    let planned = this.#planned.get(key);
    if (planned === undefined) {
      planned = plannedSavedOperation(saved.operation, plans);
      this.#planned.set(key, planned);
    }
    return planned;
  }

  /** They were planned when the artifact was built. */
  planSavedOperations(): Iterable<never> {
    return [];
  }

  openApi({ form, response }: OpenApiSettings): string {
    return this.#artifact.openApi[form][response];
  }

  #roleOf({ role }: SchemaUser): SealedRole {
    return this.#artifact.roles.get(role) ?? this.#artifact.otherRoles;
  }

  /** Where no permission is for backends only, both variants are the same. */
  #variantOf(user: SchemaUser): SchemaVariant {
    return user.backendOnly && this.#roleOf(user).hasBackendSchema ? "backend" : "frontend";
  }

  restRoutes(): RouteNode | undefined {
    return this.#artifact.restRoutes;
  }
}
