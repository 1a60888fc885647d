/** SQL editor of a database with the result. */
import { useState } from "preact/hooks";
import { runSql, type SqlRows } from "../../http/metadata-api.ts";
import type { Source } from "../../http/metadata-types.ts";
import { saveMigration } from "../../http/project-api.ts";
import { Button } from "../../parts/button.tsx";
import { cellText } from "../../parts/cell-text.ts";
import { CodeEditor } from "../../parts/code-editor.tsx";
import { DataTable } from "../../parts/data-table.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Empty } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { CheckField, TextField } from "../../parts/field.tsx";
import { notify } from "../../parts/toast.tsx";
import { useSubmission } from "../../parts/use-submission.ts";
import { changeDatabase, isProjectConsole } from "../../state/change-database.ts";
import { loadMetadata } from "../../state/metadata.ts";
import { loadDatabaseObjects } from "./database-objects.ts";
import { mayChangeSchema } from "./schema-statements.ts";

type Outcome = { readonly rows: SqlRows; readonly milliseconds: number } | { readonly error: unknown };

export function SqlView({ source }: { readonly source: Source }) {
  const [sql, setSql] = useState("");
  const [isReadOnly, setReadOnly] = useState(false);
  const [isCascading, setCascading] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [lastRun, setLastRun] = useState<string | null>(null);
  const [saving, setSaving] = useState<{ readonly hasRun: boolean } | null>(null);
  const reload = () => Promise.all([loadMetadata(), loadDatabaseObjects(source)]);
  const run = async (): Promise<void> => {
    if (sql.trim() === "") return;
    if (isProjectConsole && !isReadOnly && mayChangeSchema(sql)) {
      setSaving({ hasRun: false });
      return;
    }
    setBusy(true);
    const begin = performance.now();
    try {
      const request = { source: source.name, kind: source.kind, sql, readOnly: isReadOnly, cascade: isCascading };
      const rows = await runSql(request);
      setOutcome({ rows, milliseconds: performance.now() - begin });
      setLastRun(isReadOnly ? null : sql);
      await reload();
    } catch (error) {
      setOutcome({ error });
    } finally {
      setBusy(false);
    }
  };
  return (
    <div class="with-head">
      <div class="toolbar">
        <h1>SQL</h1>
        <span class="muted">{source.name}</span>
        <Button kind="primary" icon="run" busy={isBusy} onClick={() => void run()}>
          Run
        </Button>
        {isProjectConsole && (
          <Button
            unavailable={sql.trim() === "" && "Write a statement."}
            onClick={() => setSaving({ hasRun: lastRun === sql })}
          >
            Save as migration
          </Button>
        )}
        <CheckField label="Read-only" checked={isReadOnly} onChange={setReadOnly} />
        <CheckField
          label="Drop dependent metadata"
          checked={isCascading}
          disabled={isReadOnly}
          onChange={setCascading}
        />
      </div>
      {saving && (
        <SaveMigration
          source={source}
          sql={sql}
          hasRun={saving.hasRun}
          isCascading={isCascading}
          onSaved={() => {
            setSaving(null);
            void reload();
          }}
          onClose={() => setSaving(null)}
        />
      )}
      <div class="sql-panes">
        <div class="sql-editor">
          <CodeEditor
            label="SQL"
            language="sql"
            value={sql}
            onChange={setSql}
            placeholder="select …   Ctrl+Enter to run. Tables that you rename or alter stay tracked."
            onSubmit={() => void run()}
          />
        </div>
        <section class="sql-result" aria-label="Result">
          <SqlOutcome outcome={outcome} />
        </section>
      </div>
    </div>
  );
}

function SqlOutcome({ outcome }: { readonly outcome: Outcome | null }) {
  if (!outcome) return <Empty title="No results yet" />;
  if ("error" in outcome) {
    return (
      <div class="result-error">
        <ErrorBox error={outcome.error} />
      </div>
    );
  }
  const [names = [], ...rows] = outcome.rows ?? [];
  const time = `${outcome.milliseconds.toFixed(0)} ms`;
  if (!outcome.rows) return <Empty title={`Completed in ${time} without rows`} />;
  return (
    <div class="with-head">
      <p class="result-facts" role="status">
        {`${rows.length} ${rows.length === 1 ? "row" : "rows"} in ${time}`}
      </p>
      <DataTable
        label="Result rows"
        rows={rows}
        keyOf={(_row, index) => index}
        columns={names.map((name, at) => ({
          key: `${at} ${name}`,
          title: <bdi>{name}</bdi>,
          width: 180,
          cell: (row: readonly (string | null)[]) =>
            row[at] === null ? <span class="null">null</span> : <bdi>{cellText(row[at])}</bdi>,
        }))}
        empty={<Empty title="No rows" />}
      />
    </div>
  );
}

// Dialog that saves SQL as a migration of the project and runs it if needed.

interface SaveMigrationProps {
  readonly source: Source;
  readonly sql: string;
  /** True if the SQL was the last statement to run. */
  readonly hasRun: boolean;
  /** True to drop dependent metadata objects. */
  readonly isCascading: boolean;
  readonly onSaved: () => void;
  readonly onClose: () => void;
}

function SaveMigration({ source, sql, hasRun, isCascading, onSaved, onClose }: SaveMigrationProps) {
  const [name, setName] = useState("");
  const [down, setDown] = useState("");
  const [isOnlySaved, setOnlySaved] = useState(hasRun);
  const {
    isBusy,
    error,
    submit: save,
  } = useSubmission(async () => {
    const folder = isOnlySaved
      ? (await saveMigration({ source: source.name, name, up: sql, down, has_run: true })).folder
      : await changeDatabase({ source, name, sql, down, cascade: isCascading });
    notify(`Saved ${folder}`);
    onSaved();
  });
  return (
    <Dialog
      title="Save as migration"
      onClose={onClose}
      onSubmit={save}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={isBusy}>
            {isOnlySaved ? "Save" : "Run and save"}
          </Button>
        </>
      }
    >
      <TextField label="Name" isCode required autoFocus value={name} onInput={setName} />
      <TextField
        label="Down migration (SQL)"
        hint="Saved as down.sql. Without it the migration cannot be reverted."
        isCode
        rows={4}
        value={down}
        onInput={setDown}
      />
      <CheckField label="Already applied: save without running" checked={isOnlySaved} onChange={setOnlySaved} />
      {error !== null && <ErrorBox error={error} />}
    </Dialog>
  );
}
