/** Dialog with the preferences of the user. Each change applies at once. */

import { Button } from "../parts/button.tsx";
import { capitalized } from "../parts/cell-text.ts";
import { Dialog } from "../parts/dialog.tsx";
import { SelectField } from "../parts/field.tsx";
import { chooseRowsPerPage, chooseTheme, pageSizes, rowsPerPage, theme, themes } from "../state/preferences.ts";

export function Settings({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Settings" onClose={onClose} footer={<Button onClick={onClose}>Close</Button>}>
      <SelectField
        label="Theme"
        value={theme.value}
        choices={themes.map((value) => ({ value, label: capitalized(value) }))}
        onChange={chooseTheme}
      />
      <SelectField<string>
        label="Rows per page"
        hint="For the rows of tables, and for the events of triggers."
        value={String(rowsPerPage.value)}
        choices={pageSizes.map((size) => ({ value: String(size), label: String(size) }))}
        onChange={(rows) => chooseRowsPerPage(Number(rows))}
      />
      <p class="muted">Kept in this browser.</p>
    </Dialog>
  );
}
