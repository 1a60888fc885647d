/**
 * Admits operations of all endpoints: checks the allow-list, the API limits (depth, nodes, batched operations in one
 * request, rate), and whether the role may introspect the schema. A guard belongs to one generation. It is built from
 * plain data, so that sealed artifacts can include it.
 */

import { type DefinitionNode, type DocumentNode, type FieldNode, Kind, parse, type SelectionSetNode } from "graphql";
import type { Measure } from "../../model/planner/request/budget.ts";
import type { Operation } from "../../model/planner/request/document.ts";
import type { Client } from "../../ports/request.ts";
import { AdmittedSession } from "../../values/admitted-session.ts";
import { EngineError } from "../../values/errors.ts";
import { type Session, sessionVariableName } from "../../values/session.ts";
import { type ApiLimits, type LimitName, type LimitValue, limitOf } from "./api-limits.ts";
import type { RateCounter } from "./rate-limiter.ts";

export interface GuardRules {
  /** `null` if every document is allowed. */
  readonly allowList: AllowList | null;
  readonly limits: ApiLimits;
  /** Default limits of one role, used where `limits` has no entry. */
  readonly defaults: { readonly role: string; readonly limits: ApiLimits } | null;
  readonly introspectionDisabledFor: readonly string[];
  /** Alternative prefix of session variables in limits, in lower case. */
  readonly alias?: string | null;
}

export class Guard {
  readonly #rules: GuardRules;
  readonly #withoutIntrospection: ReadonlySet<string>;

  constructor(rules: GuardRules) {
    this.#rules = rules;
    this.#withoutIntrospection = new Set(rules.introspectionDisabledFor);
  }

  /**
   * Checks allow-list, introspection and size of a document, which do not depend on variables.
   * @throws EngineError if the role may not send the document
   */
  checkOperation(role: string, operation: Operation): void {
    if (!this.allows(role, operation)) {
      const internal = { message: "query is not in any of the allowlists" };
      throw new EngineError("validation-failed", "$", "query is not allowed", { internal });
    }
    if (operation.measure.introspects) this.checkIntrospection(role);
    this.checkSize(role, operation.measure);
  }

  /** Returns true if the allow-list is disabled or contains the operation for the role. */
  allows(role: string, { document }: Pick<Operation, "document">): boolean {
    const { allowList } = this.#rules;
    return allowList === null || role === "admin" || allowList.allows(role, document);
  }

  /** Returns the collections whose operations a role may send; `undefined` if the role may send others. */
  allowedCollections(role: string): readonly string[] | undefined {
    const { allowList } = this.#rules;
    return allowList === null || role === "admin" ? undefined : allowList.collectionsOf(role);
  }

  /** Returns true if the allow-list compares documents including literals for this role. */
  comparesDocuments(role: string): boolean {
    return this.#rules.allowList !== null && role !== "admin";
  }

