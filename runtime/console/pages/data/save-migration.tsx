/** SQL → a migration of the project: run, unless it has been, and kept in files. */
import { useState } from "preact/hooks";
import { saveMigration } from "../../http/project-api.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { CheckField, TextField } from "../../parts/field.tsx";
import { tell } from "../../parts/toast.tsx";

interface SaveMigrationProps {
  readonly source: string;
  readonly sql: string;
  /** It ran last, as it is. */
  readonly hasRun: boolean;
  readonly onSaved: () => void;
  readonly onClose: () => void;
}

export function SaveMigration({ source, sql, hasRun, onSaved, onClose }: SaveMigrationProps) {
  const [name, setName] = useState("");
  const [down, setDown] = useState("");
  const [isOnlySaved, setOnlySaved] = useState(hasRun);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const save = async (event: Event): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      const { folder } = await saveMigration({ source, name, up: sql, down, has_run: isOnlySaved });
      tell(`Saved ${folder}.`);
      onSaved();
    } catch (thrown) {
      setError(thrown);
      setBusy(false);
    }
  };
  return (
    <Dialog title="Save as migration" onClose={onClose}>
      <form class="stack" onSubmit={(event) => void save(event)}>
        <TextField label="Name" isCode required autoFocus value={name} onInput={setName} />
        <TextField
          label="SQL that takes it back"
          hint="Kept as down.sql. Without it the migration cannot be taken back."
          isCode
          rows={4}
          value={down}
          onInput={setDown}
        />
        <CheckField label="The database has it already: only save it" checked={isOnlySaved} onChange={setOnlySaved} />
        {error !== null && <ErrorBox error={error} />}
        <div class="row">
          <Button kind="primary" type="submit" busy={isBusy}>
            {isOnlySaved ? "Save" : "Run and save"}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  );
}
