/**
 * The plan cache: plans by schema, operation text and shape of the variables. The size is limited, so a stream of
 * distinct requests can only evict old plans. Each generation has its own cache, so drafts and refused changes do not
 * evict plans that are in use. A new generation adopts the plans of the schemas that it reuses.
 */
import { OperationTypeNode } from "graphql";
import { LRUCache } from "lru-cache";
import type { PreparedStatement } from "../databases/sources/source.ts";
import type { CrossSourceSlot } from "../model/definitions/parameters.ts";
import type { Plan, Planned, PlanPart } from "../model/planner/plan.ts";
import { budgetOf } from "../model/planner/request/budget.ts";
import { type Operation, readOperation } from "../model/planner/request/document.ts";
import { shapeOf } from "../model/planner/request/shape.ts";
import { literalsOf, type TextLiterals } from "../model/planner/request/text-literals.ts";
import { addUse, type VariableUse } from "../model/planner/request/variable-uses.ts";
import type { PlanOptions } from "../model/planner/select/context.ts";
import type { RoleSchema } from "../model/schema/role-schema.ts";
import type { GraphqlRequest } from "../ports/graphql.ts";
import { crossSourceSlotsOf } from "./cross-source-slots.ts";
import { type BytePart, bytePartsOf } from "./encode-bytes.ts";
import { type JoinedValue, joinedColumns, joinedWrites } from "./joins/joined-values.ts";
import { PlanKeys } from "./plan-keys.ts";
import { type PreparedWrites, prepareWrites, statementName } from "./prepared-writes.ts";

/**
 * A parsed operation of one role, with the variable uses that its plans have found. An open entry covers all texts that
 * differ only in literals; each request supplies its own literals.
 */
export interface CachedOperation {
  readonly id: number;
  readonly schema: RoleSchema;
  readonly operation: Operation;
  /** Uses of variables. Every plan may add uses, because some are found only for certain variable values. */
  readonly uses: Map<string, VariableUse[]>;
  /** Indexes of the literals that plans depend on. Every plan may add indexes. */
  readonly fixed: Set<number>;
  /** The last role that the guard admitted for this operation; unknown roles share entries. */
  allowedFor: string | undefined;
  /** If true, texts with different literals are different operations. */
  isClosed: boolean;
}

/** The cached operation of a request, with the literals of its text if the entry is open. */
export interface FoundOperation {
  readonly cached: CachedOperation;
  readonly literals?: TextLiterals;
  /** Set if the text of this request was parsed for the entry. */
  readonly isNew?: true;
}

export interface CachedPlan {
  readonly plan: Plan;
  /** The plan's statements, as sources run them. */
  readonly statements: readonly PreparedStatement[];
  /** The statement of a subscription for a batch of variable sets. */
  readonly multiplexed: PreparedStatement | undefined;
  /** The parts of `data` if they are columns that no stage looks into, so that their bytes are sent as they are. */
  readonly byteParts: readonly BytePart[] | undefined;
  /** Columns that contain join keys, by statement. */
  readonly joined: ReadonlyMap<number, readonly JoinedValue[]>;
  readonly writes: readonly PreparedWrites[];
  /** Fields of a mutation that contain join keys. */
  readonly joinedWrites: readonly JoinedValue[];
  /** Introspection fields. They occur at the query root only, never in a namespace. */
  readonly introspections: readonly IntrospectionPart[];
  /** Values for row filters that are read from other sources before the statements run. */
  readonly crossSourceSlots: readonly CrossSourceSlot[];
  /** True if a field returns the schema as SDL. */
  readonly describesSchema: boolean;
}

type IntrospectionPart = Extract<PlanPart, { kind: "introspection" }>;

interface PlanEntry {
  readonly schema: RoleSchema;
  readonly plan: CachedPlan;
}

type Variables = Readonly<Record<string, unknown>>;

type OperationText = Pick<GraphqlRequest, "query" | "operationName">;

/** Limit in characters. Plans with longer keys are not cached, because they are large and rarely requested twice. */
const maxKeyLength = 16_384;

/** Limit in characters. Literals of longer texts are not cached, because they can be as large as the text. */
const maxCachedTextLength = 4096;

export class PlanCache {
  readonly #operations: LRUCache<string, CachedOperation>;
  /**
   * Open entries by text without literals. Separate from `#operations`, so that no text from a client can match a
   * template.
   */
  readonly #open: LRUCache<string, CachedOperation>;
  /** Results of `#findOpen` by the full text, because most clients repeat a few texts. */
  readonly #read: LRUCache<string, FoundOperation>;
  readonly #plans: LRUCache<string, PlanEntry>;
  readonly #keys: PlanKeys;

  /**
   * @param size maximum number of cached operations, and of cached plans
   * @param previous a cache whose plans may be adopted
   */
  constructor(size: number, previous?: PlanCache) {
    this.#operations = new LRUCache({ max: size });
    this.#open = new LRUCache({ max: size });
    this.#read = new LRUCache({ max: size });
    this.#plans = new LRUCache({ max: size });
    this.#keys = previous ? previous.#keys : new PlanKeys();
  }

  /**
   * Returns the parsed operation.
   * @param schema schema of one role and variant
   * @throws EngineError if the text does not parse or does not contain the operation
   */
  operation(schema: RoleSchema, text: OperationText, options: PlanOptions): CachedOperation {
    const key = this.#key(schema, text, options);
    return this.#operations.get(key) ?? this.#add(this.#operations, key, schema, text);
  }

