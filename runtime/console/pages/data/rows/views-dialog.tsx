/** Dialog with the shown columns and the saved views of a table. */
import { useState } from "preact/hooks";
import type { TableInfo, TableLocation } from "../../../http/data-api.ts";
import { Button, IconButton } from "../../../parts/button.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { CheckField, TextField } from "../../../parts/field.tsx";
import { notify } from "../../../parts/toast.tsx";
import { keepViews, type RowView, type SavedView, savedViews } from "./row-view.ts";

interface ViewsDialogProps {
  readonly location: TableLocation;
  readonly info: TableInfo;
  readonly view: RowView;
  readonly onChange: (view: RowView) => void;
  readonly onClose: () => void;
}

export function ViewsDialog({ location, info, view, onChange, onClose }: ViewsDialogProps) {
  const [views, setViews] = useState(() => savedViews(location));
  const [name, setName] = useState("");
  const keep = (next: readonly SavedView[]): void => {
    keepViews(location, next);
    setViews(next);
  };
  const save = (): void => {
    const text = name.trim();
    if (text === "") return;
    keep([...views.filter((each) => each.name !== text), { name: text, view }]);
    setName("");
    notify(`Saved the view ${text}`);
  };
  const show = (column: string, isShown: boolean): void =>
    onChange({ ...view, hidden: isShown ? view.hidden.filter((each) => each !== column) : [...view.hidden, column] });
  return (
    <Dialog
      title={`View of ${location.table.name}`}
      onClose={onClose}
      onSubmit={save}
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button kind="primary" type="submit" unavailable={name.trim() === "" && "Enter a name for the view."}>
            Save view
          </Button>
        </>
      }
    >
      <h3>Shown columns</h3>
      <div class="shown-columns">
        {info.columns.map((column) => {
          const isShown = !view.hidden.includes(column.name);
          const isLast = isShown && view.hidden.length === info.columns.length - 1;
          return (
            <CheckField
              key={column.name}
              label={<bdi>{column.name}</bdi>}
              checked={isShown}
              disabled={isLast}
              onChange={(checked) => show(column.name, checked)}
            />
          );
        })}
      </div>
      <h3>Saved views</h3>
      {views.length === 0 && (
        <p class="muted">No saved views. Save the current filter, sort order and columns under a name.</p>
      )}
      <ul class="stack">
        {views.map((saved) => (
          <li key={saved.name} class="row">
            <Button
              onClick={() => {
                onChange(saved.view);
                onClose();
              }}
            >
              <bdi>{saved.name}</bdi>
            </Button>
            <IconButton
              icon="remove"
              label={`Delete the view ${saved.name}`}
              onClick={() => keep(views.filter((each) => each !== saved))}
            />
          </li>
        ))}
      </ul>
      <TextField
        label="Name of the view"
        value={name}
        onInput={setName}
        hint="Filter, sort order, columns and widths stay in this browser."
      />
    </Dialog>
  );
}
