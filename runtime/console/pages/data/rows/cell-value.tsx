/** Value of a cell: shortened text, null, or a value with a link to the row that it references. */
import type { ColumnInfo, ForeignKey, Row, TableInfo, TableLocation } from "../../../http/data-api.ts";
import type { Json } from "../../../http/metadata-types.ts";
import { IconButton } from "../../../parts/button.tsx";
import { cellText } from "../../../parts/cell-text.ts";
import { Icon } from "../../../parts/icon.tsx";
import { Link } from "../../../routing/link.tsx";
import { typedText } from "../typed-value.ts";

interface CellValueProps {
  readonly location: TableLocation;
  readonly info: TableInfo;
  readonly column: ColumnInfo;
  readonly row: Row;
  /** Shows the value in full. */
  readonly onExpand: () => void;
}

/** Cells with longer texts have a button that shows them in full. */
const expandedLength = 24;

export function CellValue({ location, info, column, row, onExpand }: CellValueProps) {
  const value = row[column.name];
  if (value === undefined) return <NotInApi />;
  if (value === null) return <span class="null">null</span>;
  const text = cellText(value);
  const isLong = text.length > expandedLength || text.includes("\n");
  const reference = foreignKeyOf(info, column.name);
  return (
    <span class="cell-value">
      {text === "" ? <span class="null">empty text</span> : <bdi class="row-cell-text">{text}</bdi>}
      {reference && <ReferenceLink location={location} reference={reference} row={row} tabIndex={-1} />}
      {isLong && (
        <span class="cell-expand">
          <IconButton icon="right" label={`Show ${column.name} in full`} onClick={onExpand} tabIndex={-1} />
        </span>
      )}
    </span>
  );
}

export function NotInApi() {
  return (
    <span
      class="null"
      title="The column name is not a valid GraphQL name. Set a custom name in the configuration of the table."
    >
      Not in the API
    </span>
  );
}

export const foreignKeyOf = (info: TableInfo, column: string): ForeignKey | undefined =>
  Object.values(info.foreign_keys ?? {}).find(({ column_mapping: mapping }) => column in mapping);

interface ReferenceLinkProps {
  readonly location: TableLocation;
  readonly reference: ForeignKey;
  readonly row: Row;
  readonly tabIndex?: number;
}

export function ReferenceLink({ location, reference, row, tabIndex }: ReferenceLinkProps) {
  const { foreign_table: table, column_mapping: mapping } = reference;
  const where = Object.fromEntries(Object.entries(mapping).map(([from, to]) => [to, { _eq: row[from] as Json }]));
  const text = `Open the referenced row of ${table.name}`;
  return (
    <Link
      to={["data", location.source, table.schema, table.name]}
      query={{ where: JSON.stringify(where) }}
      class="reference-link"
      title={text}
      {...(tabIndex !== undefined && { tabIndex })}
    >
      <Icon name="link" />
      <span class="visually-hidden">{text}</span>
    </Link>
  );
}

/** Returns the whole text of a value. */
export const clipboardText = (value: unknown): string => typedText(value, "text");
