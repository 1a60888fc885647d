/** Problems of the fields of a form. A form with problems has no preview and cannot be saved. */
import { createContext } from "preact";
import { useContext, useLayoutEffect, useMemo, useState } from "preact/hooks";

interface Registry {
  /** @param problem `null` once the field is valid */
  report(field: symbol, problem: string | null): void;
}

/** Receives the problems of the fields below it. */
export const ProblemsContext = createContext<Registry>({ report: () => undefined });

export interface Problems {
  /** Value for `ProblemsContext`. */
  readonly registry: Registry;
  /** Problem of each invalid field. */
  readonly list: readonly string[];
}

export function useProblems(): Problems {
  const [found, setFound] = useState<ReadonlyMap<symbol, string>>(new Map());
  const registry = useMemo<Registry>(
    () => ({
      report: (field, problem) =>
        setFound((before) => {
          if ((before.get(field) ?? null) === problem) return before;
          const after = new Map(before);
          if (problem === null) after.delete(field);
          else after.set(field, problem);
          return after;
        }),
    }),
    [],
  );
  return { registry, list: [...found.values()] };
}

/** Reports the problem of a field until it is valid or no longer shown. */
export function useProblem(problem: string | null): void {
  const [field] = useState(() => Symbol("field"));
  const { report } = useContext(ProblemsContext);
  useLayoutEffect(() => {
    report(field, problem);
    return () => report(field, null);
  }, [field, problem, report]);
}
