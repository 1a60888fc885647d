/** Limits of a select permission: number of rows, aggregations, root fields. */
import { useState } from "preact/hooks";
import type { Json, JsonObject } from "../../http/metadata-types.ts";
import { CheckField, TextField } from "../../parts/field.tsx";
import { columnsOf } from "./draft.ts";
import { useProblem } from "./problems.ts";

interface SelectLimitsProps {
  readonly permission: JsonObject;
  /** Columns of the primary key; empty for none. */
  readonly primaryKey: readonly string[];
  readonly onChange: (part: Readonly<Record<string, Json | undefined>>) => void;
}

export function SelectLimits({ permission, primaryKey, onChange }: SelectLimitsProps) {
  const aggregates = permission.allow_aggregations === true;
  const columns = columnsOf(permission);
  const hasKey = primaryKey.length > 0 && primaryKey.every((name) => columns === "*" || columns.includes(name));
  const available = ["select", ...(hasKey ? ["select_by_pk"] : []), ...(aggregates ? ["select_aggregate"] : [])];
  const withoutAggregates = (name: RootFields): Readonly<Record<string, Json>> => {
    const list = permission[name];
    return Array.isArray(list) ? { [name]: list.filter((each) => each !== "select_aggregate") } : {};
  };
  const allow = (allowed: boolean): void =>
    onChange(
      allowed
        ? { allow_aggregations: true }
        : {
            allow_aggregations: undefined,
            ...withoutAggregates("query_root_fields"),
            ...withoutAggregates("subscription_root_fields"),
          },
    );
  return (
    <div class="form-part stack">
      <div class="select-limits">
        <RowLimit permission={permission} onChange={onChange} />
        <CheckField label="Allow aggregations and groups" checked={aggregates} onChange={allow} />
      </div>
      <details>
        <summary class="field-label">Root fields</summary>
        <div class="stack root-fields">
          <RootFieldChoice
            label="Queries"
            name="query_root_fields"
            available={available}
            {...{ permission, onChange }}
          />
          <RootFieldChoice
            label="Subscriptions"
            name="subscription_root_fields"
            available={[...available, "select_stream"]}
            {...{ permission, onChange }}
          />
          {aggregates && (
            <p class="field-hint">
              <code>select_aggregate</code> includes the groups of rows (<code>select_group</code>).
            </p>
          )}
        </div>
      </details>
    </div>
  );
}

type LimitProps = Pick<SelectLimitsProps, "permission" | "onChange">;

function RowLimit({ permission, onChange }: LimitProps) {
  const saved = permission.limit === undefined ? "" : String(permission.limit);
  const [text, setText] = useState(saved);
  const problem = text.trim() === "" || /^\d{1,9}$/.test(text.trim()) ? null : "Enter a whole number, or leave empty.";
  useProblem(problem);
  const read = (input: string): void => {
    setText(input);
    const trimmed = input.trim();
    if (trimmed === "") onChange({ limit: undefined });
    else if (/^\d{1,9}$/.test(trimmed)) onChange({ limit: Number(trimmed) });
  };
  return <TextField label="Row limit" hint="Empty for no limit." error={problem} value={text} onInput={read} />;
}

type RootFields = "query_root_fields" | "subscription_root_fields";

interface RootFieldChoiceProps extends LimitProps {
  readonly label: string;
  readonly name: RootFields;
  readonly available: readonly string[];
}

/** An absent list allows all root fields. */
function RootFieldChoice({ label, name, available, permission, onChange }: RootFieldChoiceProps) {
  const value = permission[name];
  const list = Array.isArray(value) ? value.filter((each) => typeof each === "string") : null;
  const change = (field: string, isChosen: boolean): void => {
    const kept = available.filter((each) => (each === field ? isChosen : (list?.includes(each) ?? true)));
    onChange({ [name]: kept.length === available.length ? undefined : kept });
  };
  return (
    <fieldset class="row">
      <legend class="visually-hidden">{`Root fields of ${label.toLowerCase()}`}</legend>
      <span class="root-field-kind">{label}</span>
      {available.map((field) => (
        <CheckField
          key={field}
          label={<code>{field}</code>}
          checked={list?.includes(field) ?? true}
          onChange={(isChosen) => change(field, isChosen)}
        />
      ))}
    </fieldset>
  );
}
