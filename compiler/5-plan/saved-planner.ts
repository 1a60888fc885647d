/**
 * Saved operations as plans for roles, made on the schemas that a program's loaded modules declare. A plan is kept
 * from program to program where the modules that planning has touched are the same.
 */

import type { PlanOptions } from "../../runtime/model/planner/select/context.ts";
import type { RoleSchema, SchemaApi, SchemaVariant } from "../../runtime/model/schema/role-schema.ts";
import type { SavedQuery } from "../2-analyze/analysis.ts";
import { savedQueryKey } from "../2-analyze/saved-operations.ts";
import { sameValue } from "../3-lower/same-value.ts";
import { savedPlansPath } from "../4-emit/paths.ts";
import type { ProgramCache } from "../program/program-cache.ts";
import { ExportedValues, type UsedModule } from "./exported-values.ts";
import { planSavedOperation, type SavedOutcome } from "./plan-operation.ts";

/** The schemas that a program's modules declare, loaded. */
export interface RoleSchemas {
  /**
   * What `use` makes of a role's schema, and the modules that it depends on.
   * @param use `modules`: those that it has used so far, with what they export
   */
  use<T>(
    of: { readonly role: string; readonly variant: SchemaVariant; readonly api?: SchemaApi },
    use: (schema: RoleSchema, modules: () => Iterable<UsedModule>) => T,
  ): { readonly value: T; readonly modules: ReadonlySet<string> };
}

/** A saved operation that was planned for a role. */
export interface PlannedOperation {
  readonly text: string;
  readonly options: PlanOptions;
  /** The hashes of the modules that it depends on. */
  readonly modules: ReadonlyMap<string, string>;
  readonly outcome: SavedOutcome;
}

/** A saved operation that a role cannot run. */
export interface SavedOperationFault extends SavedOperationUser {
  readonly faults: readonly string[];
}

interface SavedOperationUser {
  readonly operation: SavedQuery;
  readonly role: string;
  readonly variant: SchemaVariant;
}

/** What planning gave for a role. */
export interface PlannedFor extends SavedOperationUser {
  readonly outcome: SavedOutcome;
}

export interface SavedPlannerSettings {
  /** By `savedQueryKey`. */
  readonly operations: ReadonlyMap<string, SavedQuery>;
  readonly schemas: RoleSchemas;
  readonly options: PlanOptions;
  /** Hash of a module of this program; `undefined`: there is none of that path. */
  readonly hashOf: (path: string) => string | undefined;
  /** By the path of the plans. */
  readonly planned: ProgramCache<PlannedOperation>;
}

export class SavedPlanner {
  readonly #settings: SavedPlannerSettings;
  /** Those that this program was asked for, by path. */
  readonly #outcomes = new Map<string, PlannedFor>();

  constructor(settings: SavedPlannerSettings) {
    this.#settings = settings;
  }

  /** What planning gave; planned when first asked for, unless what it depends on is as it was. */
  outcome(operation: SavedQuery, role: string, variant: SchemaVariant): SavedOutcome {
    const { planned } = this.#settings;
    const path = savedPlansPath(role, operation, variant);
    const asked = this.#outcomes.get(path);
    if (asked) return asked.outcome;
    const known = planned.get(path);
    const own = known && this.#isCurrent(known, operation) ? known : this.#plan(operation, role, variant);
    planned.set(path, own);
    this.#outcomes.set(path, { operation, role, variant, outcome: own.outcome });
    return own.outcome;
  }

  /** What was asked for with `outcome`, by the path of its plans. */
  planned(path: string): PlannedFor | undefined {
    return this.#outcomes.get(path);
  }

  faultOf(operation: SavedQuery, role: string, variant: SchemaVariant): SavedOperationFault | undefined {
    const outcome = this.outcome(operation, role, variant);
    return outcome.kind === "fault" ? { operation, role, variant, faults: outcome.faults } : undefined;
  }

  /** Operations that a role could run by the planner before, as far as that was asked, and cannot now. */
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

  #plan({ query }: SavedQuery, role: string, variant: SchemaVariant): PlannedOperation {
    const { schemas, options, hashOf } = this.#settings;
    const { value, modules } = schemas.use({ role, variant }, (schema, used) =>
      planSavedOperation(query, schema, options, new ExportedValues(used)),
    );
    const hashes = new Map([...modules].map((path) => [path, hashOf(path) ?? ""]));
    return { text: query, options, modules: hashes, outcome: value };
  }
}
