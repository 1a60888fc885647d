/** Form for row filters: nested groups, conditions on columns and on rows of other tables. */
import type { TableLocation } from "../../http/data-api.ts";
import type { JsonObject, QualifiedName } from "../../http/metadata-types.ts";
import { Button, IconButton } from "../../parts/button.tsx";
import { Loading } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { SelectField } from "../../parts/field.tsx";
import { Menu, type MenuItem } from "../../parts/menu.tsx";
import { shownName } from "../../parts/table-name.ts";
import { sourceNamed } from "../../state/metadata.ts";
import { ConditionRow } from "./condition-row.tsx";
import { ConnectiveSwitch } from "./connective-switch.tsx";
import { type TableNames, useTableNames } from "./filter-names.ts";
import { type FilterNode, filterOf, type Group, treeOf } from "./filter-tree.ts";

interface FilterBuilderProps {
  readonly location: TableLocation;
  readonly filter: JsonObject;
  /** Prefix of condition numbers, such as `2.1.`; empty for the whole filter. */
  readonly prefix: string;
  readonly onChange: (filter: JsonObject) => void;
}

/** Loads the columns and relationships of the table, then shows the form. */
export function FilterBuilder({ location, filter, prefix, onChange }: FilterBuilderProps) {
  const { names, error, isLoading } = useTableNames(location);
  if (error !== null) return <ErrorBox error={error} />;
  if (!names) return isLoading ? <Loading item="columns" /> : <p class="muted">Table not found in the database</p>;
  const tree = treeOf(filter, {
    columns: new Set(names.columns.map(({ name }) => name)),
    relationships: new Set(names.relationships.map(({ name }) => name)),
  });
  return (
    <GroupFields
      location={location}
      names={names}
      group={tree}
      prefix={prefix}
      isWhole
      onChange={(changed) => onChange(filterOf(changed))}
    />
  );
}

interface GroupFieldsProps {
  readonly location: TableLocation;
  readonly names: TableNames;
  readonly group: Group;
  readonly prefix: string;
  /** True for the whole filter of a table, false for a group in it. */
  readonly isWhole?: boolean;
  readonly onChange: (group: Group) => void;
}

function GroupFields({ location, names, group, prefix, isWhole = false, onChange }: GroupFieldsProps) {
  const { connective, items } = group;
  const put = (index: number, node: FilterNode): void =>
    onChange({ ...group, items: items.map((each, at) => (at === index ? node : each)) });
  const remove = (index: number): void => onChange({ ...group, items: items.filter((_each, at) => at !== index) });
  const add = (node: FilterNode): void => onChange({ ...group, items: [...items, node] });
  const [column] = names.columns;
  const isPlain = isWhole && connective === "all" && items.length < 2;
  return (
    <div class="stack filter-group">
      {!isPlain && (
        <ConnectiveSwitch
          label={prefix === "" ? "Operator of the filter" : `Operator of group ${prefix.slice(0, -1)}`}
          value={connective}
          onChange={(chosen) => onChange({ ...group, connective: chosen })}
        />
      )}
      {isPlain && items.length === 0 && prefix !== "" && <p class="muted">No conditions</p>}
      {items.map((node, index) => (
        <NodeFields
          key={index}
          location={location}
          names={names}
          node={node}
          number={`${prefix}${index + 1}`}
          onChange={(changed) => put(index, changed)}
          onRemove={() => remove(index)}
        />
      ))}
      <div class="row">
        {column && (
          <Button icon="add" onClick={() => add({ ...newCondition, column: column.name })}>
            {prefix === "" ? "Add condition" : `Add condition to ${prefix.slice(0, -1)}`}
          </Button>
        )}
        <Menu
          icon="add"
          text="Add"
          label={prefix === "" ? "Add to filter" : `Add to ${prefix.slice(0, -1)}`}
          items={addable({ location, names, onAdd: add })}
        />
      </div>
    </div>
  );
}

interface Adding {
  readonly location: TableLocation;
  readonly names: TableNames;
  readonly onAdd: (node: FilterNode) => void;
}

const newCondition = { kind: "condition", operator: "_eq", value: "X-Engine-User-Id" } as const;

