/** Documentation of the role's schema: types and fields with links between them. */
import type { GraphQLSchema, GraphQLType } from "graphql";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Button } from "../../../parts/button.tsx";
import { TextField } from "../../../parts/field.tsx";
import { useVirtualRows } from "../../../parts/virtual-rows.ts";
import { type Entry, goBack, showDocumentation, visited } from "../panel-state.ts";
import { linkOf, type SchemaRow, schemaPage, searchSchema } from "./schema-pages.ts";

export function Documentation({ schema }: { readonly schema: GraphQLSchema }) {
  const [search, setSearch] = useState("");
  const entry = visited.value.at(-1) ?? { type: null };
  const key = JSON.stringify([visited.value.length, entry]);
  const firstKey = useRef<string | null>(key);
  if (firstKey.current !== key) firstKey.current = null;
  // A link in the results closes the search.
  useEffect(() => setSearch(""), [key]);
  const found = useMemo(() => (search.trim() === "" ? null : searchSchema(schema, search)), [schema, search]);
  return (
    <div class="with-head">
      <div class="explorer-head">
        <TextField
          label="Search types and root fields"
          isBare
          type="search"
          placeholder="Search types and root fields…"
          value={search}
          onInput={setSearch}
        />
      </div>
      {found ? (
        <Rows label="Search results" rows={found} empty="No matches" />
      ) : (
        <EntryPage key={key} schema={schema} entry={entry} isFirst={firstKey.current === key} />
      )}
    </div>
  );
}

interface EntryPageProps {
  readonly schema: GraphQLSchema;
  readonly entry: Entry;
  /** True for the page that the opened panel begins with. */
  readonly isFirst: boolean;
}

function EntryPage({ schema, entry, isFirst }: EntryPageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { title, kind, type, description, rowsTitle, rows } = useMemo(() => schemaPage(schema, entry), [schema, entry]);
  useEffect(() => {
    // The focus was on a link of the previous page, which no longer exists. The editor keeps the focus.
    if (!isFirst && document.activeElement === document.body) heading.current?.focus();
  }, []);
  return (
    <div class="with-head">
      <div class="docs-head">
        {visited.value.length > 1 && (
          <Button kind="quiet" icon="left" onClick={goBack}>
            Back
          </Button>
        )}
        <h3 ref={heading} tabIndex={-1}>
          <bdi>{title}</bdi>
          {type && (
            <>
              {": "}
              <TypeLink type={type} />
            </>
          )}
        </h3>
        <p class="muted">{kind}</p>
        {description !== undefined && <p class="docs-text">{description}</p>}
        {rows.length > 0 && <h4>{rowsTitle}</h4>}
      </div>
      <Rows label={`${rowsTitle} of ${title}`} rows={rows} empty="" />
    </div>
  );
}

const rowHeight = 46;

interface RowsProps {
  readonly label: string;
  readonly rows: readonly SchemaRow[];
  readonly empty: string;
}

function Rows({ label, rows, empty }: RowsProps) {
  const scroller = useRef<HTMLElement>(null);
  const { height, rows: visible } = useVirtualRows({ count: rows.length, rowHeight, scroller });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    <section class="docs-rows" aria-label={label} tabIndex={0} ref={scroller}>
      <div class="side-rows" style={{ height: `${height}px` }}>
        {visible.map(({ index, start }) => {
          const row = rows[index];
          if (!row) return null;
          const { name, entry, type, description } = row;
          return (
            <div key={index} class="side-row docs-row" style={{ transform: `translateY(${start}px)` }}>
              <p>
                {entry ? <EntryLink entry={entry} text={name} /> : <bdi>{name}</bdi>}
                {type && (
                  <>
                    {": "}
                    <TypeLink type={type} />
                  </>
                )}
              </p>
              <p class="muted" title={description}>
                {description}
              </p>
            </div>
          );
        })}
      </div>
      {rows.length === 0 && <p class="side-empty">{empty}</p>}
    </section>
  );
}

function EntryLink({ entry, text }: { readonly entry: Entry; readonly text: string }) {
  return (
    <button type="button" class="docs-link" onClick={() => showDocumentation(entry)}>
      <bdi>{text}</bdi>
    </button>
  );
}

const TypeLink = ({ type }: { readonly type: GraphQLType }) => <EntryLink entry={linkOf(type)} text={String(type)} />;
