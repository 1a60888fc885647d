/**
 * Plans by schema, operation text and shape of the variables. Bounded: an endless stream of distinct requests evicts
 * old plans and nothing else. Each Generation has its own, so that those of a draft or a refused change take no place
 * from what is served; the Generation that is swapped in takes over the plans of the schemas that it takes over.
 */
import { OperationTypeNode } from "graphql";
import { LRUCache } from "lru-cache";
import type { PreparedStatement } from "../databases/sources/source.ts";
import type { ElsewhereSlot } from "../model/definitions/parameters.ts";
import type { Plan, Planned, PlanPart } from "../model/planner/plan.ts";
import { budgetOf } from "../model/planner/request/budget.ts";
import { type Operation, readOperation } from "../model/planner/request/document.ts";
import { shapeOf } from "../model/planner/request/shape.ts";
import { literalsOf, type TextLiterals } from "../model/planner/request/text-literals.ts";
import { addUse, type VariableUse } from "../model/planner/request/variable-uses.ts";
import type { PlanOptions } from "../model/planner/select/context.ts";
import type { RoleSchema } from "../model/schema/role-schema.ts";
import type { GraphqlRequest } from "../ports/graphql.ts";
import { elsewhereOf } from "./elsewhere-slots.ts";
import { type JoinedValue, joinedColumns, joinedWrites } from "./joins/joined-values.ts";
import { PlanKeys } from "./plan-keys.ts";
import { type PreparedWrites, prepareWrites, statementName } from "./prepared-writes.ts";

/**
 * An operation of one role: parsed once, with what its plans taught about its variables. Its text stands for all that
 * differ from it in literals only, where requests are given with theirs.
 */
export interface CachedOperation {
  readonly id: number;
  readonly schema: RoleSchema;
  readonly operation: Operation;
  /** Grows with every plan: places of variables that only some shapes reach. */
  readonly uses: Map<string, VariableUse[]>;
  /** Grows with every plan: literals that plans are for, by their places in the text. */
  readonly fixed: Set<number>;
  /** The role that this Generation last found to be allowed the operation; roles that nothing names share entries. */
  allowedFor: string | undefined;
  /** Texts with other literals are other operations. */
  isClosed: boolean;
}

/** The operation of a request; with the literals of its text, where it is that of other texts, too. */
export interface FoundOperation {
  readonly cached: CachedOperation;
  readonly literals?: TextLiterals;
  /** The text of the request was parsed for it just now. */
  readonly isNew?: true;
}

export interface CachedPlan {
  readonly plan: Plan;
  /** The plan's statements, as sources run them. */
  readonly statements: readonly PreparedStatement[];
  /** That of a subscription, for many sets of values. */
  readonly multiplexed: PreparedStatement | undefined;
  /** The columns of statements that hold keys to join by. */
  readonly joined: ReadonlyMap<number, readonly JoinedValue[]>;
  /** The fields of a mutation. */
  readonly writes: readonly PreparedWrites[];
  /** Those whose answers hold keys to join by. */
  readonly joinedWrites: readonly JoinedValue[];
  /** The fields that ask for the schema; they are fields of the query root, never of a namespace. */
  readonly introspections: readonly IntrospectionPart[];
  /** What is read of other sources before, for permissions that look there. */
  readonly elsewhere: readonly ElsewhereSlot[];
  /** A field gives the schema as SDL. */
  readonly describesSchema: boolean;
}

export type IntrospectionPart = Extract<PlanPart, { kind: "introspection" }>;

interface KeptPlan {
  readonly schema: RoleSchema;
  readonly plan: CachedPlan;
}

type Variables = Readonly<Record<string, unknown>>;

/** What is read of a request before its variables. */
type OperationText = Pick<GraphqlRequest, "query" | "operationName">;

/** Plans of longer keys are as large as the requests that they are for, and rarely come again: they are not kept. */
const longestKey = 16_384;

/** In characters. What is read of longer texts is not kept: it would be as large as they are. */
const longestReadText = 4096;

export class PlanCache {
  readonly #operations: LRUCache<string, CachedOperation>;
  /** By text without literals. Apart from those by text: whatever a client sends, it is not found among these. */
  readonly #open: LRUCache<string, CachedOperation>;
  /** What was found by text without literals, by the text with them: most clients send few texts, again and again. */
  readonly #read: LRUCache<string, FoundOperation>;
  readonly #plans: LRUCache<string, KeptPlan>;
  readonly #keys: PlanKeys;

