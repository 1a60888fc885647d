/** Dialog that selects the role and the session variables with which rows are read. */
import { useState } from "preact/hooks";
import type { ReadingSession } from "../../../http/data-api.ts";
import { Button } from "../../../parts/button.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { SelectField, TextField } from "../../../parts/field.tsx";
import { roles } from "../../../state/metadata.ts";

interface ViewAsDialogProps {
  readonly session: ReadingSession | null;
  /** @param session `null` for an administrator */
  readonly onChange: (session: ReadingSession | null) => void;
  readonly onClose: () => void;
}

const admin = "admin";

/** A session variable: its name, and its value. */
const variableLine = /^\s*(x-engine-[\w-]+)\s*[:=]\s*(.*?)\s*$/i;

export function ViewAsDialog({ session, onChange, onClose }: ViewAsDialogProps) {
  const [role, setRole] = useState(session?.role ?? admin);
  const [text, setText] = useState(
    Object.entries(session?.variables ?? {})
      .map(([name, value]) => `${name}: ${value}`)
      .join("\n"),
  );
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const wrong = lines.find((line) => !variableLine.test(line));
  const apply = (): void => {
    const variables = Object.fromEntries(
      lines.map((line): [string, string] => {
        const [, name = "", value = ""] = variableLine.exec(line) ?? [];
        return [name.toLowerCase(), value];
      }),
    );
    onChange(role === admin ? null : { role, variables });
    onClose();
  };
  return (
    <Dialog
      title="View as role"
      onClose={onClose}
      onSubmit={apply}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit">
            View
          </Button>
        </>
      }
    >
      <SelectField
        label="Role"
        value={role}
        choices={[admin, ...roles.value].map((each) => ({ value: each, label: each }))}
        onChange={setRole}
      />
      <TextField
        label="Session variables"
        rows={4}
        isCode
        value={text}
        onInput={setText}
        placeholder="X-Engine-User-Id: 1"
        error={wrong === undefined ? null : `Enter one variable per line, such as X-Engine-User-Id: 1. Wrong: ${wrong}`}
        hint="One per line. The rows and columns are those that the permissions of the role allow."
      />
    </Dialog>
  );
}
