/** A row filter that is built by clicking: groups in groups, conditions on columns, on rows of other tables. */
import type { TablePlace } from "../../http/data-api.ts";
import type { JsonObject, QualifiedName } from "../../http/metadata-types.ts";
import { Button, IconButton } from "../../parts/button.tsx";
import { Loading } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { SelectField } from "../../parts/field.tsx";
import { shownName } from "../../parts/table-name.ts";
import { sourceNamed } from "../../state/metadata.ts";
import { ConditionRow } from "./condition-row.tsx";
import { type TableNames, useTableNames } from "./filter-names.ts";
import { type FilterNode, filterOf, type Group, type Joint, treeOf } from "./filter-tree.ts";

interface FilterBuilderProps {
  readonly place: TablePlace;
  readonly filter: JsonObject;
  /** Begins the names of fields: `2.1.`; empty for the whole filter. */
  readonly prefix: string;
  readonly onChange: (filter: JsonObject) => void;
}

/** Asks for the names of the table first. */
export function FilterBuilder({ place, filter, prefix, onChange }: FilterBuilderProps) {
  const { names, error, isLoading } = useTableNames(place);
  if (error !== null) return <ErrorBox error={error} />;
  if (!names) return isLoading ? <Loading what="columns" /> : <p class="muted">The database has no such table.</p>;
  const tree = treeOf(filter, {
    columns: new Set(names.columns.map(({ name }) => name)),
    relationships: new Set(names.relationships.map(({ name }) => name)),
  });
  return (
    <GroupFields
      place={place}
      names={names}
      group={tree}
      prefix={prefix}
      isWhole
      onChange={(changed) => onChange(filterOf(changed))}
    />
  );
}

const joints: readonly { readonly value: Joint; readonly label: string }[] = [
  { value: "all", label: "all of these hold" },
  { value: "any", label: "any of these holds" },
  { value: "not all", label: "not all of these hold" },
  { value: "none", label: "none of these holds" },
];

interface GroupFieldsProps {
  readonly place: TablePlace;
  readonly names: TableNames;
  readonly group: Group;
  readonly prefix: string;
  /** It is all that is said of a row; else a group within that. */
  readonly isWhole?: boolean;
  readonly onChange: (group: Group) => void;
}

function GroupFields({ place, names, group, prefix, isWhole = false, onChange }: GroupFieldsProps) {
  const { joint, items } = group;
  const put = (index: number, node: FilterNode): void =>
    onChange({ ...group, items: items.map((each, at) => (at === index ? node : each)) });
  const remove = (index: number): void => onChange({ ...group, items: items.filter((_each, at) => at !== index) });
  const isPlain = isWhole && joint === "all" && items.length < 2;
  return (
    <div class="stack filter-group">
      {!isPlain && (
        <SelectField<Joint>
          label={prefix === "" ? "How the conditions count" : `How the conditions of ${prefix.slice(0, -1)} count`}
          isBare
          value={joint}
          choices={joints}
          onChange={(chosen) => onChange({ ...group, joint: chosen })}
        />
      )}
      {isPlain && items.length === 0 && (
        <p class="muted">
          {prefix === "" ? "All rows. Add a condition to let fewer through." : "Whatever it is like."}
        </p>
      )}
      {items.map((node, index) => (
        <NodeFields
          key={index}
          place={place}
          names={names}
          node={node}
          number={`${prefix}${index + 1}`}
          onChange={(changed) => put(index, changed)}
          onRemove={() => remove(index)}
        />
      ))}
      <AddButtons place={place} names={names} onAdd={(node) => onChange({ ...group, items: [...items, node] })} />
    </div>
  );
}

interface AddButtonsProps {
  readonly place: TablePlace;
  readonly names: TableNames;
  readonly onAdd: (node: FilterNode) => void;
}

