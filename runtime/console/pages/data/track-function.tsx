/** Dialog that tracks a function, with its operation type and session argument. */
import { useState } from "preact/hooks";
import type { DatabaseFunction } from "../../http/data-api.ts";
import { prefixOf } from "../../http/metadata-api.ts";
import type { Source } from "../../http/metadata-types.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { SelectField } from "../../parts/field.tsx";
import { notify } from "../../parts/toast.tsx";
import { useGuardedSave } from "../permissions/use-guarded-save.tsx";
import { sessionArguments, signatureOf } from "./function-text.ts";

interface TrackFunctionProps {
  readonly source: Source;
  readonly found: DatabaseFunction;
  readonly onClose: () => void;
}

const roots = [
  { value: "mutation", label: "Mutation" },
  { value: "query", label: "Query" },
] as const;

const none = "";

export function TrackFunction({ source, found, onClose }: TrackFunctionProps) {
  const isVolatile = found.volatility === "volatile";
  const [root, setRoot] = useState<"mutation" | "query">(isVolatile ? "mutation" : "query");
  const [session, setSession] = useState(none);
  const choices = sessionArguments(found);
  const {
    isBusy,
    error,
    submit: track,
    confirmation,
  } = useGuardedSave({
    change: () => {
      const configuration = {
        ...(isVolatile && { exposed_as: root }),
        ...(session !== none && { session_argument: session }),
      };
      const args = { source: source.name, function: { schema: found.schema, name: found.name }, configuration };
      return { type: `${prefixOf(source.kind)}_track_function`, args };
    },
    onSaved: () => {
      notify(`Tracked ${found.name}`);
      onClose();
    },
  });
  return (
    <Dialog
      title={`Track ${found.name}`}
      onClose={onClose}
      onSubmit={track}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={isBusy}>
            Track
          </Button>
        </>
      }
    >
      <pre class="code-block">{signatureOf(source.kind, found)}</pre>
      {isVolatile && <SelectField label="Expose as" value={root} choices={roots} onChange={setRoot} />}
      {choices.length > 0 && (
        <SelectField<string>
          label="Session argument"
          hint="Set by the server and hidden from clients."
          value={session}
          choices={[{ value: none, label: "None" }, ...choices.map((name) => ({ value: name, label: name }))]}
          onChange={setSession}
        />
      )}
      {error !== null && <ErrorBox error={error} />}
      {confirmation}
    </Dialog>
  );
}
