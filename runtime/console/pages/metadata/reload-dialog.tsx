/** Dialog that introspects databases and remote schemas again. */
import { useState } from "preact/hooks";
import type { Metadata } from "../../http/metadata-types.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { CheckField, SelectField } from "../../parts/field.tsx";
import { notify } from "../../parts/toast.tsx";
import { useSubmission } from "../../parts/use-submission.ts";
import { changeMetadata } from "../../state/metadata.ts";

/** Choices beside names. The space avoids collisions with names. */
const all = " all";
const none = " none";

interface ReloadDialogProps {
  readonly value: Metadata;
  readonly onClose: () => void;
}

export function ReloadDialog({ value: { sources, remote_schemas = [] }, onClose }: ReloadDialogProps) {
  const [source, setSource] = useState<string>(all);
  const [remoteSchema, setRemoteSchema] = useState<string>(all);
  const [recreates, setRecreates] = useState(false);
  const {
    isBusy,
    error,
    submit: reload,
  } = useSubmission(async () => {
    const reload_sources = selectionOf(source);
    const args = {
      reload_sources,
      reload_remote_schemas: selectionOf(remoteSchema),
      recreate_event_triggers: recreates && reload_sources,
    };
    await changeMetadata({ type: "reload_metadata", args });
    notify("Reloaded the metadata");
    onClose();
  });
  return (
    <Dialog
      title="Reload metadata"
      onClose={onClose}
      onSubmit={reload}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind="primary"
            type="submit"
            busy={isBusy}
            unavailable={source === none && remoteSchema === none && "Select databases or remote schemas."}
          >
            Reload
          </Button>
        </>
      }
    >
      <p>Introspects again what other programs have changed, and reads enum values and environment variables again.</p>
      <SelectField label="Databases" value={source} choices={choicesOf(sources)} onChange={setSource} />
      <SelectField
        label="Remote schemas"
        value={remoteSchema}
        choices={choicesOf(remote_schemas)}
        onChange={setRemoteSchema}
      />
      <CheckField
        label="Install the database triggers of event triggers again"
        checked={recreates && source !== none}
        disabled={source === none}
        onChange={setRecreates}
      />
      {error !== null && <ErrorBox error={error} />}
    </Dialog>
  );
}

const choicesOf = (objects: readonly { readonly name: string }[]) => [
  { value: all, label: "All" },
  { value: none, label: "None" },
  ...objects.map(({ name }) => ({ value: name, label: name })),
];

/** Returns the argument of `reload_metadata` for a choice. */
function selectionOf(choice: string): boolean | readonly string[] {
  return choice === all ? true : choice === none ? false : [choice];
}
