/** Role, session variables and headers with which the operation runs. */
import { useId } from "preact/hooks";
import { Button, IconButton } from "../../parts/button.tsx";
import { TextField } from "../../parts/field.tsx";
import { roles } from "../../state/metadata.ts";
import { type HeaderRow, headers, role } from "./request-state.ts";

export function RunAs() {
  return (
    <div class="try-as stack">
      <RoleField />
      <fieldset class="stack">
        <legend class="field-label">Session variables and headers</legend>
        {headers.value.map((row, index) => (
          <HeaderFields key={index} row={row} index={index} />
        ))}
        <div class="row">
          <Button icon="add" onClick={() => add({ name: "x-engine-user-id", value: "" })}>
            Add session variable
          </Button>
          <Button icon="add" kind="quiet" onClick={() => add({ name: "", value: "" })}>
            Add header
          </Button>
        </div>
      </fieldset>
    </div>
  );
}

function RoleField() {
  const id = useId();
  return (
    <div class="field">
      <label for={id} class="field-label">
        Role
      </label>
      <input
        id={id}
        class="input"
        list={`${id}-roles`}
        placeholder="admin"
        value={role.value}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => {
          role.value = event.currentTarget.value.trim();
        }}
      />
      <datalist id={`${id}-roles`}>
        {roles.value.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </div>
  );
}

function HeaderFields({ row, index }: { readonly row: HeaderRow; readonly index: number }) {
  const change = (part: Partial<HeaderRow>): void => {
    headers.value = headers.value.map((each, at) => (at === index ? { ...each, ...part } : each));
  };
  return (
    <div class="header-row">
      <TextField
        label={`Name of header ${index + 1}`}
        isBare
        isCode
        value={row.name}
        onInput={(name) => change({ name })}
      />
      <TextField
        label={`Value of header ${index + 1}`}
        isBare
        isCode
        value={row.value}
        onInput={(value) => change({ value })}
      />
      <IconButton
        icon="remove"
        label={`Remove header ${row.name}`}
        onClick={() => {
          headers.value = headers.value.filter((_each, at) => at !== index);
        }}
      />
    </div>
  );
}

const add = (row: HeaderRow): void => {
  headers.value = [...headers.value, row];
};
