/** Plan of metadata operations, loaded during editing. */
import { useEffect, useState } from "preact/hooks";
import { parseRaw } from "../../http/json.ts";
import type { Operation } from "../../http/metadata-api.ts";
import { type MetadataPlan, planMetadata } from "../../http/plan-api.ts";
import { notify } from "../../parts/toast.tsx";
import { changeMetadata } from "../../state/metadata.ts";

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

interface PlannedSave {
  /** Resolves to true if the change is saved, and then shows the notice. */
  readonly save: (change: Operation | readonly Operation[], notice: string) => Promise<boolean>;
  readonly error: unknown;
  readonly isSaving: boolean;
}

/** Saves a planned change. The server rejects it if the version of the metadata is not that of the plan. */
export function usePlannedSave(plan: MetadataPlan | null): PlannedSave {
  const [error, setError] = useState<unknown>(null);
  const [isSaving, setSaving] = useState(false);
  const save = async (change: Operation | readonly Operation[], notice: string): Promise<boolean> => {
    if (!plan) return false;
    setSaving(true);
    setError(null);
    try {
      await changeMetadata(change, plan.resource_version);
      notify(notice);
      return true;
    } catch (thrown) {
      setError(thrown);
      return false;
    } finally {
      setSaving(false);
    }
  };
  return { save, error, isSaving };
}

/** Returns why a planned change cannot be saved; `null` if it can, or if a submission shows the invalid field. */
export function unavailableSave({ plan, error }: Planned, isChanged: boolean, isInvalid: boolean): string | null {
  if (plan !== null || isInvalid) return null;
  if (!isChanged) return "Nothing has changed.";
  return error === null ? "The preview is loading." : "The preview shows why the change is refused.";
}

/** Returns true if a change widens the access of a role, or may widen it. */
export const widensAccess = ({ summary: { widens, may_widen: mayWiden } }: MetadataPlan): boolean =>
  widens + mayWiden > 0;

/** Returns the label of the button that saves a planned change. */
export const saveLabel = (plan: MetadataPlan | null): string =>
  plan !== null && widensAccess(plan) ? "Save and widen access" : "Save";
