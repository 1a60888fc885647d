/**
 * Plans by schema, operation text and shape of the variables. Bounded: an endless stream of distinct requests evicts
 * old plans and nothing else. Each Generation has its own, so that those of a draft or a refused change take no place
 * from what is served; the Generation that is swapped in takes over the plans of the schemas that it takes over.
 */
import { LRUCache } from "lru-cache";
import type { ElsewhereSlot } from "../definitions/parameters.ts";
import type { Plan, Planned, PlanPart } from "../planner/plan.ts";
import { budgetOf } from "../planner/request/budget.ts";
import { type Operation, readOperation } from "../planner/request/document.ts";
import { shapeOf } from "../planner/request/shape.ts";
import { addUse, type VariableUse } from "../planner/request/variable-uses.ts";
import type { PlanOptions } from "../planner/select/context.ts";
import type { GraphqlRequest } from "../ports/graphql.ts";
import type { RoleSchema } from "../schema/role-schema.ts";
import type { PreparedStatement } from "../sources/source.ts";
import { elsewhereOf } from "./elsewhere-slots.ts";
import { type JoinedValue, joinedColumns } from "./joins/joined-values.ts";
import { PlanKeys } from "./plan-keys.ts";
import { type PreparedWrites, prepareWrites, statementName } from "./prepared-writes.ts";

/** An operation text of one role: parsed once, with what its plans taught about its variables. */
export interface CachedOperation {
  readonly id: number;
  readonly schema: RoleSchema;
  readonly operation: Operation;
  /** Grows with every plan: places of variables that only some shapes reach. */
  readonly uses: Map<string, VariableUse[]>;
  /** The role that this Generation last found to be allowed the operation; roles that nothing names share entries. */
  allowedFor: string | undefined;
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

/** What is read of a request before its variables. */
type OperationText = Pick<GraphqlRequest, "query" | "operationName">;

/** Plans of longer keys are as large as the requests that they are for, and rarely come again: they are not kept. */
const longestKey = 16_384;

export class PlanCache {
  readonly #operations: LRUCache<string, CachedOperation>;
  readonly #plans: LRUCache<string, KeptPlan>;
  readonly #keys: PlanKeys;

  /**
   * @param size the largest number of operations, and of plans, that are kept
   * @param previous one whose plans may be taken over
   */
  constructor(size: number, previous?: PlanCache) {
    this.#operations = new LRUCache({ max: size });
    this.#plans = new LRUCache({ max: size });
    this.#keys = previous ? previous.#keys : new PlanKeys();
  }

  /**
   * The parsed operation.
   * @param schema the schema that the operation is for: that of one role and variant
   * @param options how it is planned
   * @throws EngineError when the text does not parse or holds no such operation
   */
  operation(schema: RoleSchema, { query, operationName }: OperationText, options: PlanOptions): CachedOperation {
    const prefix = this.#keys.prefix(schema, options);
    const key = `${prefix}\u0000${operationName === null ? "" : `:${operationName}`}\u0000${query}`;
    const cached = this.#operations.get(key);
    if (cached) return cached;
    const entry: CachedOperation = {
      id: this.#keys.newId(),
      schema,
      operation: readOperation(query, operationName, budgetOf(schema.role)),
      uses: new Map(),
      allowedFor: undefined,
    };
    this.#operations.set(key, entry);
    return entry;
  }

  /**
   * Keeps what the previous one keeps for a schema, which is as good as it was. Who may send the operations is asked
   * again: that is not in the schema.
   */
  takeOver({ schema, from }: { readonly schema: RoleSchema; readonly from: PlanCache }): void {
    // Oldest first, so that they are evicted in the same order.
    for (const key of from.#operations.rkeys()) {
      const operation = from.#operations.peek(key);
      if (operation?.schema === schema) this.#operations.set(key, { ...operation, allowedFor: undefined });
    }
    for (const key of from.#plans.rkeys()) {
      const kept = from.#plans.peek(key);
      if (kept?.schema === schema) this.#plans.set(key, kept);
    }
  }

  /** Forgets everything. */
  clear(): void {
    this.#operations.clear();
    this.#plans.clear();
  }

  /** The plan for these variables; `undefined`: none yet. */
  plan(cached: CachedOperation, variables: Readonly<Record<string, unknown>>): CachedPlan | undefined {
    return this.#plans.get(planKey(cached, variables))?.plan;
  }

  /** Keeps a plan that was made for these variables. */
  add(cached: CachedOperation, variables: Readonly<Record<string, unknown>>, { plan, uses }: Planned): CachedPlan {
    for (const [name, places] of uses) {
      for (const use of places) addUse(cached.uses, name, use);
    }
    const entry = { schema: cached.schema, plan: cachedPlan(plan) };
    // The key is computed again: the plan may have found new uses, which are part of it from now on.
    const key = planKey(cached, variables);
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
    introspections: plan.parts.filter((part) => part.kind === "introspection"),
    elsewhere: elsewhereOf(plan),
    describesSchema: plan.parts.some(describesSchema),
  };
}

/** `_service`, which gives the SDL whatever is selected of it but `__typename`. */
function describesSchema(part: PlanPart): boolean {
  return part.kind === "sdl" || (part.kind === "object" && part.parts.some(describesSchema));
}

function planKey({ id, operation, uses }: CachedOperation, variables: Readonly<Record<string, unknown>>): string {
  return `${id}|${shapeOf(variables, uses, operation.conditions)}`;
}
