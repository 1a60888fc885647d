/** Saves a change that may widen access. A change that does is shown first, and saved after confirmation. */
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { asApiError } from "../../http/api-error.ts";
import type { Operation } from "../../http/metadata-api.ts";
import { type MetadataPlan, planMetadata } from "../../http/plan-api.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { type Submission, useSubmission } from "../../parts/use-submission.ts";
import { asOne, changeMetadata } from "../../state/metadata.ts";
import { PlanView } from "./plan-view.tsx";
import { saveLabel, widensAccess } from "./use-plan.ts";

interface GuardedChange {
  /** Returns the change; `null` if there is nothing to save. */
  readonly change: () => Operation | readonly Operation[] | null;
  /** Returns the roles that may gain access. All roles by default, which takes longer for large metadata. */
  readonly roles?: () => readonly string[] | undefined;
  /** False for a change that gives no role access. It is saved without a preview. */
  readonly canWiden?: boolean;
  /** Version of the metadata that the form shows. The server rejects the change on a mismatch. Default: the previewed one. */
  readonly version?: number | null;
  readonly onSaved: () => void;
}

interface GuardedSave extends Submission {
  /** Dialog that shows the wider access; `null` unless a change waits for confirmation. */
  readonly confirmation: VNode | null;
}

interface Pending {
  readonly operation: Operation;
  readonly version: number;
  readonly plan: MetadataPlan;
}

export function useGuardedSave({
  change,
  roles,
  canWiden = true,
  version = null,
  onSaved,
}: GuardedChange): GuardedSave {
  const [pending, setPending] = useState<Pending | null>(null);
  const plan = (operation: Operation) => planMetadata(partsOf(operation), roles?.());
  const submission = useSubmission(async () => {
    const found = change();
    if (found === null) return;
    const operation = asOne(found);
    const planned = canWiden ? await plan(operation) : null;
    if (planned && widensAccess(planned)) {
      setPending({ operation, plan: planned, version: version ?? planned.resource_version });
      return;
    }
    await changeMetadata(operation, version ?? planned?.resource_version);
    onSaved();
  });
  const confirmation = pending && (
    <Confirmation
      pending={pending}
      onConflict={async () => {
        const again = await plan(pending.operation);
        setPending({ ...pending, plan: again, version: version ?? again.resource_version });
      }}
      onClose={() => setPending(null)}
      onSaved={() => {
        setPending(null);
        onSaved();
      }}
    />
  );
  return { ...submission, confirmation };
}

/** `plan_metadata` does not accept `bulk`, but its operations one after another. */
const partsOf = (operation: Operation): readonly Operation[] =>
  operation.type === "bulk" ? (operation.args as readonly Operation[]) : [operation];

interface ConfirmationProps {
  readonly pending: Pending;
  /** Loads the plan again, because the metadata has changed since. */
  readonly onConflict: () => Promise<void>;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

function Confirmation({ pending: { operation, plan, version }, onConflict, onClose, onSaved }: ConfirmationProps) {
  const { isBusy, error, submit } = useSubmission(async () => {
    try {
      await changeMetadata(operation, version);
    } catch (thrown) {
      if (asApiError(thrown).status === 409) await onConflict();
      throw thrown;
    }
    onSaved();
  });
  return (
    <Dialog
      title="Widen access?"
      isWide
      onClose={onClose}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={isBusy}>
            {saveLabel(plan)}
          </Button>
        </>
      }
    >
      {error !== null && (
        <ErrorBox error={error}>
          {asApiError(error).status === 409 && <p>Nothing was changed. The preview is up to date again.</p>}
        </ErrorBox>
      )}
      <div class="plan-flush">
        <PlanView plan={plan} />
      </div>
    </Dialog>
  );
}
