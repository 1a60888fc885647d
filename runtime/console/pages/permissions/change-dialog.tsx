/** Dialog for a change of the metadata: a form, the effect of the change, and a button that saves what was previewed. */
import type { ComponentChildren } from "preact";
import type { Operation } from "../../http/metadata-api.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { Effects } from "./effects.tsx";
import { ProblemsContext, useProblems } from "./problems.ts";
import { saveLabel, unavailableSave, usePlan, usePlannedSave } from "./use-plan.ts";

interface ChangeDialogProps {
  readonly title: string;
  /** The change; `null` if there is nothing to change. */
  readonly operation: Operation | null;
  /** Roles to compare in the preview. */
  readonly roles: readonly string[];
  /** Notification after the change. */
  readonly notice: string;
  /** Label of a button that deletes something. */
  readonly deleteLabel?: string;
  readonly onSaved?: () => void;
  readonly onClose: () => void;
  /** Fields of the form. */
  readonly children: ComponentChildren;
}

export function ChangeDialog(props: ChangeDialogProps) {
  const { title, operation, roles, notice, deleteLabel, onSaved, onClose, children } = props;
  const problems = useProblems();
  const isInvalid = problems.list.length > 0;
  const planned = usePlan(operation && !isInvalid ? [operation] : [], roles);
  const { plan } = planned;
  const { save, error, isSaving } = usePlannedSave(plan);
  const submit = async (): Promise<void> => {
    if (!operation || !(await save(operation, notice))) return;
    onSaved?.();
    onClose();
  };
  return (
    <Dialog
      title={title}
      isWide
      onClose={onClose}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind={deleteLabel === undefined ? "primary" : "danger"}
            unavailable={unavailableSave(planned, operation !== null, isInvalid)}
            busy={isSaving}
            type="submit"
          >
            {deleteLabel ?? saveLabel(plan)}
          </Button>
        </>
      }
    >
      <div class="change-dialog">
        <div class="stack">
          <ProblemsContext.Provider value={problems.registry}>{children}</ProblemsContext.Provider>
          {error !== null && <ErrorBox error={error} />}
        </div>
        <section class="change-effects" aria-label="Preview">
          <Effects isChanged={operation !== null} isInvalid={isInvalid} planned={planned} />
        </section>
      </div>
    </Dialog>
  );
}
