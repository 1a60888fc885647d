/** Form that is not submitted while one of its fields is invalid or its submit button is unavailable. */
import type { ComponentChildren } from "preact";

interface FormProps {
  /** Runs if no field is invalid and the submit button is available. The form handles the event of the browser. */
  readonly onSubmit: () => unknown;
  readonly class?: string;
  /** Accessible name, which makes the form a landmark. */
  readonly label?: string;
  readonly children: ComponentChildren;
}

/**
 * Renders the only `form` element of the console. A submission focuses the first element with `aria-invalid="true"` in the
 * form, if there is one, and does not run `onSubmit`: otherwise it would send a value other than the one on the screen.
 * Otherwise it focuses a submit button that is unavailable, whose description is the reason.
 */
export function Form({ onSubmit, label, children, ...rest }: FormProps) {
  return (
    <form
      {...rest}
      {...(label !== undefined && { "aria-label": label })}
      onSubmit={(event) => {
        event.preventDefault();
        // A dialog inside this form has a form of its own.
        if (event.target !== event.currentTarget) return;
        if (!showInvalid(event.currentTarget) && !showUnavailable(event.currentTarget)) onSubmit();
      }}
    >
      {children}
    </form>
  );
}

/** Submits the form that contains the element, as a submit button does. Returns false outside of forms. */
export function submitFormOf(element: Element): boolean {
  const form = element.closest("form");
  form?.requestSubmit();
  return form !== null;
}

/**
 * Focuses the first invalid field of the form that contains the element. Returns false if there is none. Other controls
 * call it before they replace the fields, because a replaced field would lose its text.
 */
export function showInvalid(element: Element): boolean {
  const invalid = findOwn(element.closest("form"), '[aria-invalid="true"]');
  if (invalid) show(invalid);
  return invalid !== undefined;
}

function showUnavailable(form: HTMLFormElement): boolean {
  const button = findOwn(form, 'button[type="submit"][aria-disabled="true"]');
  button?.focus();
  return button !== undefined;
}

/** Returns the first match in the form, without those of dialogs inside of it. */
function findOwn(form: HTMLFormElement | null, selector: string): HTMLElement | undefined {
  const found = form?.querySelectorAll<HTMLElement>(selector) ?? [];
  return [...found].find((each) => each.closest("form") === form);
}

function show(invalid: HTMLElement): void {
  for (let folded = invalid.closest("details"); folded; folded = folded.parentElement?.closest("details") ?? null) {
    folded.open = true;
  }
  invalid.focus();
}
