/** Filterable list of links at the side of a page. */
import { type ComponentChildren, Fragment } from "preact";
import { useMemo, useRef, useState } from "preact/hooks";
import { Link } from "../routing/link.tsx";
import { TextField } from "./field.tsx";
import { useVirtualRows } from "./virtual-rows.ts";

export interface SideItem {
  readonly key: string;
  readonly text: string;
  /** `null` for a heading. */
  readonly to: readonly string[] | null;
  readonly note?: ComponentChildren;
  readonly isCurrent?: boolean;
  readonly isMuted?: boolean;
}

interface SideListProps {
  readonly label: string;
  readonly items: readonly SideItem[];
  /** Buttons below the filter. */
  readonly children?: ComponentChildren;
  readonly empty: string;
}

const rowHeight = 28;

export function SideList({ label, items, children, empty }: SideListProps) {
  const [search, setSearch] = useState("");
  const scroller = useRef<HTMLElement>(null);
  const found = useMemo(() => filterItems(items, search), [items, search]);
  const { height, rows } = useVirtualRows({ count: found.length, rowHeight, scroller });
  return (
    <div class="side">
      <div class="side-head">
        <TextField
          label={`Filter: ${label}`}
          isBare
          type="search"
          placeholder="Filter…"
          value={search}
          onInput={setSearch}
        />
        {children}
      </div>
      <nav class="side-scroll" aria-label={label} ref={scroller}>
        <div class="side-rows" style={{ height: `${height}px` }}>
          {rows.map(({ index, start }) => {
            const item = found[index];
            if (!item) return null;
            return (
              <div key={item.key} class="side-row" style={{ transform: `translateY(${start}px)` }}>
                <Row item={item} />
              </div>
            );
          })}
        </div>
        {found.length === 0 && <p class="side-empty">{search === "" ? empty : "No matches"}</p>}
      </nav>
    </div>
  );
}

function Row({ item }: { readonly item: SideItem }) {
  const { text, to, note, isCurrent = false, isMuted = false } = item;
  const content = (
    <Fragment>
      <bdi class="side-text">{text}</bdi>
      {note !== undefined && <span class="side-note">{note}</span>}
    </Fragment>
  );
  if (to === null) return <div class="side-heading">{content}</div>;
  return (
    <Link to={to} current={isCurrent} class={isMuted ? "side-link muted" : "side-link"} title={text}>
      {content}
    </Link>
  );
}

/** Keeps the headings of matching items. */
function filterItems(items: readonly SideItem[], search: string): readonly SideItem[] {
  const text = search.trim().toLowerCase();
  if (text === "") return items;
  const found: SideItem[] = [];
  let heading: SideItem | null = null;
  for (const item of items) {
    if (item.to === null) {
      heading = item;
    } else if (item.text.toLowerCase().includes(text)) {
      if (heading) found.push(heading);
      heading = null;
      found.push(item);
    }
  }
  return found;
}
