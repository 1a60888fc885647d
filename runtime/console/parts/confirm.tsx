/** Button with a confirmation dialog, for actions that cannot be undone. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { ErrorBox } from "./error-box.tsx";
import { TextField } from "./field.tsx";
import type { IconName } from "./icon.tsx";

interface ConfirmButtonProps {
  /** Label of the button and of the confirming button in the dialog. */
  readonly label: string;
  readonly title: string;
  readonly icon?: IconName;
  /** Text that the user has to type, for actions that delete a lot. */
  readonly typed?: string;
  /** The dialog shows the error with which the promise rejects. */
  readonly onConfirm: () => Promise<void>;
  /** Description of the consequences. */
  readonly children: ComponentChildren;
}

export function ConfirmButton({ label, title, icon, typed, onConfirm, children }: ConfirmButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [text, setText] = useState("");
  const close = (): void => {
    setOpen(false);
    setError(null);
    setText("");
  };
  const confirm = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      await onConfirm();
      close();
    } catch (thrown) {
      setError(thrown);
    }
    setBusy(false);
  };
  return (
    <>
      <Button kind="danger" {...(icon && { icon })} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen && (
        <Dialog
          title={title}
          onClose={close}
          onSubmit={confirm}
          footer={
            <>
              <Button onClick={close}>Cancel</Button>
              <Button
                kind="danger"
                type="submit"
                busy={isBusy}
                unavailable={typed !== undefined && text !== typed && `Type “${typed}” first.`}
              >
                {label}
              </Button>
            </>
          }
        >
          {children}
          {typed !== undefined && (
            <TextField label={`Type “${typed}” to confirm`} isCode value={text} onInput={setText} />
          )}
          {error !== null && <ErrorBox error={error} />}
        </Dialog>
      )}
    </>
  );
}