  /**
   * @param size the largest number of operations, and of plans, that are kept
   * @param previous one whose plans may be taken over
   */
  constructor(size: number, previous?: PlanCache) {
    this.#operations = new LRUCache({ max: size });
    this.#open = new LRUCache({ max: size });
    this.#read = new LRUCache({ max: size });
    this.#plans = new LRUCache({ max: size });
    this.#keys = previous ? previous.#keys : new PlanKeys();
  }

  /**
   * The parsed operation.
   * @param schema the schema that the operation is for: that of one role and variant
   * @param options how it is planned
   * @throws EngineError when the text does not parse or holds no such operation
   */
  operation(schema: RoleSchema, text: OperationText, options: PlanOptions): CachedOperation {
    const key = this.#key(schema, text, options);
    return this.#operations.get(key) ?? this.#add(this.#operations, key, schema, text);
  }

  /**
   * The same for a request whose literals may differ from those of others with the same operation.
   * @throws EngineError as `operation`
   */
  find(schema: RoleSchema, text: OperationText, options: PlanOptions): FoundOperation {
    const key = this.#key(schema, text, options);
    const known = this.#operations.get(key);
    if (known) return { cached: known };
    const read = this.#read.get(key);
    if (read && !read.cached.isClosed) return read;
    return this.#findOpen(schema, text, options, key) ?? { cached: this.#add(this.#operations, key, schema, text) };
  }

  /** That of all texts which differ from this one in literals. */
  #findOpen(schema: RoleSchema, text: OperationText, options: PlanOptions, key: string): FoundOperation | undefined {
    const literals = literalsOf(text.query);
    if (literals === undefined) return undefined;
    const template = this.#key(schema, { query: literals.template, operationName: text.operationName }, options);
    const open = this.#open.get(template);
    const cached = open ?? this.#add(this.#open, template, schema, text);
    if (cached.isClosed) return undefined;
    const found = { cached, literals };
    if (key.length <= longestReadText) this.#read.set(key, found);
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
      isClosed: isReadByText(operation),
    };
    operations.set(key, entry);
    return entry;
  }

  /**
   * Keeps what the previous one keeps for a schema, which is as good as it was. Who may send the operations is asked
   * again: that is not in the schema.
   */
  takeOver({ schema, from }: { readonly schema: RoleSchema; readonly from: PlanCache }): void {
    // Oldest first, so that they are evicted in the same order.
    takeOperations(schema, from.#operations, this.#operations);
    takeOperations(schema, from.#open, this.#open);
    for (const key of from.#plans.rkeys()) {
      const kept = from.#plans.peek(key);
      if (kept?.schema === schema) this.#plans.set(key, kept);
    }
  }

  /** Forgets everything. */
  clear(): void {
    this.#operations.clear();
    this.#open.clear();
    this.#read.clear();
    this.#plans.clear();
  }

  /** The plan for these variables; `undefined`: none yet. */
  plan({ cached, literals }: FoundOperation, variables: Variables): CachedPlan | undefined {
    return this.#plans.get(planKey(cached, variables, literals))?.plan;
  }

  /** Keeps a plan that was made for these variables, and for the literals at some places. */
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
    // The key is computed again: the plan may have found new uses, which are part of it from now on.
    const key = planKey(cached, variables, literals);
    if (key.length <= longestKey) this.#plans.set(key, entry);
    return entry.plan;
  }
}

/** A plan that is kept: its statements are prepared under names. */
export function cachedPlan(plan: Plan): CachedPlan {
  const multiplexed = plan.statements[0]?.multiplexed;
  return {
    plan,
    statements: plan.statements.map(({ text }) => ({ text, name: statementName(text) })),
    multiplexed: multiplexed && { text: multiplexed.text, name: statementName(multiplexed.text) },
    joined: joinedColumns(plan.parts),
    writes: prepareWrites(plan.writes, {
      named: true,
      apart: plan.remotes !== undefined || plan.actions !== undefined,
    }),
    joinedWrites: joinedWrites(plan.parts),
    introspections: plan.parts.filter((part) => part.kind === "introspection"),
    elsewhere: elsewhereOf(plan),
    describesSchema: plan.parts.some(describesSchema),
  };
}

/** `_service`, which gives the SDL whatever is selected of it but `__typename`. */
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

function takeOperations(
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
 * Clients of a subscription share what is asked for them by its text; arguments of directives of an operation are read from
 * its document.
 */
function isReadByText({ definition: { operation, directives = [] } }: Operation): boolean {
  return operation === OperationTypeNode.SUBSCRIPTION || directives.length > 0;
}
