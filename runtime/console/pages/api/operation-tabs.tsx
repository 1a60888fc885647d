/** Tabs of operations around the editor and its result: open, close and rename. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Button, IconButton } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { TextField } from "../../parts/field.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { CopyLink, OpenedLink } from "./opened-link.tsx";
import { addTab, closeTab, currentTab, notStored, renameTab, selectTab, tabs } from "./request-state.ts";
import { maxNameLength, titleOf } from "./tab-store.ts";

export function OperationTabs({ children }: { readonly children: ComponentChildren }) {
  const [renamed, setRenamed] = useState<string | null>(null);
  const tab = tabs.value.find(({ id }) => id === renamed);
  return (
    <>
      <OpenedLink />
      <Tabs
        label="Operations"
        tabs={tabs.value.map((each) => ({ name: each.id, label: <bdi class="operation-title">{titleOf(each)}</bdi> }))}
        current={currentTab.value}
        onChange={selectTab}
        onClose={closeTab}
        onRename={setRenamed}
        aside={
          <>
            {notStored.value !== null && (
              <span class="badge warn" title="Save the operation to keep it.">{`Not kept: ${notStored.value}`}</span>
            )}
            <CopyLink />
            <IconButton icon="edit" label="Rename tab" onClick={() => setRenamed(currentTab.value)} />
            <IconButton icon="add" label="New tab" onClick={() => addTab()} />
          </>
        }
      >
        {children}
      </Tabs>
      {tab && (
        <RenameDialog
          title={titleOf(tab)}
          onClose={() => setRenamed(null)}
          onRename={(name) => {
            renameTab(tab.id, name);
            setRenamed(null);
          }}
        />
      )}
    </>
  );
}

interface RenameDialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly onRename: (name: string) => void;
}

function RenameDialog({ title, onClose, onRename }: RenameDialogProps) {
  const [name, setName] = useState(title);
  return (
    <Dialog
      title="Rename tab"
      onClose={onClose}
      onSubmit={() => onRename(name)}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit">
            Rename
          </Button>
        </>
      }
    >
      <TextField
        label="Name"
        value={name}
        onInput={setName}
        error={name.length > maxNameLength ? `Use at most ${maxNameLength} characters.` : null}
        hint="Empty for the name of the operation."
      />
    </Dialog>
  );
}
