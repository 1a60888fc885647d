/** What a table is like: columns, keys, indexes, constraints; the query of a view. */
import type { ColumnInfo, IndexInfo, TableInfo } from "../../http/data-api.ts";
import type { Source } from "../../http/metadata-types.ts";
import { Icon } from "../../parts/icon.tsx";
import { Link } from "../../routing/link.tsx";

export function Structure({ source, info }: { readonly source: Source; readonly info: TableInfo }) {
  const keys = info.primary_key ?? [];
  return (
    <div class="stack">
      <section class="card table-card" aria-label="Columns">
        <table class="plain-table">
          <thead>
            <tr>
              <th scope="col">Column</th>
              <th scope="col">Type</th>
              <th scope="col">About</th>
              <th scope="col">Leads to</th>
            </tr>
          </thead>
          <tbody>
            {info.columns.map((column) => (
              <tr key={column.name}>
                <th scope="row">
                  <span class="row">
                    <bdi>{column.name}</bdi>
                    {keys.includes(column.name) && <Key />}
                  </span>
                </th>
                <td>
                  <code>{column.type}</code>
                </td>
                <td class="muted">{aboutColumn(column)}</td>
                <td>
                  <Target source={source} info={info} column={column.name} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {info.comment !== null && <p class="table-comment">{info.comment}</p>}
      <Definitions title="Indexes" rows={info.indexes.map((index) => ({ ...index, about: aboutIndex(index) }))} />
      <Definitions title="Constraints" rows={info.constraints.map((each) => ({ ...each, about: each.type }))} />
      {info.view_definition !== null && (
        <section class="stack" aria-label="Definition">
          <h2>Definition</h2>
          <pre class="code-block">{info.view_definition}</pre>
        </section>
      )}
    </div>
  );
}

const aboutIndex = ({ primary, unique }: IndexInfo): string => (primary ? "primary key" : unique ? "unique" : "");

interface DefinitionsProps {
  readonly title: string;
  readonly rows: readonly { readonly name: string; readonly about: string; readonly definition: string }[];
}

function Definitions({ title, rows }: DefinitionsProps) {
  if (rows.length === 0) return null;
  return (
    <section class="card table-card" aria-label={title}>
      <table class="plain-table">
        <thead>
          <tr>
            <th scope="col">{title}</th>
            <th scope="col">About</th>
            <th scope="col">Definition</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, about, definition }) => (
            <tr key={name}>
              <th scope="row">
                <bdi>{name}</bdi>
              </th>
              <td class="muted">{about}</td>
              <td>
                <code>
                  <bdi>{definition}</bdi>
                </code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Key() {
  return (
    <span class="badge accent" title="part of the primary key">
      <Icon name="key" /> key
    </span>
  );
}

const generated: Readonly<Record<string, string>> = {
  auto_increment: "counted by the database",
  default_value: "has a default",
  unique_identifier: "made by the database",
};

function aboutColumn({ nullable, value_generated: made, updatable, description }: ColumnInfo): string {
  const parts = [
    nullable ? "may be null" : "",
    made ? (generated[made.type] ?? made.type) : "",
    updatable === false ? "cannot be changed" : "",
    description ?? "",
  ];
  return parts.filter((part) => part !== "").join(", ");
}

interface TargetProps {
  readonly source: Source;
  readonly info: TableInfo;
  readonly column: string;
}

function Target({ source, info, column }: TargetProps) {
  const found = Object.values(info.foreign_keys ?? {}).find(({ column_mapping: mapping }) => column in mapping);
  if (!found) return null;
  const { schema, name } = found.foreign_table;
  return (
    <Link to={["data", source.name, schema, name]}>
      <bdi>{`${name}.${found.column_mapping[column] ?? ""}`}</bdi>
    </Link>
  );
}
