/** Forms for roles that exist only on this page: add, rename, remove. */
import { useState } from "preact/hooks";
import { Button, IconButton } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { TextField } from "../../parts/field.tsx";
import { Form } from "../../parts/form.tsx";
import { addRole, removeRole, renameRole, roleProblem } from "./new-roles.ts";

export function NewRole() {
  const [name, setName] = useState("");
  const role = name.trim();
  const problem = role === "" ? null : roleProblem(role);
  const add = (): void => {
    if (role === "") return;
    addRole(role);
    setName("");
  };
  return (
    <Form class="new-role row" onSubmit={add}>
      <TextField label="New role name" isBare placeholder="New role" error={problem} value={name} onInput={setName} />
      <Button icon="add" type="submit">
        Add role
      </Button>
    </Form>
  );
}

/** Heading of the column of a role that exists only on this page. */
export function UnsavedRole({ role }: { readonly role: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <span class="unsaved-role">
      <bdi title={`${role}: stored with its first permission`}>{role}</bdi>
      <IconButton icon="edit" label={`Rename role ${role}`} onClick={() => setOpen(true)} />
      {isOpen && <RenameRole role={role} onClose={() => setOpen(false)} />}
    </span>
  );
}

function RenameRole({ role, onClose }: { readonly role: string; readonly onClose: () => void }) {
  const [name, setName] = useState(role);
  const problem = name.trim() === role ? null : roleProblem(name.trim());
  const save = (): void => {
    renameRole(role, name.trim());
    onClose();
  };
  return (
    <Dialog
      title={`Rename role ${role}`}
      onClose={onClose}
      onSubmit={save}
      footer={
        <>
          <Button
            kind="danger"
            onClick={() => {
              removeRole(role);
              onClose();
            }}
          >
            Remove role
          </Button>
          <span class="grow" />
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit">
            Rename
          </Button>
        </>
      }
    >
      <TextField
        label="Role name"
        hint="The metadata stores a role with its first permission. Until then, the role exists only on this page."
        error={problem}
        value={name}
        onInput={setName}
      />
    </Dialog>
  );
}