function AddButtons({ place, names: { columns, relationships }, onAdd }: AddButtonsProps) {
  const [column] = columns;
  const [relationship] = relationships;
  const [table] = sourceNamed(place.source)?.tables ?? [];
  return (
    <div class="row">
      {column && (
        <Button
          icon="add"
          onClick={() => onAdd({ kind: "condition", column: column.name, operator: "_eq", value: "X-Engine-User-Id" })}
        >
          Condition
        </Button>
      )}
      {relationship && (
        <Button
          icon="add"
          kind="quiet"
          onClick={() => onAdd({ kind: "related", relationship: relationship.name, filter: {} })}
        >
          Related row
        </Button>
      )}
      <Button icon="add" kind="quiet" onClick={() => onAdd({ kind: "group", joint: "any", items: [] })}>
        Group
      </Button>
      {table && (
        <Button icon="add" kind="quiet" onClick={() => onAdd({ kind: "exists", table: table.table, filter: {} })}>
          Row anywhere
        </Button>
      )}
    </div>
  );
}

interface NodeFieldsProps {
  readonly place: TablePlace;
  readonly names: TableNames;
  readonly node: FilterNode;
  /** `2.1`: the first part of the second one. */
  readonly number: string;
  readonly onChange: (node: FilterNode) => void;
  readonly onRemove: () => void;
}

function NodeFields({ place, names, node, number, onChange, onRemove }: NodeFieldsProps) {
  const removeButton = <IconButton icon="remove" label={`Remove condition ${number}`} onClick={onRemove} />;
  const within = (table: QualifiedName, filter: JsonObject, change: (filter: JsonObject) => void) => (
    <FilterBuilder
      key={JSON.stringify(table)}
      place={{ ...place, table }}
      filter={filter}
      prefix={`${number}.`}
      onChange={change}
    />
  );
  switch (node.kind) {
    case "condition":
      return (
        <ConditionRow
          kind={place.kind}
          columns={names.columns}
          condition={node}
          number={number}
          onChange={(changed) => onChange({ ...changed, kind: "condition" })}
          onRemove={onRemove}
        />
      );
    case "group":
      return (
        <div class="filter-part">
          <div class="filter-part-body">
            <GroupFields place={place} names={names} group={node} prefix={`${number}.`} onChange={onChange} />
          </div>
          {removeButton}
        </div>
      );
    case "related": {
      const target = names.relationships.find(({ name }) => name === node.relationship);
      return (
        <div class="filter-part">
          <div class="filter-part-body stack">
            <SelectField<string>
              label={`Relationship of condition ${number}`}
              isBare
              value={node.relationship}
              choices={names.relationships.map(({ name, table }) => ({
                value: name,
                label: `a row of ${name} (${shownName(place.kind, table)}), where`,
              }))}
              onChange={(relationship) => onChange({ kind: "related", relationship, filter: {} })}
            />
            {target && within(target.table, node.filter, (filter) => onChange({ ...node, filter }))}
          </div>
          {removeButton}
        </div>
      );
    }
    case "exists":
      return (
        <div class="filter-part">
          <div class="filter-part-body stack">
            <TableChoice
              place={place}
              table={node.table}
              number={number}
              onChange={(table) => onChange({ kind: "exists", table, filter: {} })}
            />
            {within(node.table, node.filter, (filter) => onChange({ ...node, filter }))}
          </div>
          {removeButton}
        </div>
      );
    case "other":
      return (
        <div class="filter-part">
          <pre class="code-block filter-part-body">{JSON.stringify(node.filter, null, 2)}</pre>
          {removeButton}
        </div>
      );
  }
}

interface TableChoiceProps {
  readonly place: TablePlace;
  readonly table: QualifiedName;
  readonly number: string;
  readonly onChange: (table: QualifiedName) => void;
}

function TableChoice({ place, table, number, onChange }: TableChoiceProps) {
  const tables = (sourceNamed(place.source)?.tables ?? []).map((each) => each.table);
  const keyOf = ({ schema, name }: QualifiedName): string => JSON.stringify([schema, name]);
  const isListed = tables.some((each) => keyOf(each) === keyOf(table));
  return (
    <SelectField<string>
      label={`Table of condition ${number}`}
      isBare
      value={keyOf(table)}
      choices={(isListed ? tables : [table, ...tables]).map((each) => ({
        value: keyOf(each),
        label: `any row of ${shownName(place.kind, each)}, where`,
      }))}
      onChange={(key) => {
        const found = tables.find((each) => keyOf(each) === key);
        if (found) onChange({ schema: found.schema, name: found.name });
      }}
    />
  );
}
