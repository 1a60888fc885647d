/** Objects of the metadata that do not work, why, and what can be done. */
import { useState } from "preact/hooks";
import { inconsistentMetadata } from "../../http/metadata-api.ts";
import type { InconsistentObject } from "../../http/metadata-types.ts";
import { Button } from "../../parts/button.tsx";
import { CodeView } from "../../parts/code-view.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Loading } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { tell } from "../../parts/toast.tsx";
import { useLoaded } from "../../parts/use-loaded.ts";
import { changeMetadata, resourceVersion } from "../../state/metadata.ts";

export function Inconsistent() {
  const { value, error, reload } = useLoaded(inconsistentMetadata, String(resourceVersion.value));
  const [failure, setFailure] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const change = async (type: string, args: unknown, done: string): Promise<void> => {
    setBusy(true);
    setFailure(null);
    try {
      await changeMetadata({ type, args });
      tell(done);
    } catch (thrown) {
      setFailure(thrown);
    }
    setBusy(false);
    reload();
  };
  const lookAgain = () =>
    change("reload_metadata", { reload_sources: true, reload_remote_schemas: true }, "Everything was looked at anew.");
  return (
    <section class="stack" aria-label="Inconsistent objects">
      <div class="spread">
        <h2>Inconsistent objects</h2>
        <Button icon="refresh" busy={isBusy} onClick={() => void lookAgain()}>
          Look again
        </Button>
      </div>
      {failure !== null && <ErrorBox error={failure} />}
      {error !== null && <ErrorBox error={error} />}
      {!value && error === null && <Loading what="the state of the metadata" />}
      {value?.length === 0 && (
        <p>
          <span class="badge good">consistent</span> Everything in the metadata works.
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
          <Button kind="danger" icon="remove" onClick={() => setAsking(true)}>
            Take them out of the metadata
          </Button>
        </div>
      )}
      {isAsking && (
        <Dialog
          title={`Take ${value?.length ?? 0} objects out of the metadata?`}
          onClose={() => setAsking(false)}
          footer={
            <>
              <Button onClick={() => setAsking(false)}>Cancel</Button>
              <Button
                kind="danger"
                onClick={() => {
                  setAsking(false);
                  void change("drop_inconsistent_metadata", {}, "They were taken out of the metadata.");
                }}
              >
                Take them out
              </Button>
            </>
          }
        >
          <p>Their permissions and relationships go with them. Databases and remote servers stay as they are.</p>
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
        <span class="badge bad">{type}</span> <bdi class="problem-name">{name}</bdi>
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
