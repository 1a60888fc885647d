/** Dialog with the keyboard shortcuts. */
import { Dialog } from "../parts/dialog.tsx";

const shortcuts: readonly (readonly [title: string, keys: readonly string[]])[] = [
  ["Search and run commands", ["Ctrl", "K"]],
  ["Show this list", ["?"]],
  ["Close a dialog", ["Esc"]],
  ["Run the operation or SQL, or submit the form of an editor", ["Ctrl", "Enter"]],
  ["Complete a name in an editor", ["Ctrl", "Space"]],
  ["Format the operation and its variables", ["Shift", "Alt", "F"]],
  ["Show the documentation of the field at the cursor, or selected in the explorer", ["F1"]],
  ["Search in an editor", ["Ctrl", "F"]],
  ["Move between tabs", ["←", "→"]],
  ["Close a tab of operations", ["Delete"]],
  ["Rename a tab of operations", ["F2"]],
];

export function KeyboardHelp({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl class="shortcuts">
        {shortcuts.map(([title, keys]) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <p class="muted">On macOS, use Cmd instead of Ctrl.</p>
    </Dialog>
  );
}
