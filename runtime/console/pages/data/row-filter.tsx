/** The bar below the toolbar that edits the row filter: conditions in groups, checked before they are sent. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { ColumnInfo, TableInfo } from "../../http/data-api.ts";
import type { ColumnOperator, JsonObject } from "../../http/metadata-types.ts";
import { Button, IconButton } from "../../parts/button.tsx";
import { SelectField } from "../../parts/field.tsx";
import { Form } from "../../parts/form.tsx";
import { operatorChoices } from "../../parts/operator-labels.ts";
import { type Editors, editorOfType } from "./rows/editors.ts";
import {
  type Condition,
  conditionError,
  type FilterGroups,
  groupsOf,
  newCondition,
  operatorOf,
  whereOf,
} from "./rows/filter-model.ts";
import { ValueInput } from "./rows/value-input.tsx";

interface RowFilterProps {
  readonly info: TableInfo;
  readonly editors: Editors;
  readonly where: JsonObject;
  readonly onChange: (where: JsonObject) => void;
  readonly onClose: () => void;
}

/** The parent gives the element a key with the filter, so that it starts again from a filter that is set elsewhere. */
export function RowFilter({ info, editors, where, onChange, onClose }: RowFilterProps) {
  // Columns of types without comparison have no operators.
  const columns = info.columns.filter(({ operators }) => operators.length > 0);
  const found = groupsOf(where, columns);
  const [groups, setGroups] = useState<FilterGroups>(
    found === null || found.length === 0 ? [[newCondition(columns)]] : found,
  );
  const [showsErrors, setShowsErrors] = useState(false);
  const body = useRef<HTMLDivElement>(null);
  const apply = (): void => {
    const isValid = groups.flat().every((condition) => conditionError(condition, columns) === null);
    setShowsErrors(!isValid);
    if (isValid) onChange(whereOf(groups, columns));
    else setTimeout(() => body.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
  };
  useTypedFilter(groups, columns, where, onChange);
  const setGroup = (index: number, group: readonly Condition[]): void => {
    const next = groups.with(index, group).filter((each) => each.length > 0);
    if (next.length > 0) setGroups(next);
    else {
      onChange({});
      onClose();
    }
  };
  const isFiltered = Object.keys(where).length > 0;
  if (found === null) {
    return (
      <div class="filter-bar">
        <p class="row-filter-text">
          Filter: <code>{JSON.stringify(where)}</code>
        </p>
        <div class="row">
          <Button icon="close" kind="quiet" onClick={() => onChange({})}>
            Clear filter
          </Button>
        </div>
      </div>
    );
  }
  let number = 0;
  return (
    <Form onSubmit={apply} label="Row filter">
      <div class="filter-bar" ref={body}>
        {groups.map((group, groupIndex) => (
          <fieldset key={groupIndex} class="row-filter-group" aria-label={`Filter group ${groupIndex + 1}`}>
            {group.map((condition, index) => {
              number += 1;
              return (
                <ConditionLine
                  key={index}
                  word={index > 0 ? "and" : groupIndex > 0 ? "or" : "where"}
                  number={number}
                  columns={columns}
                  editors={editors}
                  condition={condition}
                  error={showsErrors ? conditionError(condition, columns) : null}
                  onChange={(next) => setGroup(groupIndex, group.with(index, next))}
                  onRemove={() => setGroup(groupIndex, group.toSpliced(index, 1))}
                />
              );
            })}
            <Button
              kind="quiet"
              icon="add"
              title={groupIndex === 0 ? "Add a condition" : `Add a condition to group ${groupIndex + 1}`}
              onClick={() => setGroup(groupIndex, [...group, newCondition(columns)])}
            >
              And
            </Button>
          </fieldset>
        ))}
        <div class="row">
          <Button
            kind="quiet"
            icon="add"
            title="Add a group of conditions: rows match any of the groups"
            onClick={() => setGroups([...groups, [newCondition(columns)]])}
          >
            Or
          </Button>
          <span class="grow" />
          {isFiltered && (
            <Button icon="close" kind="quiet" onClick={() => onChange({})}>
              Clear filter
            </Button>
          )}
          <Button icon="filter" type="submit">
            Apply filter
          </Button>
        </div>
      </div>
    </Form>
  );
}

/** Pause in typing, in milliseconds, after which a filter is applied. */
const typingPause = 400;

/** Applies conditions that were changed, without the button. Conditions without a valid value wait for it. */
function useTypedFilter(
  groups: FilterGroups,
  columns: readonly ColumnInfo[],
  where: JsonObject,
  onChange: (where: JsonObject) => void,
): void {
  const applied = useRef(groups);
  useEffect(() => {
    const isReady = groups.flat().every((each) => isComplete(each) && conditionError(each, columns) === null);
    if (applied.current === groups || !isReady) return;
    const timer = setTimeout(() => {
      applied.current = groups;
      const next = whereOf(groups, columns);
      if (JSON.stringify(next) !== JSON.stringify(where)) onChange(next);
    }, typingPause);
    return () => clearTimeout(timer);
  }, [groups, where]);
}

/** Returns false for a new condition without a value, which would match only rows with an empty text. */
const isComplete = ({ operator, text }: Condition): boolean => text !== "" || operator === "_is_null";

interface ConditionLineProps {
  readonly word: string;
  /** Number among all conditions, beginning with 1. */
  readonly number: number;
  readonly columns: readonly ColumnInfo[];
  readonly editors: Editors;
  readonly condition: Condition;
  readonly error: string | null;
  readonly onChange: (condition: Condition) => void;
  readonly onRemove: () => void;
}

function ConditionLine({ word, number, columns, editors, condition, error, onChange, onRemove }: ConditionLineProps) {
  const column = columns.find(({ name }) => name === condition.column);
  const operator = operatorOf(columns, condition);
  const label = (text: string): string => (number === 1 ? text : `${text} ${number}`);
  const chooseColumn = (name: string): void => {
    const next = { ...condition, column: name, text: "" };
    onChange(operatorOf(columns, next) ? next : { ...next, operator: "_eq" });
  };
  return (
    <div class="filter-line">
      <span class="filter-word muted">{word}</span>
      <SelectField
        label={label("Filter column")}
        isBare
        value={condition.column}
        choices={columns.map(({ name }) => ({ value: name, label: name }))}
        onChange={chooseColumn}
      />
      <SelectField
        label={label("Filter operator")}
        isBare
        value={condition.operator}
        choices={operatorChoices(column, condition.operator)}
        onChange={(name) => onChange({ ...condition, operator: name })}
      />
      <div class="filter-value">
        {column && operator && (
          <Operand
            label={label("Filter value")}
            column={column}
            columns={columns}
            operator={operator}
            editors={editors}
            text={condition.text}
            error={error}
            onInput={(text) => onChange({ ...condition, text })}
          />
        )}
        {error !== null && (
          <span id={`filter-error-${number}`} class="field-error">
            {error}
          </span>
        )}
      </div>
      <IconButton icon="close" label={label("Remove condition")} onClick={onRemove} />
    </div>
  );
}

interface OperandProps {
  readonly label: string;
  readonly column: ColumnInfo;
  readonly columns: readonly ColumnInfo[];
  readonly operator: ColumnOperator;
  readonly editors: Editors;
  readonly text: string;
  readonly error: string | null;
  readonly onInput: (text: string) => void;
}

function Operand({ label, column, columns, operator, editors, text, error, onInput }: OperandProps) {
  const { name, operand, list } = operator;
  const control = {
    class: "input",
    "aria-label": label,
    "aria-invalid": error !== null,
    spellcheck: false,
    placeholder: list ? "Values separated by commas" : operand === "json" ? "JSON" : "Value",
  };
  const props = { type: column.type, value: text, onInput, control };
  if (operand === "column") {
    const choices = columns.map((each) => ({ value: each.name, label: each.name }));
    return <ValueInput {...props} editor={{ kind: "choice", choices }} />;
  }
  if (operand === "boolean") {
    // "Is null" without a value means true.
    const value = text === "" && name === "_is_null" ? "true" : text;
    return <ValueInput {...props} value={value} editor={{ kind: "boolean" }} />;
  }
  const own = editors.get(column.name) ?? editorOfType(column);
  const isPlain = list || operand !== column.value || own.kind === "json" || own.kind === "long";
  return <ValueInput {...props} editor={isPlain || /like|regex|similar/.test(name) ? { kind: "text" } : own} />;
}
