/** Form that is not submitted while one of its fields is invalid. */
import type { ComponentChildren } from "preact";

interface FormProps {
  /** Runs if no field is invalid. The form handles the event of the browser. */
  readonly onSubmit: () => unknown;
  readonly class?: string;
  /** Accessible name, which makes the form a landmark. */
  readonly label?: string;
  readonly children: ComponentChildren;
}

/**
 * Renders the only `form` element of the console. A submission focuses the first element with `aria-invalid="true"` in the
 * form, if there is one, and does not run `onSubmit`: otherwise it would send a value other than the one on the screen.
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
        const invalid = firstInvalid(event.currentTarget);
        if (invalid) show(invalid);
        else onSubmit();
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

function firstInvalid(form: HTMLFormElement): HTMLElement | undefined {
  const invalid = form.querySelectorAll<HTMLElement>('[aria-invalid="true"]');
  return [...invalid].find((element) => element.closest("form") === form);
}

function show(invalid: HTMLElement): void {
  for (let folded = invalid.closest("details"); folded; folded = folded.parentElement?.closest("details") ?? null) {
    folded.open = true;
  }
  invalid.focus();
}
