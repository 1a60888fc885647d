/** Inconsistent metadata objects, causes first, each with a link to its page and what repairs it. */
import { useState } from "preact/hooks";
import { jsonText } from "../../http/json.ts";
import { inconsistentMetadata } from "../../http/metadata-api.ts";
import type { InconsistentObject } from "../../http/metadata-types.ts";
import type { Operation } from "../../http/operation.ts";
import { Button } from "../../parts/button.tsx";
import { capitalized } from "../../parts/cell-text.ts";
import { CodeView } from "../../parts/code-view.tsx";
import { ConfirmButton } from "../../parts/confirm.tsx";
import { Loading } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { notify } from "../../parts/toast.tsx";
import { useLoaded } from "../../parts/use-loaded.ts";
import { Link } from "../../routing/link.tsx";
import { changeMetadata, resourceVersion } from "../../state/metadata.ts";
import { deletionOf, pageOf, reloadOf, trackingOf } from "./object-actions.ts";

/** Maximum number of displayed objects, of dependents of one object, and of names in the confirmation. */
const maxShown = 100;

/** Runs an operation, shows the notice, and loads the list again. */
type Change = (operation: Operation, notice: string) => Promise<void>;

export function Inconsistent() {
  const { value, error, reload } = useLoaded(inconsistentMetadata, String(resourceVersion.value));
  const [failure, setFailure] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  /** Rejects, for dialogs that show the error. */
  const change: Change = async (operation, notice) => {
    await changeMetadata(operation);
    notify(notice);
    reload();
  };
  const run: Change = async (operation, notice) => {
    setBusy(true);
    setFailure(null);
    await change(operation, notice).catch(setFailure);
    setBusy(false);
  };
  const reloadAll = { type: "reload_metadata", args: { reload_sources: true, reload_remote_schemas: true } };
  const names = new Set(value?.map(({ name }) => name));
  const causes = value?.filter(({ caused_by }) => caused_by === undefined || !names.has(caused_by)) ?? [];
  return (
    <section class="page full" aria-label="Inconsistent objects">
      <div class="spread">
        <h1>Inconsistent objects</h1>
        <div class="row">
          {value && value.length > 0 && <DeleteAll objects={value} change={change} />}
          <Button icon="refresh" busy={isBusy} onClick={() => void run(reloadAll, "Reloaded the metadata")}>
            Reload metadata
          </Button>
        </div>
      </div>
      {failure !== null && <ErrorBox error={failure} />}
      {error !== null && <ErrorBox error={error} />}
      {!value && error === null && <Loading item="metadata status" />}
      {value?.length === 0 && (
        <p>
          <span class="badge good">Consistent</span> The metadata has no inconsistent objects.
        </p>
      )}
      {value &&
        causes
          .slice(0, maxShown)
          .map((object) => (
            <Problem
              key={`${titleOf(object)} ${object.reason}`}
              object={object}
              dependents={value.filter(({ caused_by }) => caused_by !== undefined && caused_by === object.name)}
              change={change}
              run={run}
            />
          ))}
      {causes.length > maxShown && <p class="muted">{`${(causes.length - maxShown).toLocaleString()} more`}</p>}
    </section>
  );
}

/** Returns the name of an entry; several objects that are inconsistent together have none of their own. */
function titleOf({ name, type, objects = [], conflicts = [] }: InconsistentObject): string {
  if (name !== undefined) return name;
  const names = [...objects, ...conflicts].map((each) => each.name);
  return names.length > 0 ? names.join(", ") : `${type ?? "Objects"} of the metadata`;
}

interface DeleteAllProps {
  readonly objects: readonly InconsistentObject[];
  readonly change: Change;
}

