/** A table that the API does not know: what it is like, and a way to track it. */
import { useState } from "preact/hooks";
import { describeTable } from "../../http/data-api.ts";
import { prefixOf } from "../../http/metadata-api.ts";
import type { QualifiedName, Source } from "../../http/metadata-types.ts";
import { Button } from "../../parts/button.tsx";
import { Empty, Loading } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { tell } from "../../parts/toast.tsx";
import { useLoaded } from "../../parts/use-loaded.ts";
import { changeMetadata } from "../../state/metadata.ts";
import { kindText } from "./database-objects.ts";
import { Structure } from "./structure.tsx";

export function UntrackedTable({ source, table }: { readonly source: Source; readonly table: QualifiedName }) {
  const [error, setError] = useState<unknown>(null);
  const place = { source: source.name, kind: source.kind, table };
  const info = useLoaded(() => describeTable(place), JSON.stringify(place));
  const track = async (): Promise<void> => {
    try {
      await changeMetadata({ type: `${prefixOf(source.kind)}_track_table`, args: { source: source.name, table } });
      tell(`${table.name} is tracked: the API has it now.`);
    } catch (thrown) {
      setError(thrown);
    }
  };
  return (
    <div class="page full">
      <div class="spread">
        <h1>
          <bdi>{table.name}</bdi> <span class="badge">untracked</span>
          {info.value && info.value.kind !== "table" && <span class="badge">{kindText(info.value.kind)}</span>}
        </h1>
        <Button kind="primary" icon="add" onClick={() => void track()}>
          Track this table
        </Button>
      </div>
      {error !== null && <ErrorBox error={error} />}
      {info.error !== null && <ErrorBox error={info.error} />}
      {info.isLoading && <Loading what="the columns" />}
      {info.value && <Structure source={source} info={info.value} />}
      {!info.value && !info.isLoading && info.error === null && <Empty title="The database has no such table." />}
    </div>
  );
}
