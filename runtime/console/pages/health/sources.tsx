/** The databases: which of them answer. */
import { type DatabaseHealth, sourcesHealth } from "../../http/health-api.ts";
import { Button } from "../../parts/button.tsx";
import { Loading } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { useLoaded } from "../../parts/use-loaded.ts";
import { resourceVersion } from "../../state/metadata.ts";

export function Sources() {
  const { value, error, isLoading, reload } = useLoaded(sourcesHealth, String(resourceVersion.value));
  return (
    <section class="stack" aria-label="Databases">
      <div class="spread">
        <h2>Databases</h2>
        <Button icon="refresh" busy={isLoading} onClick={reload}>
          Ask again
        </Button>
      </div>
      {error !== null && <ErrorBox error={error} />}
      {!value && error === null && <Loading what="the state of the databases" />}
      {value && (
        <ul class="databases">
          {Object.entries(value.sources).map(([name, health]) => (
            <Database key={name} name={name} health={health} />
          ))}
          {value.metadata && <Database name="metadata" health={value.metadata} note="holds the metadata" />}
        </ul>
      )}
    </section>
  );
}

interface DatabaseProps {
  readonly name: string;
  readonly health: DatabaseHealth;
  readonly note?: string;
}

function Database({ name, health: { status, error }, note }: DatabaseProps) {
  return (
    <li class="database">
      <span class={status === "OK" ? "badge good" : "badge bad"}>
        {status === "OK" ? "answers" : "does not answer"}
      </span>
      <bdi>{name}</bdi>
      {note !== undefined && <span class="muted">{note}</span>}
      {error !== undefined && <bdi class="muted">{error}</bdi>}
    </li>
  );
}
