/** Button that clears the metadata after a typed confirmation. */
import type { Metadata } from "../../http/metadata-types.ts";
import { ConfirmButton } from "../../parts/confirm.tsx";
import { notify } from "../../parts/toast.tsx";
import { changeMetadata } from "../../state/metadata.ts";

interface ClearButtonProps {
  readonly value: Metadata;
  readonly version: number;
}

export function ClearButton({ value, version }: ClearButtonProps) {
  const clear = async (): Promise<void> => {
    await changeMetadata({ type: "clear_metadata", args: {} }, version);
    notify("Cleared the metadata");
  };
  return (
    <ConfirmButton label="Clear" title="Clear the metadata?" icon="remove" typed="clear" onConfirm={clear}>
      <p>
        {`Deletes ${contentsOf(value)} from the metadata, with all relationships, permissions and triggers. `}
        The API is empty afterwards. Databases and remote servers do not change, except that the triggers of events are
        dropped.
      </p>
      <p>Download the metadata first, to import it again later.</p>
    </ConfirmButton>
  );
}

/** Returns the numbers of the main objects, such as `12 tables, 1 action and 2 cron triggers`. */
function contentsOf({ sources, actions = [], remote_schemas = [], cron_triggers = [] }: Metadata): string {
  const tables = sources.reduce((sum, source) => sum + source.tables.length, 0);
  const counts = [
    [tables, "table"],
    [actions.length, "action"],
    [remote_schemas.length, "remote schema"],
    [cron_triggers.length, "cron trigger"],
  ] as const;
  const texts = counts
    .filter(([count]) => count > 0)
    .map(([count, name]) => `${count.toLocaleString()} ${name}${count === 1 ? "" : "s"}`);
  return texts.length === 0 ? "everything" : new Intl.ListFormat("en").format(texts);
}
