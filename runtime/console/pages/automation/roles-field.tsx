/** Roles that may call an action. */
import { useId, useState } from "preact/hooks";
import { Button, IconButton } from "../../parts/button.tsx";
import { roles as knownRoles } from "../../state/metadata.ts";

interface RolesFieldProps {
  readonly value: readonly string[];
  readonly onChange: (value: readonly string[]) => void;
}

export function RolesField({ value, onChange }: RolesFieldProps) {
  const id = useId();
  const [name, setName] = useState("");
  const add = (): void => {
    const role = name.trim();
    if (role !== "" && !value.includes(role)) onChange([...value, role]);
    setName("");
  };
  return (
    <fieldset class="stack">
      <legend class="field-label">Roles that may call the action</legend>
      {value.length === 0 && <p class="field-hint">Only administrators may call it. Add a role to allow others.</p>}
      {value.length > 0 && (
        <ul class="row action-roles">
          {value.map((role) => (
            <li key={role} class="badge">
              <bdi>{role}</bdi>
              <IconButton
                icon="close"
                label={`Remove role ${role}`}
                onClick={() => onChange(value.filter((each) => each !== role))}
              />
            </li>
          ))}
        </ul>
      )}
      <div class="row">
        <label for={id} class="visually-hidden">
          Role to add
        </label>
        <input
          id={id}
          class="input"
          list={`${id}-roles`}
          placeholder="Role"
          value={name}
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => setName(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || name.trim() === "") return;
            // Otherwise Enter submits the form.
            event.preventDefault();
            add();
          }}
          onBlur={add}
        />
        <datalist id={`${id}-roles`}>
          {knownRoles.value
            .filter((role) => !value.includes(role))
            .map((role) => (
              <option key={role} value={role} />
            ))}
        </datalist>
        <Button icon="add" onClick={add}>
          Add role
        </Button>
      </div>
    </fieldset>
  );
}
