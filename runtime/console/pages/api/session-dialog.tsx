/** Dialog with the session variables, other headers and the token of the request. */
import { useEffect, useState } from "preact/hooks";
import { Button, IconButton } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { TextField } from "../../parts/field.tsx";
import { SessionVariableList, sessionVariableList } from "../permissions/session-variables.tsx";
import { isEmptyRow, problemOf, readHeaderLines } from "./header-lines.ts";
import { type HeaderRow, headers, role, token, usesToken } from "./request-state.ts";
import { loadConfig } from "./session.ts";
import { decodeToken } from "./token.ts";
import { TokenFields } from "./token-fields.tsx";

const emptyRow: HeaderRow = { name: "", value: "" };

export function SessionDialog({ onClose }: { readonly onClose: () => void }) {
  const [rows, setRows] = useState<readonly HeaderRow[]>(headers.value.length === 0 ? [emptyRow] : headers.value);
  const [text, setText] = useState(token.value);
  const [isSent, setSent] = useState(usesToken.value);
  useEffect(() => void loadConfig(), []);
  const apply = (): void => {
    const isRole = ({ name }: HeaderRow): boolean => name.trim().toLowerCase() === "x-engine-role";
    const given = rows.find(isRole);
    if (given) role.value = given.value;
    headers.value = rows
      .filter((row) => !isEmptyRow(row) && !isRole(row))
      .map(({ name, value }) => ({ name: name.trim(), value }));
    token.value = text.trim() === "" ? "" : decodeToken(text).text;
    usesToken.value = isSent && token.value !== "";
    onClose();
  };
  return (
    <Dialog
      title="Session"
      isWide
      onClose={onClose}
      onSubmit={apply}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit">
            Apply
          </Button>
        </>
      }
    >
      <HeaderRows rows={rows} onChange={setRows} />
      <TokenFields text={text} onText={setText} isSent={isSent} onSent={setSent} />
    </Dialog>
  );
}

interface HeaderRowsProps {
  readonly rows: readonly HeaderRow[];
  readonly onChange: (rows: readonly HeaderRow[]) => void;
}

function HeaderRows({ rows, onChange }: HeaderRowsProps) {
  const replace = (index: number, by: readonly HeaderRow[]): void =>
    onChange([...rows.slice(0, index), ...by, ...rows.slice(index + 1)]);
  const paste = (event: ClipboardEvent, index: number): void => {
    const pasted = readHeaderLines(event.clipboardData?.getData("text/plain") ?? "");
    // A single value may contain a colon, too.
    if (!pasted || (pasted.length === 1 && !/^x-/i.test(pasted[0]?.name ?? ""))) return;
    event.preventDefault();
    const row = rows[index] ?? emptyRow;
    const names = new Set(pasted.map(({ name }) => name.toLowerCase()));
    const kept = rows.filter((each, at) => at !== index && !isEmptyRow(each) && !names.has(each.name.toLowerCase()));
    const isKept = !isEmptyRow(row) && !names.has(row.name.toLowerCase());
    onChange([...kept, ...(isKept ? [row] : []), ...pasted]);
  };
  return (
    <fieldset class="stack session-rows">
      <legend class="field-label">Session variables and headers</legend>
      {rows.map((row, index) => (
        <div class="session-row" key={index} onPaste={(event) => paste(event, index)}>
          <TextField
            label={`Name of header ${index + 1}`}
            isBare
            isCode
            list={sessionVariableList}
            placeholder="x-engine-user-id"
            value={row.name}
            error={problemOf(row, rows)}
            onInput={(name) => replace(index, [{ ...row, name }])}
          />
          <TextField
            label={`Value of header ${index + 1}`}
            isBare
            isCode
            value={row.value}
            onInput={(value) => replace(index, [{ ...row, value }])}
          />
          <IconButton
            icon="remove"
            label={`Remove header ${row.name === "" ? index + 1 : row.name}`}
            onClick={() => replace(index, [])}
          />
        </div>
      ))}
      <div class="row">
        <Button icon="add" onClick={() => onChange([...rows, emptyRow])}>
          Add session variable
        </Button>
        <span class="field-hint">Paste lines such as X-Engine-User-Id: 1 into a field to add several.</span>
      </div>
      <SessionVariableList />
    </fieldset>
  );
}