function DeleteAll({ objects, change }: DeleteAllProps) {
  const drop = { type: "drop_inconsistent_metadata", args: {} };
  const count =
    objects.length === 1 ? "1 inconsistent object" : `${objects.length.toLocaleString()} inconsistent objects`;
  return (
    <ConfirmButton
      label="Delete all"
      title={`Delete ${count}?`}
      icon="remove"
      onConfirm={() => change(drop, `Deleted ${count}`)}
    >
      <p>Their permissions and relationships are deleted, too. Databases and remote servers do not change.</p>
      <ul class="metadata-names">
        {objects.slice(0, maxShown).map((object) => (
          <li key={`${titleOf(object)} ${object.reason}`}>
            <bdi>{titleOf(object)}</bdi>
          </li>
        ))}
        {objects.length > maxShown && <li>{`${(objects.length - maxShown).toLocaleString()} more`}</li>}
      </ul>
    </ConfirmButton>
  );
}

interface ProblemProps {
  readonly object: InconsistentObject;
  /** Objects that are inconsistent because of this one. */
  readonly dependents: readonly InconsistentObject[];
  readonly change: Change;
  /** As `change`, but shows the error on the page. */
  readonly run: Change;
}

function Problem({ object, dependents, change, run }: ProblemProps) {
  const { type, reason, hint, definition } = object;
  const title = titleOf(object);
  return (
    <article class="metadata-problem card" aria-label={title}>
      <div class="spread">
        <p>
          <span class="badge bad">{capitalized((type ?? "conflict").replaceAll("_", " "))}</span>{" "}
          <bdi class="metadata-problem-name">{title}</bdi>
        </p>
        <Actions object={object} dependents={dependents} change={change} run={run} />
      </div>
      <p>
        <bdi>{reason}</bdi>
      </p>
      {hint !== undefined && <p class="muted">{hint}</p>}
      {dependents.length > 0 && (
        <details>
          <summary>{countOf(dependents.length, "dependent object")}</summary>
          <ul>
            {dependents.slice(0, maxShown).map((dependent) => (
              <li key={`${titleOf(dependent)} ${dependent.reason}`}>
                <bdi>{titleOf(dependent)}</bdi>: <bdi>{dependent.reason}</bdi>
              </li>
            ))}
            {dependents.length > maxShown && <li>{`${(dependents.length - maxShown).toLocaleString()} more`}</li>}
          </ul>
        </details>
      )}
      {definition !== undefined && <Definition title={title} value={definition} />}
    </article>
  );
}

function Actions({ object: entry, dependents, change, run }: ProblemProps) {
  const { object, lacks = [] } = entry;
  // An entry without an identity covers several objects. The user selects one of them.
  if (!object || entry.name === undefined) return null;
  const { name } = entry;
  const page = pageOf(object);
  const reload = reloadOf(object);
  const deletion = deletionOf(
    object,
    dependents.flatMap((each) => each.object ?? []),
  );
  return (
    <div class="row">
      {page && (
        <Link {...page} title={`Go to ${name}`}>
          Go to
        </Link>
      )}
      {reload && (
        <Button icon="refresh" onClick={() => void run(reload, "Reloaded the metadata")}>
          Reload
        </Button>
      )}
      {trackingOf(lacks).map(({ table, operation }) => (
        <Button
          key={JSON.stringify(table)}
          icon="add"
          onClick={() => void run(operation, `Tracked ${table.schema}.${table.name}`)}
        >
          {`Track ${table.schema}.${table.name}`}
        </Button>
      ))}
      {deletion && (
        <ConfirmButton label="Delete" title={`Delete ${name}?`} onConfirm={() => change(deletion, `Deleted ${name}`)}>
          <p>
            {dependents.length > 0 && `Also deletes ${countOf(dependents.length, "dependent object")}. `}
            Databases and remote servers do not change.
          </p>
        </ConfirmButton>
      )}
    </div>
  );
}

const countOf = (count: number, name: string): string => `${count.toLocaleString()} ${name}${count === 1 ? "" : "s"}`;

/** Renders the definition once it is open, because there can be many. */
function Definition({ title, value }: { readonly title: string; readonly value: unknown }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Definition</summary>
      {isOpen && (
        <div class="metadata-definition">
          <CodeView text={jsonText(value)} language="json" label={`Definition of ${title}`} />
        </div>
      )}
    </details>
  );
}
