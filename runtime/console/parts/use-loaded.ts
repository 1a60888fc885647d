/** Asynchronously loaded value of a component: loading, loaded or failed. */
import { useCallback, useEffect, useState } from "preact/hooks";

export interface Loaded<T> {
  /** `null` until loaded. */
  readonly value: T | null;
  readonly error: unknown;
  readonly isLoading: boolean;
  reload(): void;
}

/**
 * Loads a value when the component mounts, and whenever `key` changes. Results for an outdated key are discarded.
 * @param load its rejection becomes `error`
 */
export function useLoaded<T>(load: () => Promise<T>, key: string): Loaded<T> {
  const [state, setState] = useState<Omit<Loaded<T>, "reload"> & { readonly key: string }>({
    key,
    value: null,
    error: null,
    isLoading: true,
  });
  const [reloadCount, setReloadCount] = useState(0);
  useEffect(() => {
    let isOutdated = false;
    setState((before) => ({
      key,
      value: before.key === key ? before.value : null,
      error: null,
      isLoading: true,
    }));
    load().then(
      (value) => {
        if (!isOutdated) setState({ key, value, error: null, isLoading: false });
      },
      (error: unknown) => {
        if (!isOutdated) setState({ key, value: null, error, isLoading: false });
      },
    );
    return () => {
      isOutdated = true;
    };
  }, [key, reloadCount]);
  const reload = useCallback(() => setReloadCount((before) => before + 1), []);
  return { ...state, value: state.key === key ? state.value : null, reload };
}
