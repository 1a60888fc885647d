/**
 * Plans saved operations for roles, on the schemas that a program's loaded modules declare. A plan is reused from program
 * to program while the modules that its planning used are unchanged.
 */

import type { MissingField } from "../../runtime/model/planner/request/describe-operation.ts";
import type { PlanOptions } from "../../runtime/model/planner/select/context.ts";
import type { RoleSchema, SchemaApi, SchemaVariant } from "../../runtime/model/schema/role-schema.ts";
import type { SavedQuery } from "../2-analyze/analysis.ts";
import { operationOf, savedQueryKey } from "../2-analyze/saved-operations.ts";
import { sameValue } from "../3-lower/same-value.ts";
import { savedPlansPath } from "../4-emit/paths.ts";
import type { ProgramCache } from "../program/program-cache.ts";
import { ExportedValues, type UsedModule } from "./exported-values.ts";
import { planSavedOperation, type SavedOutcome } from "./plan-operation.ts";

/** The schemas that a program's loaded modules declare. */
export interface RoleSchemas {
  /**
   * Calls `use` with a role's schema, and returns its result with the paths of the modules that it depends on.
   * @param use its parameter `modules` returns the modules used so far, with their exports
   */
  use<T>(
    of: { readonly role: string; readonly variant: SchemaVariant; readonly api?: SchemaApi },
    use: (schema: RoleSchema, modules: () => Iterable<UsedModule>) => T,
  ): { readonly value: T; readonly modules: ReadonlySet<string> };
}

/** A cached result of planning a saved operation for a role. */
export interface PlannedOperation {
  readonly text: string;
  readonly options: PlanOptions;
  /** Hashes of the modules that it depends on, by path. */
  readonly modules: ReadonlyMap<string, string>;
  readonly outcome: SavedOutcome;
}

/** A saved operation that a role cannot run. */
export interface SavedOperationFault extends SavedOperationUser {
  readonly faults: readonly string[];
  /** The faults that are missing fields of object types. */
  readonly missing?: readonly MissingField[];
}

interface SavedOperationUser {
  readonly operation: SavedQuery;
  readonly role: string;
  readonly variant: SchemaVariant;
}

/** The result of planning a saved operation for a role. */
export interface PlannedFor extends SavedOperationUser {
  readonly outcome: SavedOutcome;
}

export interface SavedPlannerSettings {
  /** By `savedQueryKey`. */
  readonly operations: ReadonlyMap<string, SavedQuery>;
  readonly schemas: RoleSchemas;
  readonly options: PlanOptions;
  /** Returns the hash of a module of this program; `undefined` if no module has that path. */
  readonly hashOf: (path: string) => string | undefined;
  /** By path of the plans' module. */
  readonly planned: ProgramCache<PlannedOperation>;
}

export class SavedPlanner {
  readonly #settings: SavedPlannerSettings;
  /** Results that this program has used, by path of the plans' module. */
  readonly #outcomes = new Map<string, PlannedFor>();

  constructor(settings: SavedPlannerSettings) {
    this.#settings = settings;
  }

  /** Returns the result of planning an operation. Plans on first use, unless an earlier plan is still valid. */
  outcome(operation: SavedQuery, role: string, variant: SchemaVariant): SavedOutcome {
    const { planned } = this.#settings;
    const path = savedPlansPath(role, operation, variant);
    const existing = this.#outcomes.get(path);
    if (existing) return existing.outcome;
    const known = planned.get(path);
    const own = known && this.#isCurrent(known, operation) ? known : this.#plan(operation, role, variant);
    planned.set(path, own);
    this.#outcomes.set(path, { operation, role, variant, outcome: own.outcome });
    return own.outcome;
  }

  /** Returns an earlier result of `outcome` by the path of the plans' module. */
  planned(path: string): PlannedFor | undefined {
    return this.#outcomes.get(path);
  }

  faultOf(operation: SavedQuery, role: string, variant: SchemaVariant): SavedOperationFault | undefined {
    const outcome = this.outcome(operation, role, variant);
    if (outcome.kind !== "fault") return undefined;
    const { faults, missing = [] } = outcome;
    return { operation, role, variant, faults, missing };
  }

  /** Returns the operations that the previous planner has planned and that their role can no longer run. */
  brokenSince(previous: SavedPlanner, hasRole: (role: string) => boolean): readonly SavedOperationFault[] {
    return [...previous.#outcomes.values()].flatMap(({ operation, role, variant, outcome }) => {
      const now = this.#settings.operations.get(savedQueryKey(operation));
      if (outcome.kind === "fault" || now?.query !== operation.query) return [];
      if (!hasRole(role)) return { operation: now, role, variant, faults: ["the role has no permissions"] };
      return this.faultOf(now, role, variant) ?? [];
    });
  }

  #isCurrent({ text, options, modules }: PlannedOperation, { query }: SavedQuery): boolean {
    if (text !== query || !sameValue(options, this.#settings.options)) return false;
    for (const [path, hash] of modules) if (this.#settings.hashOf(path) !== hash) return false;
    return true;
  }

  #plan(operation: SavedQuery, role: string, variant: SchemaVariant): PlannedOperation {
    const { schemas, options, hashOf } = this.#settings;
    const { value, modules } = schemas.use({ role, variant }, (schema, used) =>
      planSavedOperation(operationOf(operation), schema, options, new ExportedValues(used)),
    );
    const hashes = new Map([...modules].map((path) => [path, hashOf(path) ?? ""]));
    return { text: operation.query, options, modules: hashes, outcome: value };
  }
}
