/** Dialog that shows the effect of replacing the whole metadata, and replaces it after confirmation. */
import { useMemo, useState } from "preact/hooks";
import { asApiError } from "../../http/api-error.ts";
import type { JsonObject } from "../../http/metadata-types.ts";
import { type MetadataPlan, planMetadata } from "../../http/plan-api.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Empty, Loading } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { CheckField } from "../../parts/field.tsx";
import { useLoaded } from "../../parts/use-loaded.ts";
import { resourceVersion } from "../../state/metadata.ts";
import { PlanView } from "../permissions/plan-view.tsx";
import { usePlannedSave, widensAccess } from "../permissions/use-plan.ts";
import { PartChanges } from "./part-changes.tsx";

interface ReplaceDialogProps {
  readonly title: string;
  /** Label of the button that replaces the metadata. */
  readonly label: string;
  readonly metadata: JsonObject;
  /** Notification after the change. */
  readonly notice: string;
  /** Returns to the choice of the metadata. */
  readonly onBack?: () => void;
  readonly onClose: () => void;
}

export function ReplaceDialog({ title, label, metadata, notice, onBack, onClose }: ReplaceDialogProps) {
  const [allowsInconsistent, setAllowsInconsistent] = useState(false);
  const operation = useMemo(
    () => ({
      type: "replace_metadata",
      args: { metadata, allow_inconsistent_metadata: allowsInconsistent },
    }),
    [metadata, allowsInconsistent],
  );
  // A change by another administrator has another version, and the plan is loaded again.
  const key = `${resourceVersion.value} ${allowsInconsistent}`;
  const { value: plan, error } = useLoaded(() => planMetadata([operation]), key);
  const { save, error: failure, isSaving } = usePlannedSave(plan);
  const apply = async (): Promise<void> => {
    if (await save(operation, notice)) onClose();
  };
  const unavailable = error !== null ? "The preview failed." : plan === null ? "The preview is loading." : null;
  const unchanged = plan?.metadata.length === 0 && "The server has the same metadata.";
  const widens = plan !== null && widensAccess(plan);
  return (
    <Dialog
      title={title}
      isWide
      onClose={onClose}
      onSubmit={apply}
      footer={
        <>
          {onBack && (
            <Button kind="quiet" icon="left" onClick={onBack}>
              Back
            </Button>
          )}
          <span class="grow" />
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={isSaving} unavailable={unavailable ?? unchanged}>
            {widens ? `${label} and widen access` : label}
          </Button>
        </>
      }
    >
      {failure !== null && (
        <ErrorBox error={failure}>
          {asApiError(failure).status === 409 && <p>Nothing was changed. The preview is up to date again.</p>}
        </ErrorBox>
      )}
      <CheckField
        label="Allow inconsistent objects, which the API leaves out"
        checked={allowsInconsistent}
        onChange={setAllowsInconsistent}
      />
      {error !== null && <ErrorBox error={error} />}
      {!plan && error === null && <Loading item="preview" />}
      {plan && <Preview plan={plan} />}
    </Dialog>
  );
}

function Preview({ plan }: { readonly plan: MetadataPlan }) {
  const { metadata, inconsistent } = plan;
  if (metadata.length === 0) {
    return (
      <Empty title="No changes">
        <p>The server has the same metadata.</p>
      </Empty>
    );
  }
  return (
    <div class="plan-flush stack">
      {inconsistent > 0 && (
        <p>
          <span class="badge warn">Inconsistent</span>{" "}
          {inconsistent === 1
            ? "1 object will be inconsistent."
            : `${inconsistent.toLocaleString()} objects will be inconsistent.`}
        </p>
      )}
      <PlanView plan={plan}>
        <section class="stack" aria-label="Metadata">
          <h2>{`Metadata: ${metadata.length.toLocaleString()} ${metadata.length === 1 ? "part" : "parts"}`}</h2>
          <PartChanges changes={metadata} />
        </section>
      </PlanView>
    </div>
  );
}
