/** Editor of one permission with a preview of the effect and of matching rows. Only previewed changes can be saved. */
import { useEffect, useState } from "preact/hooks";
import type { ColumnInfo } from "../../http/data-api.ts";
import { parseRaw } from "../../http/json.ts";
import type { Operation } from "../../http/metadata-api.ts";
import type { JsonObject, Permission } from "../../http/metadata-types.ts";
import { type MetadataPlan, planMetadata } from "../../http/plan-api.ts";
import { Button } from "../../parts/button.tsx";
import { Empty, Loading } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { notify } from "../../parts/toast.tsx";
import { asOne, changeMetadata } from "../../state/metadata.ts";
import { columnsOf, emptyPermissions, operationsFor, type PermissionLocation } from "./draft.ts";
import { MatchingRows } from "./matching-rows.tsx";
import { PermissionForm } from "./permission-form.tsx";
import { PlanView } from "./plan-view.tsx";

interface ActionEditorProps {
  readonly location: PermissionLocation;
  /** Saved permission; `null` for none. */
  readonly before: Permission | null;
  readonly columns: readonly ColumnInfo[];
}

export function ActionEditor({ location, before, columns }: ActionEditorProps) {
  const saved = before?.permission ?? null;
  const [draft, setDraft] = useState<JsonObject | null>(saved);
  const [problem, setProblem] = useState<string | null>(null);
  const [tab, setTab] = useState<"plan" | "rows">("plan");
  const tableLocation = { source: location.source.name, kind: location.source.kind, table: location.table };
  const isChanged = JSON.stringify(draft) !== JSON.stringify(saved);
  const operations = isChanged ? operationsFor(location, { before, after: draft }) : [];
  const planned = usePlan(problem === null ? operations : [], location.role);
  const filter = (location.action === "insert" ? draft?.check : draft?.filter) ?? {};
  return (
    <div class="permission-panes">
      <section class="permission-form" aria-label="Permission">
        {draft ? (
          <PermissionForm
            location={tableLocation}
            action={location.action}
            permission={draft}
            columns={columns}
            onChange={setDraft}
            onProblem={setProblem}
          />
        ) : (
          <Empty title={`${location.role} has no ${location.action} permission`}>
            <Button
              icon="add"
              kind={saved ? "plain" : "primary"}
              onClick={() => setDraft(saved ?? emptyPermissions[location.action])}
            >
              {saved ? "Restore permission" : `Allow ${location.action}`}
            </Button>
          </Empty>
        )}
        {problem !== null && <ErrorBox error={new Error(problem)} />}
        <SaveBar
          location={location}
          operations={operations}
          planned={planned}
          canRemove={saved !== null && draft !== null}
          onRemove={() => setDraft(null)}
          onReset={() => setDraft(saved)}
        />
      </section>
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
          {tab === "plan" && <Effects isChanged={isChanged} planned={planned} />}
          {tab === "rows" && (
            <MatchingRows
              location={tableLocation}
              filter={filter}
              columns={draft && location.action === "select" ? visibleColumns(draft, columns) : []}
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

interface Planned {
  /** Plan of the current operations; `null` until loaded. */
  readonly plan: MetadataPlan | null;
  readonly error: unknown;
}

const debounceMilliseconds = 350;

/** Loads the plan of the operations, debounced. */
function usePlan(operations: readonly Operation[], role: string): Planned {
  const key = JSON.stringify(operations);
  const [found, setFound] = useState<Planned & { readonly key: string }>({ key, plan: null, error: null });
  useEffect(() => {
    const requested = parseRaw(key) as readonly Operation[];
    if (requested.length === 0) return;
    let isOutdated = false;
    const timer = setTimeout(() => {
      planMetadata([asOne(requested)], [role]).then(
        (plan) => {
          if (!isOutdated) setFound({ key, plan, error: null });
        },
        (error: unknown) => {
          if (!isOutdated) setFound({ key, plan: null, error });
        },
      );
    }, debounceMilliseconds);
    return () => {
      isOutdated = true;
      clearTimeout(timer);
    };
  }, [key, role]);
  return found.key === key ? found : { plan: null, error: null };
}

function Effects({ isChanged, planned: { plan, error } }: { readonly isChanged: boolean; readonly planned: Planned }) {
  if (!isChanged) {
    return (
      <Empty title="No changes">
        <p>The preview shows which roles gain access and which generated code changes.</p>
      </Empty>
    );
  }
  if (error !== null) {
    return (
      <div class="plan">
        <ErrorBox error={error} />
      </div>
    );
  }
  return plan ? <PlanView plan={plan} /> : <Loading item="preview" />;
}

interface SaveBarProps {
  readonly location: PermissionLocation;
  readonly operations: readonly Operation[];
  readonly planned: Planned;
  readonly canRemove: boolean;
  readonly onRemove: () => void;
  readonly onReset: () => void;
}

function SaveBar({ location, operations, planned: { plan }, canRemove, onRemove, onReset }: SaveBarProps) {
  const [error, setError] = useState<unknown>(null);
  const [isSaving, setSaving] = useState(false);
  const widens = plan !== null && plan.summary.widens + plan.summary.may_widen > 0;
  const save = async (): Promise<void> => {
    if (!plan) return;
    setSaving(true);
    setError(null);
    try {
      // The version makes the server reject the change if the metadata differs from the preview.
      await changeMetadata(operations, plan.resource_version);
      notify(`Saved the ${location.action} permission of ${location.role} on ${location.table.name}`);
    } catch (thrown) {
      setError(thrown);
    } finally {
      setSaving(false);
    }
  };
  return (
    <div class="save-bar stack">
      {error !== null && <ErrorBox error={error} />}
      <div class="row">
        <Button kind="primary" disabled={!plan} busy={isSaving} onClick={() => void save()}>
          {widens ? "Save and widen access" : "Save"}
        </Button>
        <Button disabled={operations.length === 0} onClick={onReset}>
          Discard changes
        </Button>
        {canRemove && (
          <Button kind="danger" icon="remove" onClick={onRemove}>
            Delete permission
          </Button>
        )}
      </div>
    </div>
  );
}
