/** One database: what is tracked, what could be, and a new table. */
import { useState } from "preact/hooks";
import { prefixOf } from "../../http/metadata-api.ts";
import type { QualifiedName, Source } from "../../http/metadata-types.ts";
import { Button } from "../../parts/button.tsx";
import { Loading } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { shownName } from "../../parts/table-name.ts";
import { tell } from "../../parts/toast.tsx";
import { Link } from "../../routing/link.tsx";
import { changeMetadata } from "../../state/metadata.ts";
import { CreateTable } from "./create-table.tsx";
import { databaseTables, keyOf, loadDatabaseTables, untrackedTables } from "./database-tables.ts";

export function SourceView({ source }: { readonly source: Source }) {
  const [isCreating, setCreating] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const known = databaseTables.value[source.name];
  const untracked = untrackedTables(source);
  const track = async (tables: readonly QualifiedName[]): Promise<void> => {
    setError(null);
    try {
      const args = { tables: tables.map((table) => ({ source: source.name, table })), allow_warnings: true };
      await changeMetadata({ type: `${prefixOf(source.kind)}_track_tables`, args });
      tell(
        tables.length === 1
          ? `${tables[0]?.name} is tracked: the API has it now.`
          : `${tables.length} tables are tracked.`,
      );
    } catch (thrown) {
      setError(thrown);
    }
  };
  return (
    <div class="scroll">
      <div class="page">
        <div class="spread">
          <h1>
            <bdi>{source.name}</bdi> <span class="badge">{source.kind}</span>
          </h1>
          <div class="row">
            <Button icon="refresh" kind="quiet" onClick={() => void loadDatabaseTables(source)}>
              Look again
            </Button>
            <Button icon="add" kind="primary" onClick={() => setCreating(true)}>
              Create table
            </Button>
          </div>
        </div>
        {error !== null && <ErrorBox error={error} />}
        {known?.error && <ErrorBox error={known.error} />}
        <p class="muted">
          {source.tables.length === 1 ? "1 table is tracked." : `${source.tables.length} tables are tracked.`}
        </p>
        <section class="stack" aria-label="Untracked tables">
          <div class="spread">
            <h2>Untracked tables and views</h2>
            {untracked.length > 1 && (
              <Button onClick={() => void track(untracked)}>{`Track all ${untracked.length}`}</Button>
            )}
          </div>
          {!known && <Loading what="the tables of the database" />}
          {known && untracked.length === 0 && !known.error && (
            <p class="muted">Every table of the database is tracked.</p>
          )}
          <ul class="stack">
            {untracked.slice(0, mostListed).map((table) => (
              <li key={keyOf(table)} class="card spread list-card">
                <Link to={["data", source.name, table.schema, table.name]}>
                  <bdi>{shownName(source.kind, table)}</bdi>
                </Link>
                <Button icon="add" onClick={() => void track([table])} title={`Track ${table.name}`}>
                  Track
                </Button>
              </li>
            ))}
          </ul>
          {untracked.length > mostListed && (
            <p class="muted">{`And ${untracked.length - mostListed} more, in the list at the side.`}</p>
          )}
        </section>
      </div>
      {isCreating && <CreateTable source={source} onClose={() => setCreating(false)} />}
    </div>
  );
}

const mostListed = 100;
