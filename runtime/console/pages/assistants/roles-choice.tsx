/** Choice of the roles that may call a tool, with a search. */
import { useState } from "preact/hooks";
import { operationRoles } from "../../http/rest-api.ts";
import { CheckField, TextField } from "../../parts/field.tsx";
import { useLoaded } from "../../parts/use-loaded.ts";
import { roles as knownRoles, resourceVersion } from "../../state/metadata.ts";

interface RolesChoiceProps {
  readonly operation: { readonly collection: string; readonly query: string };
  /** `null` for every role that can run the operation. */
  readonly value: readonly string[] | null;
  readonly onChange: (value: readonly string[] | null) => void;
}

/** Number of roles that are shown. The search finds the others. */
const maxShown = 50;

export function RolesChoice({ operation: { collection, query }, value, onChange }: RolesChoiceProps) {
  const [search, setSearch] = useState("");
  const key = JSON.stringify([collection, query, resourceVersion.value]);
  // Without this list, all roles can still be chosen.
  const { value: able } = useLoaded(() => operationRoles(collection, query), key);
  const runs = able && new Set([...able.roles, ...able.backend_roles]);
  const all = [...new Set([...(value ?? []), ...knownRoles.value, "admin"])].sort();
  const text = search.trim().toLowerCase();
  const found = all.filter((role) => role.toLowerCase().includes(text));
  return (
    <fieldset class="stack tool-roles">
      <legend class="field-label">Roles</legend>
      <CheckField
        label="Every role that can run the operation"
        checked={value === null}
        onChange={(isEvery) => onChange(isEvery ? null : [])}
      />
      {value === null && able && (
        <p class="field-hint">
          At present: <bdi>{able.roles.length === 0 ? "none" : able.roles.join(", ")}</bdi>
        </p>
      )}
      {value !== null && (
        <>
          <TextField
            label="Search roles"
            isBare
            type="search"
            placeholder="Search roles"
            value={search}
            error={value.length === 0 ? "Choose at least one role." : null}
            onInput={setSearch}
          />
          <div class="tool-role-list">
            {found.slice(0, maxShown).map((role) => (
              <CheckField
                key={role}
                label={
                  <>
                    <bdi>{role}</bdi>
                    {runs && !runs.has(role) && <span class="muted"> · cannot run the operation</span>}
                  </>
                }
                checked={value.includes(role)}
                onChange={(isChosen) => onChange(isChosen ? [...value, role] : value.filter((each) => each !== role))}
              />
            ))}
          </div>
          {found.length === 0 && <p class="muted">No matches</p>}
          {found.length > maxShown && (
            <p class="muted">{`First ${maxShown} of ${found.length.toLocaleString()}. Search for others.`}</p>
          )}
        </>
      )}
    </fieldset>
  );
}
