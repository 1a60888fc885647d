/** Modal dialog that traps the focus and closes on Escape. With `onSubmit` its body and footer are one form. */
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { IconButton } from "./button.tsx";
import { Form } from "./form.tsx";
import { raiseToasts } from "./toast.tsx";

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  /** Buttons at the bottom. */
  readonly footer?: ComponentChildren;
  readonly isWide?: boolean;
  /** Makes the body and the footer a form: runs on Enter and on a submit button if no field is invalid. */
  readonly onSubmit?: () => unknown;
}

export function Dialog({ title, onClose, children, footer, isWide = false, onSubmit }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  // A layout effect, so that no keystroke before the next frame is lost.
  useLayoutEffect(() => {
    const shown = element.current;
    shown?.showModal();
    raiseToasts();
    // Also restores the previous focus.
    return () => shown?.close();
  }, []);
  const content = (
    <>
      <div class="dialog-body">{children}</div>
      {footer && <footer class="dialog-foot">{footer}</footer>}
    </>
  );
  return (
    <dialog
      ref={element}
      class={isWide ? "dialog wide" : "dialog"}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <header class="dialog-head">
        <h2 id={id}>{title}</h2>
        <IconButton icon="close" label="Close" onClick={onClose} />
      </header>
      {onSubmit ? (
        <Form class="dialog-form" onSubmit={onSubmit}>
          {content}
        </Form>
      ) : (
        content
      )}
    </dialog>
  );
}
