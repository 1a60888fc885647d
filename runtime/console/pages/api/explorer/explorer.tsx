/** Tree of the role's schema. Check boxes show the selection of the operation in the editor, and change it. */
import { computed, signal } from "@preact/signals";
import type { GraphQLSchema } from "graphql";
import { useMemo, useRef, useState } from "preact/hooks";
import { IconButton } from "../../../parts/button.tsx";
import { TextField } from "../../../parts/field.tsx";
import { Icon } from "../../../parts/icon.tsx";
import { useVirtualRows } from "../../../parts/virtual-rows.ts";
import { showDocumentation } from "../panel-state.ts";
import { operation, operationName, query } from "../request-state.ts";
import { entryOf, type SchemaPath } from "./paths.ts";
import { addPath, hasPath, readDocument, removePath } from "./selection.ts";
import { type TreeRow, treeRows } from "./tree-rows.ts";

const rowHeight = 26;

/** Keys of expanded rows. They stay expanded while the panel is hidden. */
const expanded = signal<ReadonlySet<string>>(new Set(["query"]));

const document = computed(() => readDocument(query.value));

const currentName = (): string | null => operation.value?.name?.value ?? null;

const isChecked = (path: SchemaPath): boolean =>
  document.value !== null && path.steps.length > 0 && hasPath(document.value, path, currentName());

export function Explorer({ schema }: { readonly schema: GraphQLSchema }) {
  const [search, setSearch] = useState("");
  const [isOnlyChecked, setOnlyChecked] = useState(false);
  const checkedDocument = isOnlyChecked ? document.value : null;
  const keys = expanded.value;
  const rows = useMemo(
    () => treeRows(schema, { expanded: keys, search, isShown: (path) => !isOnlyChecked || isChecked(path) }),
    [schema, keys, search, isOnlyChecked, checkedDocument],
  );
  return (
    <div class="with-head">
      <div class="explorer-head">
        <TextField
          label="Search fields"
          isBare
          type="search"
          placeholder="Search fields…"
          value={search}
          onInput={setSearch}
        />
        <IconButton
          icon="check"
          label="Only selected fields"
          pressed={isOnlyChecked}
          onClick={() => setOnlyChecked(!isOnlyChecked)}
        />
      </div>
      {document.value === null && (
        <p class="explorer-note" role="status">
          The operation has a syntax error. Correct it to use the check boxes.
        </p>
      )}
      <Tree schema={schema} rows={rows} />
    </div>
  );
}

function setExpanded({ key, isExpandable }: TreeRow, isExpanded: boolean): void {
  if (!isExpandable) return;
  const next = new Set(expanded.value);
  if (isExpanded) next.add(key);
  else next.delete(key);
  expanded.value = next;
}

function toggleChecked({ path }: TreeRow): void {
  if (path.steps.length === 0) return;
  const change = isChecked(path) ? removePath : addPath;
  const { text, operationName: name } = change(query.value, path, currentName());
  query.value = text;
  operationName.value = name;
}

function Tree({ schema, rows }: { readonly schema: GraphQLSchema; readonly rows: readonly TreeRow[] }) {
  const scroller = useRef<HTMLDivElement>(null);
  const [activeKey, setActive] = useState<string | null>(null);
  const { height, rows: visible, scrollTo } = useVirtualRows({ count: rows.length, rowHeight, scroller });
  const active = Math.max(
    0,
    rows.findIndex(({ key }) => key === activeKey),
  );
  const moveTo = (index: number): void => {
    const row = rows[Math.min(Math.max(index, 0), rows.length - 1)];
    if (!row) return;
    setActive(row.key);
    scrollTo(rows.indexOf(row));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const row = rows[active];
    const action = row && !event.ctrlKey && !event.metaKey && !event.altKey ? actions[event.key] : undefined;
    if (!action) return;
    event.preventDefault();
    action({ schema, row: row as TreeRow, rows, active, moveTo });
  };
  const isActiveVisible = visible.some(({ index }) => index === active);
  return (
    <div
      class="explorer-tree"
      role="tree"
      aria-label="Fields"
      tabIndex={0}
      ref={scroller}
      onKeyDown={onKeyDown}
      {...(isActiveVisible && rows.length > 0 && { "aria-activedescendant": idOf(active) })}
    >
      <div class="side-rows" role="none" style={{ height: `${height}px` }}>
        {visible.map(({ index, start }) => {
          const row = rows[index];
          if (!row) return null;
          return (
            <TreeItem
              key={row.key}
              row={row}
              index={index}
              start={start}
              isActive={index === active}
              onActivate={() => setActive(row.key)}
              onDocumentation={() => showDocumentation(entryOf(schema, row.path))}
            />
          );
        })}
      </div>
      {rows.length === 0 && <p class="side-empty">No matches</p>}
    </div>
  );
}

