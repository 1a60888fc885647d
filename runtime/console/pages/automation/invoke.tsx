/** Makes an event of an event trigger by hand. */
import { useState } from "preact/hooks";
import { invokeTrigger, type TriggerPlace } from "../../http/automation-api.ts";
import type { Json } from "../../http/metadata-types.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { tell } from "../../parts/toast.tsx";
import { JsonField } from "./definition-form.tsx";

export function Invoke({ place, onClose }: { readonly place: TriggerPlace; readonly onClose: () => void }) {
  const [payload, setPayload] = useState<Json | undefined>({});
  const [error, setError] = useState<unknown>(null);
  const invoke = async (event: Event): Promise<void> => {
    event.preventDefault();
    setError(null);
    try {
      await invokeTrigger(place, payload ?? null);
      tell("The event is made, and will be delivered.");
      onClose();
    } catch (thrown) {
      setError(thrown);
    }
  };
  return (
    <Dialog title={`Invoke ${place.name}`} onClose={onClose}>
      <form class="stack" onSubmit={(event) => void invoke(event)}>
        <JsonField label="Payload" hint="Stands as the new row of the event." value={payload} onChange={setPayload} />
        {error !== null && <ErrorBox error={error} />}
        <div class="row">
          <Button kind="primary" type="submit" icon="run">
            Invoke
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  );
}