  /**
   * Checks that a role may send data operations. An allow-list cannot contain them.
   * @throws EngineError if the allow-list applies to the role
   */
  checkDataOperations(role: string): void {
    if (this.#rules.allowList === null || role === "admin") return;
    const message = `data operations are not allowed for role "${role}" while the allow-list is enabled`;
    throw new EngineError("access-denied", "$", `${message}: send a saved operation to /v1/graphql`);
  }

  /**
   * Checks the size of an operation against the limits of a role.
   * @throws EngineError `depth-limit-exceeded`, `node-limit-exceeded`
   */
  checkSize(role: string, { depth, nodes }: Pick<Measure, "depth" | "nodes">): void {
    check("depth", depth, this.#limit("depth_limit", role));
    check("node", nodes, this.#limit("node_limit", role));
  }

  mayIntrospect(role: string): boolean {
    return !this.#withoutIntrospection.has(role);
  }

  /**
   * Checks that a role may read the schema, by introspection or as SDL.
   * @throws EngineError if introspection is disabled for the role
   */
  checkIntrospection(role: string): void {
    if (this.mayIntrospect(role)) return;
    throw new EngineError("validation-failed", "$", `introspection is disabled for role: "${role}"`);
  }

  /**
   * Admits a request if it is within batch and rate limits, and counts its operations.
   * @param client the peer of the connection; behind a proxy, use session variables to distinguish clients
   * @returns a promise only if other instances share the rate limit
   * @throws EngineError `batch-limit-exceeded`; `rate-limit-exceeded` with status 429
   */
  admit<S extends Session>(
    session: S,
    operations: number,
    client: Client,
    rates: RateCounter,
  ): AdmittedSession<S> | Promise<AdmittedSession<S>> {
    const { role, variables } = session;
    check("batch", operations, this.#limit("batch_limit", role));
    const rate = this.#limit("rate_limit", role);
    if (rate === undefined) return new AdmittedSession(session);
    const { max_reqs_per_min: maxPerMinute, unique_params: unique } = rate;
    const distinction = Array.isArray(unique)
      ? unique.map((name: string) => variables.get(sessionVariableName(name, this.#rules.alias)) ?? null)
      : unique === "IP" && client.peer;
    const admitted = (isWithinLimit: boolean): AdmittedSession<S> => {
      if (isWithinLimit) return new AdmittedSession(session);
      const message = `rate limit of ${maxPerMinute} requests per minute exceeded`;
      throw new EngineError("rate-limit-exceeded", "$", message, { status: 429 });
    };
    const withinLimit = rates.take(JSON.stringify([role, distinction]), operations, maxPerMinute);
    return typeof withinLimit === "boolean" ? admitted(withinLimit) : withinLimit.then(admitted);
  }

  /** Returns the time limit of operations of a role, if any. */
  timeLimitMilliseconds(role: string): number | undefined {
    const seconds = this.#limit("time_limit", role);
    return seconds === undefined ? undefined : seconds * 1000;
  }

  #limit<Name extends LimitName>(name: Name, role: string): LimitValue<Name> | undefined {
    const { limits, defaults } = this.#rules;
    const limit = limitOf(limits, name, role);
    return limit === undefined && role === defaults?.role ? limitOf(defaults.limits, name, role) : limit;
  }
}

function check(name: "depth" | "node" | "batch", value: number, limit: number | undefined): void {
  if (limit === undefined || value <= limit) return;
  throw new EngineError(`${name}-limit-exceeded`, "$", `${name} of ${value} exceeds the limit of ${limit}`);
}

// The allow-list.

/** A collection of the allow-list with the texts of its operations. */
export interface AllowedCollection {
  readonly name: string;
  /** `null` for all roles. */
  readonly roles: readonly string[] | null;
  readonly queries: readonly string[];
}

/** Decides which documents a role may send. Parses saved operations on first use. Immutable. */
export class AllowList {
  readonly #collections: readonly AllowedCollection[];
  /** Forms of the documents that are allowed for all roles and for single roles. */
  #forms: { readonly all: ReadonlySet<string>; readonly byRole: ReadonlyMap<string, ReadonlySet<string>> } | undefined;

  constructor(collections: readonly AllowedCollection[]) {
    this.#collections = collections;
  }

  collectionsOf(role: string): readonly string[] {
    return this.#collections.flatMap(({ name, roles }) => (roles === null || roles.includes(role) ? [name] : []));
  }

  allows(role: string, document: DocumentNode): boolean {
    this.#forms ??= formsOf(this.#collections);
    const form = comparedForm(document);
    return this.#forms.all.has(form) || this.#forms.byRole.get(role)?.has(form) === true;
  }
}

function formsOf(collections: readonly AllowedCollection[]) {
  const all = new Set<string>();
  const byRole = new Map<string, Set<string>>();
  for (const { roles, queries } of collections) {
    const forms = queries.flatMap(savedForm);
    for (const form of forms) if (roles === null) all.add(form);
    for (const role of roles ?? []) byRole.set(role, new Set([...(byRole.get(role) ?? []), ...forms]));
  }
  return { all, byRole };
}

/** Returns the form of a saved text. Returns none for an invalid text, which is reported as an inconsistency. */
function savedForm(text: string): readonly string[] {
  try {
    return [comparedForm(parse(text, { noLocation: true }))];
  } catch {
    return [];
  }
}

/**
 * Returns the same text for documents that are considered equal. Plain `__typename` fields and descriptions (GraphQL,
 * September 2025, "Descriptions") are ignored; aliases, arguments, directives and order are compared. Uses neither printing, which is quadratic in the depth of selections
 * because of indentation, nor `visit`, which is quadratic in the number of removed fields.
 */
export function comparedForm(document: DocumentNode): string {
  return JSON.stringify(document.definitions.map(comparedDefinition));
}

function comparedDefinition(definition: DefinitionNode): unknown {
  if (!("selectionSet" in definition) || definition.selectionSet === undefined) return definition;
  const { variableDefinitions: variables } = definition;
  return {
    ...definition,
    description: undefined,
    variableDefinitions: variables?.map((variable) => ({ ...variable, description: undefined })),
    selectionSet: comparedFields(definition.selectionSet),
  };
}

/** Returns the fields to compare, without plain `__typename`. */
function comparedFields({ selections }: SelectionSetNode): readonly unknown[] {
  return selections.flatMap((node): readonly unknown[] => {
    if (node.kind === Kind.FRAGMENT_SPREAD) return [node];
    if (node.kind === Kind.FIELD && isPlainTypename(node)) return [];
    return [{ ...node, selectionSet: node.selectionSet ? comparedFields(node.selectionSet) : [] }];
  });
}

/** Returns true for the plain `__typename` that clients add to every selection. */
function isPlainTypename({ name, alias, arguments: args = [], directives = [] }: FieldNode): boolean {
  return name.value === "__typename" && alias === undefined && args.length === 0 && directives.length === 0;
}
