/** Plan of metadata operations, loaded during editing. */
import { useEffect, useState } from "preact/hooks";
import { parseRaw } from "../../http/json.ts";
import type { Operation } from "../../http/metadata-api.ts";
import { type MetadataPlan, planMetadata } from "../../http/plan-api.ts";

export interface Planned {
  /** Plan of the current operations; `null` until loaded. */
  readonly plan: MetadataPlan | null;
  readonly error: unknown;
}

const debounceMilliseconds = 350;

/** Loads the plan of operations, debounced. @param roles roles to compare */
export function usePlan(operations: readonly Operation[], roles: readonly string[]): Planned {
  const key = JSON.stringify([operations, roles]);
  const [found, setFound] = useState<Planned & { readonly key: string }>({ key, plan: null, error: null });
  useEffect(() => {
    const [requested, compared] = parseRaw(key) as readonly [readonly Operation[], readonly string[]];
    if (requested.length === 0) return;
    let isOutdated = false;
    const timer = setTimeout(() => {
      planMetadata(requested, compared).then(
        (plan) => {
          if (!isOutdated) setFound({ key, plan, error: null });
        },
        (error: unknown) => {
          if (!isOutdated) setFound({ key, plan: null, error });
        },
      );
    }, debounceMilliseconds);
    return () => {
      isOutdated = true;
      clearTimeout(timer);
    };
  }, [key]);
  return found.key === key ? found : { plan: null, error: null };
}

/** Returns the label of the button that saves a planned change. */
export function saveLabel(plan: MetadataPlan | null): string {
  return plan !== null && plan.summary.widens + plan.summary.may_widen > 0 ? "Save and widen access" : "Save";
}
