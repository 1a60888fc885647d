/** Choice of the kinds of permissions that a change affects. */
import { CheckField } from "../../parts/field.tsx";
import { type Action, actions } from "./draft.ts";

interface KindChoiceProps {
  readonly chosen: readonly Action[];
  /** Number of permissions of each kind. */
  readonly counts: Readonly<Record<Action, number>>;
  readonly onChange: (chosen: readonly Action[]) => void;
}

export const actionTitles: Readonly<Record<Action, string>> = {
  select: "Select",
  insert: "Insert",
  update: "Update",
  delete: "Delete",
};

export function KindChoice({ chosen, counts, onChange }: KindChoiceProps) {
  return (
    <fieldset class="stack">
      <legend class="field-label">Kinds of permissions</legend>
      <div class="row kind-choice">
        {actions.map((action) => (
          <CheckField
            key={action}
            label={
              <>
                {actionTitles[action]} <span class="muted">{counts[action]}</span>
              </>
            }
            checked={chosen.includes(action)}
            onChange={(isChosen) =>
              onChange(actions.filter((each) => (each === action ? isChosen : chosen.includes(each))))
            }
          />
        ))}
      </div>
    </fieldset>
  );
}
