/** Preview of a change that is not saved yet. */
import { Empty, Loading } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { PlanView } from "./plan-view.tsx";
import type { Planned } from "./use-plan.ts";

interface EffectsProps {
  readonly isChanged: boolean;
  /** True if a field of the form is invalid. */
  readonly isInvalid?: boolean;
  readonly planned: Planned;
}

export function Effects({ isChanged, isInvalid = false, planned: { plan, error } }: EffectsProps) {
  if (isInvalid) {
    return (
      <Empty title="No preview">
        <p>Correct the marked fields to see the effect of the change.</p>
      </Empty>
    );
  }
  if (!isChanged) {
    return (
      <Empty title="No changes">
        <p>The preview shows which roles gain access and which generated code changes.</p>
      </Empty>
    );
  }
  if (error !== null) {
    return (
      <div class="plan">
        <ErrorBox error={error} />
      </div>
    );
  }
  return plan ? <PlanView plan={plan} /> : <Loading item="preview" />;
}