/** Returns the parts, besides conditions on columns, that the table can have in a filter. */
function addable({ location, names: { relationships }, onAdd }: Adding): readonly MenuItem[] {
  const [relationship] = relationships;
  const [table] = sourceNamed(location.source)?.tables ?? [];
  const item = (label: string, node: FilterNode): MenuItem => ({ label, onSelect: () => onAdd(node) });
  return [
    ...(relationship
      ? [
          item("Relationship condition", { kind: "related", relationship: relationship.name, filter: {} }),
          item("Readable related row", { kind: "permitted", relationship: relationship.name }),
        ]
      : []),
    ...(table ? [item("Exists condition", { kind: "exists", table: table.table, filter: {} })] : []),
    item("Group", { kind: "group", connective: "any", items: [] }),
  ];
}

interface NodeFieldsProps {
  readonly location: TableLocation;
  readonly names: TableNames;
  readonly node: FilterNode;
  /** Position in the tree: `2.1` is the first condition in the second group. */
  readonly number: string;
  readonly onChange: (node: FilterNode) => void;
  readonly onRemove: () => void;
}

function NodeFields({ location, names, node, number, onChange, onRemove }: NodeFieldsProps) {
  const removeButton = <IconButton icon="remove" label={`Remove condition ${number}`} onClick={onRemove} />;
  const within = (table: QualifiedName, filter: JsonObject, change: (filter: JsonObject) => void) => (
    <FilterBuilder
      key={JSON.stringify(table)}
      location={{ ...location, table }}
      filter={filter}
      prefix={`${number}.`}
      onChange={change}
    />
  );
  const relationshipChoice = (rows: string, chosen: string, change: (relationship: string) => void) => (
    <SelectField<string>
      label={`Relationship of condition ${number}`}
      isBare
      value={chosen}
      choices={names.relationships.map(({ name, table }) => ({
        value: name,
        label: `${rows} of ${name} (${shownName(location.kind, table)})`,
      }))}
      onChange={change}
    />
  );
  switch (node.kind) {
    case "condition":
      return (
        <ConditionRow
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
            <GroupFields location={location} names={names} group={node} prefix={`${number}.`} onChange={onChange} />
          </div>
          {removeButton}
        </div>
      );
    case "related": {
      const target = names.relationships.find(({ name }) => name === node.relationship);
      return (
        <div class="filter-part">
          <div class="filter-part-body stack">
            {relationshipChoice("Related row", node.relationship, (relationship) =>
              onChange({ kind: "related", relationship, filter: {} }),
            )}
            {target && within(target.table, node.filter, (filter) => onChange({ ...node, filter }))}
          </div>
          {removeButton}
        </div>
      );
    }
    case "permitted":
      return (
        <div class="filter-part">
          <div class="filter-part-body">
            {relationshipChoice("Readable row", node.relationship, (relationship) =>
              onChange({ kind: "permitted", relationship }),
            )}
          </div>
          {removeButton}
        </div>
      );
    case "exists":
      return (
        <div class="filter-part">
          <div class="filter-part-body stack">
            <TableChoice
              location={location}
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
  readonly location: TableLocation;
  readonly table: QualifiedName;
  readonly number: string;
  readonly onChange: (table: QualifiedName) => void;
}

function TableChoice({ location, table, number, onChange }: TableChoiceProps) {
  const tables = (sourceNamed(location.source)?.tables ?? []).map((each) => each.table);
  const keyOf = ({ schema, name }: QualifiedName): string => JSON.stringify([schema, name]);
  const isListed = tables.some((each) => keyOf(each) === keyOf(table));
  return (
    <SelectField<string>
      label={`Table of condition ${number}`}
      isBare
      value={keyOf(table)}
      choices={(isListed ? tables : [table, ...tables]).map((each) => ({
        value: keyOf(each),
        label: `Any row of ${shownName(location.kind, each)}`,
      }))}
      onChange={(key) => {
        const found = tables.find((each) => keyOf(each) === key);
        if (found) onChange({ schema: found.schema, name: found.name });
      }}
    />
  );
}
