/** The columns of a table of rows: sorted by a click, foreign keys as links. */
import type { Row, RowOrder, TableInfo, TablePlace } from "../../http/data-api.ts";
import { IconButton } from "../../parts/button.tsx";
import { cellText } from "../../parts/cell-text.ts";
import type { Column } from "../../parts/data-table.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Link } from "../../routing/link.tsx";

interface RowActions {
  readonly order: RowOrder | null;
  readonly onOrder: (order: RowOrder | null) => void;
  readonly onEdit: (row: Row) => void;
  readonly onDelete: (row: Row) => void;
}

export function columnsOfRows(place: TablePlace, info: TableInfo, actions: RowActions): readonly Column<Row>[] {
  const hasKey = (info.primary_key ?? []).length > 0;
  const values = info.columns.map(
    ({ name }): Column<Row> => ({
      key: name,
      title: <SortButton name={name} order={actions.order} onOrder={actions.onOrder} />,
      width: 180,
      cell: (row) => <Value place={place} info={info} column={name} row={row} />,
    }),
  );
  const changes: Column<Row> = {
    key: " actions",
    title: <span class="visually-hidden">Actions</span>,
    width: 76,
    cell: (row) => (
      <span class="row-actions">
        <IconButton icon="edit" label="Edit this row" onClick={() => actions.onEdit(row)} />
        <IconButton icon="remove" label="Delete this row" onClick={() => actions.onDelete(row)} />
      </span>
    ),
  };
  return hasKey ? [changes, ...values] : values;
}

interface SortButtonProps {
  readonly name: string;
  readonly order: RowOrder | null;
  readonly onOrder: (order: RowOrder | null) => void;
}

function SortButton({ name, order, onOrder }: SortButtonProps) {
  const own = order?.column === name ? order.type : null;
  const next = own === null ? "asc" : own === "asc" ? "desc" : null;
  const said = own === null ? "" : own === "asc" ? ", ascending" : ", descending";
  return (
    <button
      type="button"
      class="sort"
      title={`Sort by ${name}`}
      onClick={() => onOrder(next && { column: name, type: next })}
    >
      <bdi>{name}</bdi>
      {own && <Icon name={own === "asc" ? "up" : "down"} />}
      <span class="visually-hidden">{said}</span>
    </button>
  );
}

interface ValueProps {
  readonly place: TablePlace;
  readonly info: TableInfo;
  readonly column: string;
  readonly row: Row;
}

function Value({ place, info, column, row }: ValueProps) {
  const value = row[column];
  if (value === undefined) {
    return (
      <span class="null" title="Its name is no name of GraphQL: give it another one in the configuration of the table">
        not in the API
      </span>
    );
  }
  if (value === null) return <span class="null">null</span>;
  const text = <bdi>{cellText(value)}</bdi>;
  const key = Object.values(info.foreign_keys ?? {}).find(({ column_mapping: mapping }) => column in mapping);
  if (!key) return text;
  const { foreign_table: table, column_mapping: mapping } = key;
  const where = Object.fromEntries(Object.entries(mapping).map(([from, to]) => [to, { _eq: row[from] }]));
  return (
    <Link
      to={["data", place.source, table.schema, table.name]}
      query={{ where: JSON.stringify(where) }}
      title={`Follow to ${table.name}`}
    >
      {text}
    </Link>
  );
}
