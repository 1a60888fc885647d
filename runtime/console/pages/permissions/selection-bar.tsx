/** Number of the selected cells and the changes that they allow. */
import { useState } from "preact/hooks";
import type { Source } from "../../http/metadata-types.ts";
import { Button } from "../../parts/button.tsx";
import { cellCount, DeletionDialog, FilterDialog } from "./bulk-dialogs.tsx";
import { CopyDialog } from "./copy-dialog.tsx";
import { actions, type Cell, permissionOf } from "./draft.ts";
import { selectedCells, selection } from "./selection.ts";

type OpenDialog = "filter" | "copy" | "delete";

export function SelectionBar({ source }: { readonly source: Source }) {
  // The dialog keeps its cells while the change is applied.
  const [open, setOpen] = useState<{ readonly dialog: OpenDialog; readonly cells: readonly Cell[] } | null>(null);
  const cells = selectedCells(source);
  const hasPermission = cells.some(({ table, role }) => actions.some((action) => permissionOf(table, action, role)));
  const noPermission = !hasPermission && "Select a cell with a permission.";
  const opener = (dialog: OpenDialog) => () => setOpen({ dialog, cells });
  const close = (): void => setOpen(null);
  return (
    <section class="toolbar selection-bar" aria-label="Selection">
      <strong role="status">{`${cellCount(cells.length)} selected`}</strong>
      <Button icon="filter" unavailable={noPermission} onClick={opener("filter")}>
        Set row filter
      </Button>
      <Button icon="copy" unavailable={noPermission} onClick={opener("copy")}>
        Copy to
      </Button>
      <Button kind="danger" icon="remove" unavailable={noPermission} onClick={opener("delete")}>
        Delete permissions
      </Button>
      <span class="muted">Click cells; Shift selects a range. Headings select a role or a table.</span>
      <span class="grow" />
      <Button
        unavailable={cells.length === 0 && "No cell is selected."}
        onClick={() => {
          selection.value = new Set();
        }}
      >
        Clear selection
      </Button>
      {open?.dialog === "filter" && <FilterDialog source={source} cells={open.cells} onClose={close} />}
      {open?.dialog === "copy" && <CopyDialog source={source} cells={open.cells} onClose={close} />}
      {open?.dialog === "delete" && <DeletionDialog source={source} cells={open.cells} onClose={close} />}
    </section>
  );
}
