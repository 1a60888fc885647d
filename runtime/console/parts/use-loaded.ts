/** What a component shows once it has been asked for: loading, loaded or failed. */
import { useCallback, useEffect, useState } from "preact/hooks";

export interface Loaded<T> {
  /** `null`: not there yet. */
  readonly value: T | null;
  readonly error: unknown;
  readonly isLoading: boolean;
  reload(): void;
}

/**
 * @param load rejects with what went wrong
 * @param key asks again whenever it is another one; what was asked before is left out
 */
export function useLoaded<T>(load: () => Promise<T>, key: string): Loaded<T> {
  const [state, setState] = useState<Omit<Loaded<T>, "reload"> & { readonly key: string }>({
    key,
    value: null,
    error: null,
    isLoading: true,
  });
  const [turn, setTurn] = useState(0);
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
  }, [key, turn]);
  const reload = useCallback(() => setTurn((before) => before + 1), []);
  return { ...state, value: state.key === key ? state.value : null, reload };
}
