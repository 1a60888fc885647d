/** Dialog that selects the role and the session variables with which rows are read. */
import type { ReadingSession } from "../../../http/data-api.ts";
import { Button } from "../../../parts/button.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { SessionFields, sessionOf, useEnteredSession } from "../../../parts/session-fields.tsx";
import { roles } from "../../../state/metadata.ts";

interface ViewAsDialogProps {
  readonly session: ReadingSession | null;
  /** @param session `null` for an administrator */
  readonly onChange: (session: ReadingSession | null) => void;
  readonly onClose: () => void;
}

const admin = "admin";

export function ViewAsDialog({ session, onChange, onClose }: ViewAsDialogProps) {
  const [entered, setEntered] = useEnteredSession(session, admin);
  const apply = (): void => {
    onChange(entered.role === admin ? null : sessionOf(entered));
    onClose();
  };
  return (
    <Dialog
      title="View as role"
      onClose={onClose}
      onSubmit={apply}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit">
            View
          </Button>
        </>
      }
    >
      <SessionFields
        entered={entered}
        roles={[admin, ...roles.value]}
        hint="One per line. The rows and columns are those that the permissions of the role allow."
        onChange={setEntered}
      />
    </Dialog>
  );
}
