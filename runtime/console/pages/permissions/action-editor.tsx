/** Editor of one permission with a preview of the effect and of matching rows. Only previewed changes can be saved. */
import { useState } from "preact/hooks";
import type { ColumnInfo, TableInfo } from "../../http/data-api.ts";
import type { JsonObject, Permission } from "../../http/metadata-types.ts";
import { Button } from "../../parts/button.tsx";
import { Empty } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { Form } from "../../parts/form.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { asOne } from "../../state/metadata.ts";
import { columnsOf, emptyPermissions, operationsFor, type PermissionLocation } from "./draft.ts";
import { Effects } from "./effects.tsx";
import { MatchingRows } from "./matching-rows.tsx";
import { PermissionForm } from "./permission-form.tsx";
import { ProblemsContext, useProblems } from "./problems.ts";
import { SessionVariableList } from "./session-variables.tsx";
import { saveLabel, unavailableSave, usePlan, usePlannedSave } from "./use-plan.ts";

interface ActionEditorProps {
  readonly location: PermissionLocation;
  /** Saved permission; `null` for none. */
  readonly before: Permission | null;
  readonly info: TableInfo;
  /** Names of the computed fields that a select permission may list. */
  readonly computedFields: readonly string[];
}

export function ActionEditor({ location, before, info, computedFields }: ActionEditorProps) {
  const { action, role } = location;
  const saved = before?.permission ?? null;
  const [draft, setDraft] = useState<JsonObject | null>(saved);
  const [discards, setDiscards] = useState(0);
  const [tab, setTab] = useState<"plan" | "rows">("plan");
  const problems = useProblems();
  const tableLocation = { source: location.source.name, kind: location.source.kind, table: location.table };
  const columns = info.columns.map(({ name }) => name);
  const isChanged = JSON.stringify(draft) !== JSON.stringify(saved);
  const isInvalid = problems.list.length > 0;
  const operations = isChanged && !isInvalid ? operationsFor(location, { before, after: draft }) : [];
  const planned = usePlan(operations.length === 0 ? [] : [asOne(operations)], [role]);
  const filter = draft && ((action === "insert" ? draft.check : draft.filter) ?? {});
  const { save, error, isSaving } = usePlannedSave(planned.plan);
  const submit = () => void save(operations, `Saved the ${action} permission of ${role} on ${location.table.name}`);
  return (
    <div class="permission-panes">
      <Form class="permission-form" label="Permission" onSubmit={submit}>
        {draft ? (
          <ProblemsContext.Provider value={problems.registry}>
            <SessionVariableList />
            <PermissionForm
              key={discards}
              location={tableLocation}
              action={action}
              role={role}
              permission={draft}
              info={info}
              computedFields={computedFields}
              onChange={setDraft}
            />
          </ProblemsContext.Provider>
        ) : (
          <Empty title={`${role} has no ${action} permission`}>
            <div class="row">
              <Button
                icon="add"
                kind={saved ? "plain" : "primary"}
                onClick={() => setDraft(saved ?? emptyPermissions[action])}
              >
                {saved ? "Restore permission" : `Allow ${action}`}
              </Button>
              {!saved && action !== "delete" && (
                <Button onClick={() => setDraft({ ...emptyPermissions[action], columns })}>
                  {`Allow ${action} of all columns`}
                </Button>
              )}
            </div>
          </Empty>
        )}
        <div class="save-bar stack">
          {error !== null && <ErrorBox error={error} />}
          <div class="row">
            <Button
              kind="primary"
              type="submit"
              unavailable={unavailableSave(planned, isChanged, isInvalid)}
              busy={isSaving}
            >
              {saveLabel(planned.plan)}
            </Button>
            <Button
              unavailable={!isChanged && !isInvalid && "Nothing has changed."}
              onClick={() => {
                setDraft(saved);
                setDiscards(discards + 1);
              }}
            >
              Discard changes
            </Button>
            {saved !== null && draft !== null && (
              <Button kind="danger" icon="remove" onClick={() => setDraft(null)}>
                Delete permission
              </Button>
            )}
          </div>
        </div>
      </Form>
      <section class="permission-effects" aria-label="Preview">
        <Tabs<"plan" | "rows">
          label="Preview sections"
          tabs={[
            { name: "plan", label: "Changes" },
            { name: "rows", label: "Matching rows" },
          ]}
          current={tab}
          onChange={setTab}
        >
          {tab === "plan" && <Effects isChanged={isChanged} isInvalid={isInvalid} planned={planned} />}
          {tab === "rows" && (
            <MatchingRows
              location={tableLocation}
              filter={filter}
              role={role}
              columns={draft && action === "select" ? visibleColumns(draft, info.columns) : []}
            />
          )}
        </Tabs>
      </section>
    </div>
  );
}

function visibleColumns(permission: JsonObject, columns: readonly ColumnInfo[]): readonly string[] {
  const chosen = columnsOf(permission);
  return chosen === "*" ? columns.map(({ name }) => name) : chosen;
}
