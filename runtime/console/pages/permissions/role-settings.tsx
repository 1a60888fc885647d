/** Settings of a role outside of its permissions: introspection, API limits, allow-list. */
import { useState } from "preact/hooks";
import type { Operation } from "../../http/metadata-api.ts";
import type { Metadata } from "../../http/metadata-types.ts";
import { Button } from "../../parts/button.tsx";
import { Empty } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { CheckField, SelectField } from "../../parts/field.tsx";
import { Form } from "../../parts/form.tsx";
import { metadata, resourceVersion } from "../../state/metadata.ts";
import { Effects } from "./effects.tsx";
import { LimitFields } from "./limit-fields.tsx";
import { allRoles } from "./new-roles.ts";
import { ProblemsContext, useProblems } from "./problems.ts";
import { type Allowance, draftOf, type RoleDraft, roleOperations } from "./role-change.ts";
import { saveLabel, unavailableSave, usePlan, usePlannedSave } from "./use-plan.ts";

export function RoleSettings() {
  const [chosen, setChosen] = useState<string | null>(null);
  const names = allRoles.value;
  const role = chosen !== null && names.includes(chosen) ? chosen : names[0];
  if (!metadata.value || role === undefined) {
    return (
      <Empty title="No roles">
        <p class="empty-text">Add a role on the tab Tables. Its limits and its allow-list are set here.</p>
      </Empty>
    );
  }
  return (
    <div class="with-head">
      <div class="toolbar">
        <SelectField
          label="Role"
          isBare
          value={role}
          choices={names.map((name) => ({ value: name, label: name }))}
          onChange={setChosen}
        />
        <span class="muted">Introspection, API limits and allow-list</span>
      </div>
      <SettingsForm key={`${role} ${resourceVersion.value}`} role={role} metadata={metadata.value} />
    </div>
  );
}

function SettingsForm({ role, metadata: saved }: { readonly role: string; readonly metadata: Metadata }) {
  const [draft, setDraft] = useState<RoleDraft>(() => draftOf(saved, role));
  const [discards, setDiscards] = useState(0);
  const problems = useProblems();
  const isInvalid = problems.list.length > 0;
  const operations = roleOperations(saved, role, draft, allRoles.value);
  const isChanged = operations.length > 0;
  const planned = usePlan(isInvalid ? [] : operations, [role]);
  const { save, error, isSaving } = usePlannedSave(planned.plan);
  const submit = () => void save(together(operations), `Saved the settings of ${role}`);
  return (
    <div class="permission-panes">
      <Form class="permission-form" label="Role settings" onSubmit={submit}>
        <ProblemsContext.Provider value={problems.registry}>
          <div class="form-part">
            <CheckField
              label="Allow introspection of the GraphQL schema"
              checked={draft.introspection}
              onChange={(introspection) => setDraft({ ...draft, introspection })}
            />
          </div>
          <LimitFields
            key={discards}
            role={role}
            limits={draft.limits}
            onChange={(limits) => setDraft({ ...draft, limits })}
          />
          <AllowList
            draft={draft}
            role={role}
            onChange={(collection, allowance) =>
              setDraft({ ...draft, allowances: new Map([...draft.allowances, [collection, allowance]]) })
            }
          />
        </ProblemsContext.Provider>
        <div class="save-bar stack">
          {error !== null && <ErrorBox error={error} />}
          <div class="row">
            <Button
              kind="primary"
              unavailable={unavailableSave(planned, isChanged, isInvalid)}
              busy={isSaving}
              type="submit"
            >
              {saveLabel(planned.plan)}
            </Button>
            <Button
              unavailable={!isChanged && !isInvalid && "Nothing has changed."}
              onClick={() => {
                setDraft(draftOf(saved, role));
                setDiscards(discards + 1);
              }}
            >
              Discard changes
            </Button>
          </div>
        </div>
      </Form>
      <section class="permission-effects settings-effects" aria-label="Preview">
        <Effects isChanged={isChanged} isInvalid={isInvalid} planned={planned} />
      </section>
    </div>
  );
}

/** Combines operations that `bulk_atomic` does not accept. */
const together = (operations: readonly Operation[]): Operation => {
  const [only, ...others] = operations;
  return only && others.length === 0 ? only : { type: "bulk", args: operations };
};

interface AllowListProps {
  readonly draft: RoleDraft;
  readonly role: string;
  readonly onChange: (collection: string, allowance: Allowance) => void;
}

function AllowList({ draft, role, onChange }: AllowListProps) {
  return (
    <fieldset class="form-part stack">
      <legend class="field-label">Allow-list</legend>
      <p class="field-hint">
        With the server option <code>--enable-allowlist</code>, a role runs only the saved operations of these query
        collections.
      </p>
      {draft.allowances.size === 0 && <p class="muted">No query collections. Save an operation on the API page.</p>}
      {[...draft.allowances].map(([collection, allowance]) => (
        <SelectField<Allowance>
          key={collection}
          label={collection}
          value={allowance}
          choices={[
            { value: "none", label: `Not for ${role}` },
            { value: "role", label: `Only for some roles, including ${role}` },
            { value: "all", label: "For all roles" },
          ]}
          onChange={(chosen) => onChange(collection, chosen)}
        />
      ))}
    </fieldset>
  );
}
