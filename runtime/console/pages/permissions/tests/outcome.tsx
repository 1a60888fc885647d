/** Result of a permission test as a badge. */
import type { CaseResult, ListedCase } from "../../../http/test-api.ts";
import { resourceVersion } from "../../../state/metadata.ts";
import { caseKey, results, running } from "./results.ts";

const badges: Readonly<Record<CaseResult["outcome"], readonly [style: string, label: string]>> = {
  passed: ["badge good", "Passed"],
  different: ["badge bad", "Failed"],
  unwritten: ["badge warn", "No result"],
  broken: ["badge bad", "Broken"],
};

export function OutcomeBadge({ test }: { readonly test: ListedCase }) {
  const key = caseKey(test);
  if (running.value.has(key)) return <span class="badge accent">Running</span>;
  const result = results.value.get(key);
  if (!result) return <span class="badge">Not run</span>;
  const [style, label] = badges[result.outcome];
  const isOld = result.version !== resourceVersion.value;
  return isOld ? (
    <span class="badge" title="The metadata has changed since this result.">{`${label} before`}</span>
  ) : (
    <span class={style}>{label}</span>
  );
}
