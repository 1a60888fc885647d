/** Dialogs that create, change and delete an inherited role. */
import { useState } from "preact/hooks";
import type { InheritedRole } from "../../http/metadata-types.ts";
import { CheckField, TextField } from "../../parts/field.tsx";
import { ChangeDialog } from "./change-dialog.tsx";
import { levelsOf, type Parents } from "./inheritance.ts";
import { allRoles } from "./new-roles.ts";
import { useProblem } from "./problems.ts";

interface InheritedRoleDialogProps {
  /** Role to change; `null` for a new role. */
  readonly role: InheritedRole | null;
  readonly parents: Parents;
  readonly onSaved: (name: string) => void;
  readonly onClose: () => void;
}

export function InheritedRoleDialog({ role, parents, onSaved, onClose }: InheritedRoleDialogProps) {
  const [name, setName] = useState(role?.role_name ?? "");
  const [chosen, setChosen] = useState<readonly string[]>(role?.role_set ?? []);
  const isReady = name !== "" && name !== "admin" && (role !== null || !parents.has(name)) && chosen.length > 0;
  const [isMerging, setMerging] = useState(role?.merge ?? false);
  const isChanged =
    role === null ||
    isMerging !== (role.merge ?? false) ||
    [...role.role_set].sort().join("\n") !== [...chosen].sort().join("\n");
  return (
    <ChangeDialog
      title={role ? `Change inherited role ${role.role_name}` : "Create inherited role"}
      operation={
        isReady && isChanged
          ? {
              type: "add_inherited_role",
              args: { role_name: name, role_set: chosen, ...(isMerging && { merge: true }) },
            }
          : null
      }
      roles={[name]}
      notice={`Saved the inherited role ${name}`}
      onSaved={() => onSaved(name)}
      onClose={onClose}
    >
      {role === null && <NameField name={name} parents={parents} onInput={setName} />}
      <ParentChoice role={name} parents={parents} chosen={chosen} onChange={setChosen} />
      <div class="field">
        <CheckField label="Merge write permissions" checked={isMerging} onChange={setMerging} />
        <p class="field-hint">
          The role may make each change of a row that one of its parents permits alone. Otherwise it has no write
          permission where the permissions of its parents differ.
        </p>
      </div>
    </ChangeDialog>
  );
}

interface NameFieldProps {
  readonly name: string;
  readonly parents: Parents;
  readonly onInput: (name: string) => void;
}

function NameField({ name, parents, onInput }: NameFieldProps) {
  const problem =
    name === "admin"
      ? "The role admin has access to everything."
      : parents.has(name)
        ? "An inherited role with this name exists."
        : null;
  useProblem(problem);
  return (
    <TextField
      label="Role name"
      hint="Own permissions of the role take precedence over those of its parents."
      error={problem}
      value={name}
      onInput={(text) => onInput(text.trim())}
      required
      autoFocus
    />
  );
}

interface ParentChoiceProps {
  readonly role: string;
  readonly parents: Parents;
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

function ParentChoice({ role, parents, chosen, onChange }: ParentChoiceProps) {
  const [search, setSearch] = useState("");
  const levels = levelsOf(role, parents);
  // A role cannot inherit from itself or from a role that inherits from it.
  const excluded = new Set(levels.slice(levels.findIndex((level) => level.includes(role))).flat());
  const text = search.trim().toLowerCase();
  const offered = allRoles.value.filter((name) => !excluded.has(name) && name.toLowerCase().includes(text));
  return (
    <fieldset class="stack">
      <div class="spread">
        <legend class="field-label">
          Parents<span class="muted">{` ${chosen.length} chosen`}</span>
        </legend>
        <TextField
          label="Search roles"
          isBare
          type="search"
          placeholder="Search roles…"
          value={search}
          onInput={setSearch}
        />
      </div>
      <div class="column-choice parent-choice">
        {offered.map((name) => (
          <CheckField
            key={name}
            label={<bdi title={name}>{name}</bdi>}
            checked={chosen.includes(name)}
            onChange={(isChosen) => onChange(isChosen ? [...chosen, name] : chosen.filter((each) => each !== name))}
          />
        ))}
      </div>
    </fieldset>
  );
}

interface DeletionProps {
  readonly role: InheritedRole;
  readonly onClose: () => void;
}

export function InheritedRoleDeletion({ role: { role_name: name }, onClose }: DeletionProps) {
  return (
    <ChangeDialog
      title={`Delete inherited role ${name}`}
      operation={{ type: "drop_inherited_role", args: { role_name: name } }}
      roles={[name]}
      notice={`Deleted the inherited role ${name}`}
      deleteLabel="Delete inherited role"
      onClose={onClose}
    >
      <p>
        Requests with the role <bdi>{name}</bdi> lose the permissions of its parents. Permissions of the role itself
        stay.
      </p>
    </ChangeDialog>
  );
}
