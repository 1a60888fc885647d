/** A button that asks before it does what cannot be undone. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { ErrorBox } from "./error-box.tsx";
import type { IconName } from "./icon.tsx";

interface ConfirmButtonProps {
  /** Of the button, and of the one in the dialog. */
  readonly label: string;
  readonly title: string;
  readonly icon?: IconName;
  /** Rejects with what went wrong, which the dialog shows. */
  readonly onConfirm: () => Promise<void>;
  /** What will happen. */
  readonly children: ComponentChildren;
}

export function ConfirmButton({ label, title, icon, onConfirm, children }: ConfirmButtonProps) {
  const [isAsking, setAsking] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const close = (): void => {
    setAsking(false);
    setError(null);
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
      <Button kind="danger" {...(icon && { icon })} onClick={() => setAsking(true)}>
        {label}
      </Button>
      {isAsking && (
        <Dialog
          title={title}
          onClose={close}
          footer={
            <>
              <Button onClick={close}>Cancel</Button>
              <Button kind="danger" busy={isBusy} onClick={() => void confirm()}>
                {label}
              </Button>
            </>
          }
        >
          {children}
          {error !== null && <ErrorBox error={error} />}
        </Dialog>
      )}
    </>
  );
}
