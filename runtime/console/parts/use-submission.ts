/** A submission that runs when the user confirms: whether it is running, and the error of the last run. */
import { useState } from "preact/hooks";

export interface Submission {
  readonly isBusy: boolean;
  /** `null` unless the last run failed. */
  readonly error: unknown;
  submit(): Promise<void>;
}

/** @param work its rejection becomes `error` */
export function useSubmission(work: () => Promise<void>): Submission {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const submit = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      await work();
    } catch (thrown) {
      setError(thrown);
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, error, submit };
}
