/** Switch between AND and OR, with NOT, for a group of conditions. */
import { Button } from "../../parts/button.tsx";
import type { Connective } from "./filter-tree.ts";

interface ConnectiveSwitchProps {
  /** Accessible name. */
  readonly label: string;
  readonly value: Connective;
  readonly onChange: (connective: Connective) => void;
}

export function ConnectiveSwitch({ label, value, onChange }: ConnectiveSwitchProps) {
  const isAll = value === "all" || value === "not all";
  const isNegated = value === "not all" || value === "none";
  const change = (all: boolean, negated: boolean): void =>
    onChange(all ? (negated ? "not all" : "all") : negated ? "none" : "any");
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a flex container in all browsers
    <div class="connective-switch" role="group" aria-label={label}>
      <Button kind="quiet" pressed={isNegated} title="Negate the group" onClick={() => change(isAll, !isNegated)}>
        NOT
      </Button>
      <span class="switch-line" aria-hidden="true" />
      <Button kind="quiet" pressed={isAll} title="All conditions match" onClick={() => change(true, isNegated)}>
        AND
      </Button>
      <Button
        kind="quiet"
        pressed={!isAll}
        title="At least one condition matches"
        onClick={() => change(false, isNegated)}
      >
        OR
      </Button>
    </div>
  );
}