const idOf = (index: number): string => `explorer-row-${index}`;

interface KeyContext {
  readonly schema: GraphQLSchema;
  readonly row: TreeRow;
  readonly rows: readonly TreeRow[];
  readonly active: number;
  moveTo(index: number): void;
}

const actions: Readonly<Record<string, (context: KeyContext) => void>> = {
  ArrowDown: ({ active, moveTo }) => moveTo(active + 1),
  ArrowUp: ({ active, moveTo }) => moveTo(active - 1),
  PageDown: ({ active, moveTo }) => moveTo(active + 20),
  PageUp: ({ active, moveTo }) => moveTo(active - 20),
  Home: ({ moveTo }) => moveTo(0),
  End: ({ rows, moveTo }) => moveTo(rows.length - 1),
  ArrowRight: ({ row, active, moveTo }) => {
    if (row.isExpanded) moveTo(active + 1);
    else setExpanded(row, true);
  },
  ArrowLeft: ({ row, rows, active, moveTo }) => {
    if (row.isExpanded) setExpanded(row, false);
    else moveTo(rows.findLastIndex(({ level }, index) => index < active && level < row.level));
  },
  Enter: ({ row }) => (row.path.steps.length === 0 ? setExpanded(row, !row.isExpanded) : toggleChecked(row)),
  F1: ({ row, schema }) => showDocumentation(entryOf(schema, row.path)),
  " ": ({ row }) => (row.path.steps.length === 0 ? setExpanded(row, !row.isExpanded) : toggleChecked(row)),
};

interface TreeItemProps {
  readonly row: TreeRow;
  readonly index: number;
  /** Distance from the top of the tree in pixels. */
  readonly start: number;
  readonly isActive: boolean;
  readonly onActivate: () => void;
  readonly onDocumentation: () => void;
}

function TreeItem({ row, index, start, isActive, onActivate, onDocumentation }: TreeItemProps) {
  const { path, level, isExpandable, isExpanded } = row;
  const step = path.steps.at(-1);
  const checked = isChecked(path);
  const name = step?.kind === "type" ? `... on ${step.name}` : (step?.name ?? path.operation);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles the keys of its active row
    <div
      id={idOf(index)}
      class={isActive ? "side-row explorer-row active" : "side-row explorer-row"}
      role="treeitem"
      tabIndex={-1}
      aria-level={level}
      aria-selected={isActive}
      {...(isExpandable && { "aria-expanded": isExpanded })}
      {...(step && { "aria-checked": checked })}
      {...(step && document.value === null && { "aria-disabled": true })}
      style={{ transform: `translateY(${start}px)`, paddingInlineStart: `${(level - 1) * 14 + 4}px` }}
      onMouseDown={(event) => {
        // The focus stays on the tree, whose active row this becomes.
        event.preventDefault();
        event.currentTarget.closest<HTMLElement>("[role=tree]")?.focus({ preventScroll: true });
        onActivate();
      }}
      onClick={({ target }) => {
        const isIn = (part: string): boolean => target instanceof Element && target.closest(part) !== null;
        if (isIn(".explorer-docs")) onDocumentation();
        else if (!step || isIn(".explorer-arrow")) setExpanded(row, !isExpanded);
        else toggleChecked(row);
      }}
    >
      <span class="explorer-arrow">{isExpandable && <Icon name={isExpanded ? "down" : "right"} />}</span>
      {step && (
        <span class={checked ? "explorer-box checked" : "explorer-box"}>{checked && <Icon name="check" />}</span>
      )}
      <bdi class={`explorer-name ${step?.kind ?? "operation"}`}>{name}</bdi>
      {step && step.kind !== "type" && <bdi class="explorer-type">{` ${step.type}`}</bdi>}
      <span class="explorer-docs" title="Documentation (F1)">
        <Icon name="book" />
      </span>
    </div>
  );
}
