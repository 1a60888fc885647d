/** Inconsistent metadata objects with reasons, reload and deletion. */
import { useState } from "preact/hooks";
import { inconsistentMetadata } from "../../http/metadata-api.ts";
import type { InconsistentObject } from "../../http/metadata-types.ts";
import { Button } from "../../parts/button.tsx";
import { capitalized } from "../../parts/cell-text.ts";
import { CodeView } from "../../parts/code-view.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Loading } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { notify } from "../../parts/toast.tsx";
import { useLoaded } from "../../parts/use-loaded.ts";
import { changeMetadata, resourceVersion } from "../../state/metadata.ts";

export function Inconsistent() {
  const { value, error, reload } = useLoaded(inconsistentMetadata, String(resourceVersion.value));
  const [failure, setFailure] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const [isConfirming, setConfirming] = useState(false);
  const change = async (type: string, args: unknown, done: string): Promise<void> => {
    setBusy(true);
    setFailure(null);
    try {
      await changeMetadata({ type, args });
      notify(done);
    } catch (thrown) {
      setFailure(thrown);
    }
    setBusy(false);
    reload();
  };
  const reloadAll = () =>
    change("reload_metadata", { reload_sources: true, reload_remote_schemas: true }, "Reloaded the metadata");
  return (
    <section class="stack" aria-label="Inconsistent objects">
      <div class="spread">
        <h2>Inconsistent objects</h2>
        <Button icon="refresh" busy={isBusy} onClick={() => void reloadAll()}>
          Reload metadata
        </Button>
      </div>
      {failure !== null && <ErrorBox error={failure} />}
      {error !== null && <ErrorBox error={error} />}
      {!value && error === null && <Loading item="metadata status" />}
      {value?.length === 0 && (
        <p>
          <span class="badge good">Consistent</span> The metadata has no inconsistent objects.
        </p>
      )}
      {value
        ?.filter(({ caused_by }) => !value.some(({ name }) => name === caused_by))
        .map((object) => (
          <Problem
            key={`${object.type} ${object.name} ${object.reason}`}
            object={object}
            dependents={value.filter(({ caused_by }) => caused_by !== undefined && caused_by === object.name)}
          />
        ))}
      {value && value.length > 0 && (
        <div class="row">
          <Button kind="danger" icon="remove" onClick={() => setConfirming(true)}>
            Delete inconsistent objects
          </Button>
        </div>
      )}
      {isConfirming && (
        <Dialog
          title={`Delete ${value?.length === 1 ? "1 inconsistent object" : `${value?.length ?? 0} inconsistent objects`}?`}
          onClose={() => setConfirming(false)}
          footer={
            <>
              <Button onClick={() => setConfirming(false)}>Cancel</Button>
              <Button
                kind="danger"
                onClick={() => {
                  setConfirming(false);
                  void change("drop_inconsistent_metadata", {}, "Deleted the inconsistent objects");
                }}
              >
                Delete
              </Button>
            </>
          }
        >
          <p>Their permissions and relationships are deleted too. Databases and remote servers are not changed.</p>
        </Dialog>
      )}
    </section>
  );
}

interface ProblemProps {
  readonly object: InconsistentObject;
  /** Objects that are inconsistent because of this one. */
  readonly dependents: readonly InconsistentObject[];
}

function Problem({ object: { type, name, reason, hint, definition }, dependents }: ProblemProps) {
  return (
    <article class="problem card">
      <p>
        <span class="badge bad">{capitalized(type.replaceAll("_", " "))}</span> <bdi class="problem-name">{name}</bdi>
      </p>
      <p>
        <bdi>{reason}</bdi>
      </p>
      {hint !== undefined && <p class="muted">{hint}</p>}
      {dependents.length > 0 && (
        <details>
          <summary>{dependents.length === 1 ? "1 dependent object" : `${dependents.length} dependent objects`}</summary>
          <ul>
            {dependents.map((dependent) => (
              <li key={`${dependent.name} ${dependent.reason}`}>
                <bdi>{dependent.name}</bdi>: <bdi>{dependent.reason}</bdi>
              </li>
            ))}
          </ul>
        </details>
      )}
      {definition !== undefined && (
        <details>
          <summary>Definition</summary>
          <div class="problem-code">
            <CodeView text={JSON.stringify(definition, null, 2)} language="json" label={`Definition of ${name}`} />
          </div>
        </details>
      )}
    </article>
  );
}
