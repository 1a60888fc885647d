/** The tables of the diagram as a list, which also works without the drawing. */
import { useMemo } from "preact/hooks";
import type { Source } from "../../../http/metadata-types.ts";
import { IconButton } from "../../../parts/button.tsx";
import { DataTable } from "../../../parts/data-table.tsx";
import { Empty } from "../../../parts/empty.tsx";
import { Link } from "../../../routing/link.tsx";
import type { DiagramModel, DiagramTable } from "./model.ts";
import type { Neighbours } from "./selection.ts";

interface TableListProps {
  readonly source: Source;
  readonly model: DiagramModel;
  readonly neighbours: Neighbours;
  readonly tables: readonly DiagramTable[];
  readonly focus: string | null;
  readonly onFocus: (key: string) => void;
}

/** Number of related tables that a row names. */
const maxNames = 20;

export function TableList({ source, model, neighbours, tables, focus, onFocus }: TableListProps) {
  const related = (key: string): string => {
    const names = [...(neighbours.get(key) ?? [])].map((each) => model.tables.get(each)?.label ?? each).sort();
    const shown = names.slice(0, maxNames).join(", ");
    return names.length > maxNames ? `${shown} and ${names.length - maxNames} more` : shown;
  };
  const columns = useMemo(
    () => [
      {
        key: "name",
        title: "Table",
        width: 125,
        cell: ({ schema, name, label }: DiagramTable) => (
          <Link to={["data", source.name, schema, name]}>
            <bdi>{label}</bdi>
          </Link>
        ),
      },
      {
        key: "related",
        title: "Related tables",
        width: 115,
        cell: ({ key }: DiagramTable) => <bdi class="muted">{related(key)}</bdi>,
      },
      {
        key: "focus",
        title: <span class="visually-hidden">Focus</span>,
        width: 56,
        cell: ({ key, label }: DiagramTable) => (
          <IconButton icon="search" label={`Focus on ${label}`} pressed={key === focus} onClick={() => onFocus(key)} />
        ),
      },
    ],
    [source, model, neighbours, focus, onFocus],
  );
  return (
    <DataTable label="Tables of the diagram" columns={columns} rows={tables} empty={<Empty title="No matches" />} />
  );
}