  /**
   * Returns the parsed operation. Where possible, texts that differ only in literals share one.
   * @throws EngineError as `operation` does
   */
  find(schema: RoleSchema, text: OperationText, options: PlanOptions): FoundOperation {
    const key = this.#key(schema, text, options);
    const cached = this.#operations.get(key);
    if (cached) return { cached };
    const read = this.#read.get(key);
    if (read && !read.cached.isClosed) return read;
    return this.#findOpen(schema, text, options, key) ?? { cached: this.#add(this.#operations, key, schema, text) };
  }

  /** Returns the open entry for this text; `undefined` if its literals cannot be replaced. */
  #findOpen(schema: RoleSchema, text: OperationText, options: PlanOptions, key: string): FoundOperation | undefined {
    const literals = literalsOf(text.query);
    if (literals === undefined) return undefined;
    const template = this.#key(schema, { query: literals.template, operationName: text.operationName }, options);
    const open = this.#open.get(template);
    const cached = open ?? this.#add(this.#open, template, schema, text);
    if (cached.isClosed) return undefined;
    const found = { cached, literals };
    if (key.length <= maxCachedTextLength) this.#read.set(key, found);
    return open ? found : { ...found, isNew: true };
  }

  #key(schema: RoleSchema, { query, operationName }: OperationText, options: PlanOptions): string {
    const prefix = this.#keys.prefix(schema, options);
    return `${prefix}\u0000${operationName === null ? "" : `:${operationName}`}\u0000${query}`;
  }

  #add(
    operations: LRUCache<string, CachedOperation>,
    key: string,
    schema: RoleSchema,
    { query, operationName }: OperationText,
  ): CachedOperation {
    const operation = readOperation(query, operationName, budgetOf(schema.role));
    const entry: CachedOperation = {
      id: this.#keys.newId(),
      schema,
      operation,
      uses: new Map(),
      fixed: new Set(),
      allowedFor: undefined,
      isClosed: needsFullText(operation),
    };
    operations.set(key, entry);
    return entry;
  }

  /**
   * Adopts the entries of an unchanged schema from the previous cache. Admission is not adopted: it depends on the
   * allow-list and limits, which are not part of the schema.
   */
  adopt({ schema, from }: { readonly schema: RoleSchema; readonly from: PlanCache }): void {
    // Adopts the oldest entries first, so that they are evicted in the same order.
    adoptOperations(schema, from.#operations, this.#operations);
    adoptOperations(schema, from.#open, this.#open);
    for (const key of from.#plans.rkeys()) {
      const kept = from.#plans.peek(key);
      if (kept?.schema === schema) this.#plans.set(key, kept);
    }
  }

  clear(): void {
    this.#operations.clear();
    this.#open.clear();
    this.#read.clear();
    this.#plans.clear();
  }

  /** Returns the cached plan for variables of this shape, if any. */
  plan({ cached, literals }: FoundOperation, variables: Variables): CachedPlan | undefined {
    return this.#plans.get(planKey(cached, variables, literals))?.plan;
  }

  /** Caches a plan for the shape of these variables and for the literals at the indexes in `fixed`. */
  add(
    { cached, literals }: FoundOperation,
    variables: Variables,
    { plan, uses }: Planned,
    fixed: readonly number[] = [],
  ): CachedPlan {
    for (const index of fixed) cached.fixed.add(index);
    for (const [name, places] of uses) {
      for (const use of places) addUse(cached.uses, name, use);
    }
    const entry = { schema: cached.schema, plan: cachedPlan(plan) };
    // The plan may have found new uses of variables, which change the key.
    const key = planKey(cached, variables, literals);
    if (key.length <= maxKeyLength) this.#plans.set(key, entry);
    return entry.plan;
  }
}

/** Completes a plan for the cache: names its prepared statements and collects its join keys. */
export function cachedPlan(plan: Plan): CachedPlan {
  const multiplexed = plan.statements[0]?.multiplexed;
  return {
    plan,
    statements: plan.statements.map(({ text }) => ({ text, name: statementName(text) })),
    multiplexed: multiplexed && { text: multiplexed.text, name: statementName(multiplexed.text) },
    byteParts: bytePartsOf(plan),
    joined: joinedColumns(plan.parts),
    writes: prepareWrites(plan.writes, {
      named: true,
      separate: plan.remotes !== undefined || plan.actions !== undefined,
    }),
    joinedWrites: joinedWrites(plan.parts),
    introspections: plan.parts.filter((part) => part.kind === "introspection"),
    crossSourceSlots: crossSourceSlotsOf(plan),
    describesSchema: plan.parts.some(describesSchema),
  };
}

/** Returns true for `_service`, which returns the SDL unless the selection is only `__typename`. */
function describesSchema(part: PlanPart): boolean {
  return part.kind === "sdl" || (part.kind === "object" && part.parts.some(describesSchema));
}

function planKey(
  { id, operation, uses, fixed }: CachedOperation,
  variables: Variables,
  literals: TextLiterals | undefined,
): string {
  let key = `${id}`;
  for (const index of fixed) {
    const text = String(literals?.values[index]);
    key += `,${text.length}:${text}`;
  }
  return `${key}|${shapeOf(variables, uses, operation.conditions)}`;
}

function adoptOperations(
  schema: RoleSchema,
  from: LRUCache<string, CachedOperation>,
  to: LRUCache<string, CachedOperation>,
): void {
  for (const key of from.rkeys()) {
    const operation = from.peek(key);
    if (operation?.schema === schema) to.set(key, { ...operation, allowedFor: undefined });
  }
}

/**
 * Returns true if the entry must match the full text: subscriptions with the same text share their polls, and arguments
 * of directives are read from the document.
 */
function needsFullText({ definition: { operation, directives = [] } }: Operation): boolean {
  return operation === OperationTypeNode.SUBSCRIPTION || directives.length > 0;
}
