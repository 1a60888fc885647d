/** Pairs of columns of two tables, whose values are equal. */
import { Button, IconButton } from "../../../parts/button.tsx";
import { SelectField } from "../../../parts/field.tsx";

export interface ColumnPair {
  readonly from: string;
  readonly to: string;
}

interface ColumnPairsProps {
  readonly pairs: readonly ColumnPair[];
  readonly onChange: (pairs: readonly ColumnPair[]) => void;
  /** Columns of this table. */
  readonly own: readonly string[];
  /** Columns of the other table. */
  readonly others: readonly string[];
}

const choicesOf = (names: readonly string[]) => [
  { value: "", label: "Choose a column" },
  ...names.map((name) => ({ value: name, label: name })),
];

/** Returns true if each pair has both columns, and there is one. */
export const arePairsComplete = (pairs: readonly ColumnPair[]): boolean =>
  pairs.length > 0 && pairs.every(({ from, to }) => from !== "" && to !== "");

export function ColumnPairs({ pairs, onChange, own, others }: ColumnPairsProps) {
  const change = (at: number, part: Partial<ColumnPair>): void =>
    onChange(pairs.map((pair, index) => (index === at ? { ...pair, ...part } : pair)));
  return (
    <fieldset class="stack">
      <legend class="field-label">Columns</legend>
      {pairs.map(({ from, to }, at) => (
        <div key={at} class="structure-pair">
          <SelectField
            label={`Column ${at + 1}`}
            isBare
            value={from}
            choices={choicesOf(own)}
            onChange={(name) => change(at, { from: name })}
          />
          <span class="muted">=</span>
          <SelectField
            label={`Other column ${at + 1}`}
            isBare
            value={to}
            choices={choicesOf(others)}
            onChange={(name) => change(at, { to: name })}
          />
          <IconButton
            icon="remove"
            label={`Remove pair ${at + 1}`}
            disabled={pairs.length === 1}
            onClick={() => onChange(pairs.filter((_each, index) => index !== at))}
          />
        </div>
      ))}
      <div>
        <Button icon="add" onClick={() => onChange([...pairs, { from: "", to: "" }])}>
          Add pair
        </Button>
      </div>
    </fieldset>
  );
}
