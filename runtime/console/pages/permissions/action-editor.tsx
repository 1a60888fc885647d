/** One permission: what it says at the left; what it would change, and which rows pass, at the right. Nothing is saved unseen. */
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
import { tell } from "../../parts/toast.tsx";
import { asOne, changeMetadata } from "../../state/metadata.ts";
import { columnsOf, emptyPermissions, operationsFor, type PermissionPlace } from "./draft.ts";
import { PermissionForm } from "./permission-form.tsx";
import { PlanView } from "./plan-view.tsx";
import { TryRows } from "./try-rows.tsx";

interface ActionEditorProps {
  readonly place: PermissionPlace;
  /** What is saved. */
  readonly before: Permission | null;
  readonly columns: readonly ColumnInfo[];
}

export function ActionEditor({ place, before, columns }: ActionEditorProps) {
  const saved = before?.permission ?? null;
  const [draft, setDraft] = useState<JsonObject | null>(saved);
  const [problem, setProblem] = useState<string | null>(null);
  const [tab, setTab] = useState<"plan" | "rows">("plan");
  const tablePlace = { source: place.source.name, kind: place.source.kind, table: place.table };
  const isChanged = JSON.stringify(draft) !== JSON.stringify(saved);
  const operations = isChanged ? operationsFor(place, { before, after: draft }) : [];
  const planned = usePlan(problem === null ? operations : [], place.role);
  const filter = (place.action === "insert" ? draft?.check : draft?.filter) ?? {};
  return (
    <div class="permission-panes">
      <section class="permission-form" aria-label="Permission">
        {draft ? (
          <PermissionForm
            place={tablePlace}
            action={place.action}
            permission={draft}
            columns={columns}
            onChange={setDraft}
            onProblem={setProblem}
          />
        ) : (
          <Empty title={`${place.role} may not ${place.action}.`}>
            <Button
              icon="add"
              kind={saved ? "plain" : "primary"}
              onClick={() => setDraft(saved ?? emptyPermissions[place.action])}
            >
              {saved ? "Keep the permission" : `Allow ${place.action}`}
            </Button>
          </Empty>
        )}
        {problem !== null && <ErrorBox error={new Error(problem)} />}
        <SaveBar
          place={place}
          operations={operations}
          planned={planned}
          canRemove={saved !== null && draft !== null}
          onRemove={() => setDraft(null)}
          onReset={() => setDraft(saved)}
        />
      </section>
      <section class="permission-effects" aria-label="Effects">
        <Tabs<"plan" | "rows">
          label="Effects"
          tabs={[
            { name: "plan", label: "What it changes" },
            { name: "rows", label: "Rows that pass" },
          ]}
          current={tab}
          onChange={setTab}
        >
          {tab === "plan" && <Effects isChanged={isChanged} planned={planned} />}
          {tab === "rows" && (
            <TryRows
              place={tablePlace}
              filter={filter}
              columns={draft && place.action === "select" ? visibleColumns(draft, columns) : []}
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
  /** Of the operations that are given now; `null`: not there yet. */
  readonly plan: MetadataPlan | null;
  readonly error: unknown;
}

const quietMilliseconds = 350;

/** Asks what operations would do, once they have been the same for a moment. */
function usePlan(operations: readonly Operation[], role: string): Planned {
  const key = JSON.stringify(operations);
  const [found, setFound] = useState<Planned & { readonly key: string }>({ key, plan: null, error: null });
  useEffect(() => {
    const wanted = parseRaw(key) as readonly Operation[];
    if (wanted.length === 0) return;
    let isOutdated = false;
    const timer = setTimeout(() => {
      planMetadata([asOne(wanted)], [role]).then(
        (plan) => {
          if (!isOutdated) setFound({ key, plan, error: null });
        },
        (error: unknown) => {
          if (!isOutdated) setFound({ key, plan: null, error });
        },
      );
    }, quietMilliseconds);
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
      <Empty title="Nothing is changed yet.">
        <p>What a change would do is shown here before it is saved: who may do more, and the code that differs.</p>
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
  return plan ? <PlanView plan={plan} /> : <Loading what="what would change" />;
}

interface SaveBarProps {
  readonly place: PermissionPlace;
  readonly operations: readonly Operation[];
  readonly planned: Planned;
  readonly canRemove: boolean;
  readonly onRemove: () => void;
  readonly onReset: () => void;
}

function SaveBar({ place, operations, planned: { plan }, canRemove, onRemove, onReset }: SaveBarProps) {
  const [error, setError] = useState<unknown>(null);
  const [isSaving, setSaving] = useState(false);
  const widens = plan !== null && plan.summary.widens + plan.summary.may_widen > 0;
  const save = async (): Promise<void> => {
    if (!plan) return;
    setSaving(true);
    setError(null);
    try {
      // Only what was shown is saved: metadata that changed meanwhile is looked at again.
      await changeMetadata(operations, plan.resource_version);
      tell(`Saved what ${place.role} may do with ${place.table.name}.`);
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
          {widens ? "Save, and widen access" : "Save"}
        </Button>
        <Button disabled={operations.length === 0} onClick={onReset}>
          Undo
        </Button>
        {canRemove && (
          <Button kind="danger" icon="remove" onClick={onRemove}>
            Take away
          </Button>
        )}
      </div>
    </div>
  );
}
