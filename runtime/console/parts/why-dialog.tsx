/** Dialog that explains what a role may do, and why: with a row, a cell or a request. */
import "../styles/explanation.css";
import { useEffect, useState } from "preact/hooks";
import type { ReadingSession } from "../http/data-api.ts";
import { type Explained, type Explanation, explainAccess } from "../http/explain-api.ts";
import { roles } from "../state/metadata.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { Loading } from "./empty.tsx";
import { ErrorBox } from "./error-box.tsx";
import { ExplanationView } from "./explanation.tsx";
import { SelectField } from "./field.tsx";
import { SessionFields, sessionOf, useEnteredSession } from "./session-fields.tsx";
import { useSubmission } from "./use-submission.ts";

/** Something to explain: a request, or an operation that the user chooses. */
export interface WhyOption {
  readonly label: string;
  readonly explained: Explained;
}

interface WhyDialogProps {
  readonly title: string;
  readonly options: readonly WhyOption[];
  /** Session to explain at once; `null` if the user chooses it first. */
  readonly session: ReadingSession | null;
  readonly onClose: () => void;
}

export function WhyDialog({ title, options, session, onClose }: WhyDialogProps) {
  const [chosen, setChosen] = useState(options[0]?.label ?? "");
  const [entered, setEntered] = useEnteredSession(session, roles.value[0] ?? "admin");
  const [found, setFound] = useState<Explanation | null>(null);
  const { isBusy, error, submit } = useSubmission(async () => {
    setFound(null);
    const option = options.find(({ label }) => label === chosen);
    const { role, variables } = sessionOf(entered);
    if (option) setFound(await explainAccess(option.explained, role, variables));
  });
  useEffect(() => {
    if (session !== null) void submit();
  }, []);
  // A session may have a role that the metadata does not name.
  const names = [...new Set([entered.role, ...roles.value])];
  return (
    <Dialog
      title={title}
      isWide
      onClose={onClose}
      onSubmit={submit}
      footer={
        <Button kind="primary" type="submit" busy={isBusy}>
          Explain
        </Button>
      }
    >
      {options.length > 1 && (
        <SelectField
          label="Operation"
          value={chosen}
          choices={options.map(({ label }) => ({ value: label, label }))}
          onChange={setChosen}
        />
      )}
      <SessionFields
        entered={entered}
        roles={names}
        hint="One per line. The explanation evaluates the permissions of the role with these values. Nothing is written."
        onChange={setEntered}
      />
      {isBusy && <Loading item="explanation" />}
      {error !== null && <ErrorBox error={error} />}
      {found && <ExplanationView explanation={found} />}
    </Dialog>
  );
}
