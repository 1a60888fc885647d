/** Dialog that changes a database: fields, a preview of the SQL, and the consequences for the metadata. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { asApiError } from "../../../http/api-error.ts";
import type { Source } from "../../../http/metadata-types.ts";
import { Button } from "../../../parts/button.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { ErrorBox } from "../../../parts/error-box.tsx";
import { CheckField } from "../../../parts/field.tsx";
import { notify } from "../../../parts/toast.tsx";
import { changeDatabase, isProjectConsole } from "../../../state/change-database.ts";
import { loadDatabaseObjects } from "../database-objects.ts";
import type { Statement } from "./statements.ts";

interface ChangeDialogProps {
  readonly source: Source;
  readonly title: string;
  /** Label of the button that runs the change. */
  readonly action: string;
  readonly isDanger?: boolean;
  /** `null` while the fields are incomplete or change nothing. */
  readonly statement: Statement | null;
  /** Reason why `statement` is null, as a sentence. Absent if it never is. */
  readonly incomplete?: string;
  /** Notification of success. */
  readonly notice: string;
  readonly onClose: () => void;
  /** Runs after the change. */
  readonly onDone: () => void;
  readonly children?: ComponentChildren;
}

export function ChangeDialog(props: ChangeDialogProps) {
  const {
    source,
    title,
    action,
    isDanger = false,
    statement,
    incomplete = "",
    notice,
    onClose,
    onDone,
    children,
  } = props;
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const [isCascading, setCascading] = useState(false);
  const hasDependents = error !== null && asApiError(error).code === "dependency-error";
  const dependents = hasDependents && !isCascading && "Metadata objects depend on it.";
  const change = async (): Promise<void> => {
    if (statement === null) return;
    setBusy(true);
    try {
      await changeDatabase({ source, ...statement, cascade: isCascading });
      await loadDatabaseObjects(source);
      notify(notice);
      onClose();
      onDone();
    } catch (thrown) {
      setError(thrown);
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={title}
      onClose={onClose}
      isWide
      onSubmit={change}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind={isDanger ? "danger" : "primary"}
            type="submit"
            busy={isBusy}
            unavailable={statement === null ? incomplete : dependents}
          >
            {action}
          </Button>
        </>
      }
    >
      {children}
      {statement && <SqlPreview statement={statement} />}
      {error !== null && (
        <ErrorBox error={error}>
          {hasDependents && (
            <CheckField
              label="Delete these objects from the metadata too"
              checked={isCascading}
              onChange={setCascading}
            />
          )}
        </ErrorBox>
      )}
    </Dialog>
  );
}

/** Shows the SQL of a change, and in the console of a project the SQL of its down migration. */
export function SqlPreview({ statement: { sql, down } }: { readonly statement: Statement }) {
  return (
    <section class="stack" aria-label="SQL">
      <pre class="code-block">
        <bdi>{sql}</bdi>
      </pre>
      {isProjectConsole && (
        <details>
          <summary>{down === "" ? "No down migration: this change cannot be reverted" : "Down migration"}</summary>
          {down !== "" && (
            <pre class="code-block">
              <bdi>{down}</bdi>
            </pre>
          )}
        </details>
      )}
    </section>
  );
}
