/** Form fields with label, hint and validation error. */
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface FieldProps {
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly error?: string | null;
  /** True to show the label to screen readers only. */
  readonly isBare?: boolean;
}

interface ControlProps {
  readonly id: string;
  readonly describedBy: string | undefined;
  readonly invalid: boolean;
}

function Field({
  label,
  hint,
  error = null,
  isBare = false,
  control,
}: FieldProps & { readonly control: (props: ControlProps) => ComponentChildren }) {
  const id = useId();
  const describedBy = error !== null || hint !== undefined ? `${id}-about` : undefined;
  return (
    <div class="field">
      <label for={id} class={isBare ? "visually-hidden" : "field-label"}>
        {label}
      </label>
      {control({ id, describedBy, invalid: error !== null })}
      {describedBy && (
        <div id={describedBy} class={error === null ? "field-hint" : "field-error"}>
          {error ?? hint}
        </div>
      )}
    </div>
  );
}

interface TextFieldProps extends FieldProps {
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly type?: "text" | "password" | "search" | "number" | "date" | "datetime-local";
  readonly placeholder?: string;
  readonly autoFocus?: boolean;
  readonly autoComplete?: string;
  readonly required?: boolean;
  readonly disabled?: boolean;
  /** True for a monospaced font: names, numbers, JSON. */
  readonly isCode?: boolean;
  /** Number of lines; makes the field a text area. */
  readonly rows?: number;
  /** Id of a `datalist` with suggestions. */
  readonly list?: string;
}

export function TextField({ value, onInput, type = "text", isCode = false, rows, ...props }: TextFieldProps) {
  const {
    placeholder,
    autoFocus = false,
    autoComplete = "off",
    required = false,
    disabled = false,
    list,
    ...field
  } = props;
  return (
    <Field
      {...field}
      control={({ id, describedBy, invalid }) => {
        const shared = {
          id,
          class: isCode ? "input code" : "input",
          value,
          disabled,
          required,
          spellcheck: false,
          "aria-invalid": invalid,
          ...(describedBy && { "aria-describedby": describedBy }),
          ...(placeholder !== undefined && { placeholder }),
          onInput: (event: { readonly currentTarget: { readonly value: string } }) =>
            onInput(event.currentTarget.value),
          ref: (element: HTMLElement | null) => {
            if (autoFocus && element && document.activeElement === document.body) element.focus();
          },
        };
        if (rows !== undefined) return <textarea {...shared} rows={rows} />;
        // Preact types each kind of input separately.
        return <input {...shared} type={type as "text"} autocomplete={autoComplete} {...(list && { list })} />;
      }}
    />
  );
}

export interface Choice<T extends string> {
  readonly value: T;
  readonly label: string;
}

interface SelectFieldProps<T extends string> extends FieldProps {
  readonly value: T;
  readonly choices: readonly Choice<T>[];
  readonly onChange: (value: T) => void;
  readonly disabled?: boolean;
}

export function SelectField<T extends string>({
  value,
  choices,
  onChange,
  disabled = false,
  ...field
}: SelectFieldProps<T>) {
  return (
    <Field
      {...field}
      control={({ id, describedBy, invalid }) => (
        <select
          id={id}
          class="input"
          value={value}
          disabled={disabled}
          aria-invalid={invalid}
          aria-describedby={describedBy}
          onChange={(event) => {
            const found = choices.find((choice) => choice.value === event.currentTarget.value);
            if (found) onChange(found.value);
          }}
        >
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
      )}
    />
  );
}

interface CheckFieldProps {
  readonly label: ComponentChildren;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly disabled?: boolean;
}

export function CheckField({ label, checked, onChange, disabled = false }: CheckFieldProps) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span>{label}</span>
    </label>
  );
}
