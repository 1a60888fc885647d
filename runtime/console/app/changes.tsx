/** Dialog with the changes of this version, from the changelog. */
import { useEffect } from "preact/hooks";
import { endpoint } from "../http/address.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { type Block, type Inline, type Item, readMarkdown } from "./markdown.ts";
import { noteSeenChanges } from "./seen-changes.ts";

const blocks = readMarkdown(changesText);

export function Changes({ onClose }: { readonly onClose: () => void }) {
  useEffect(noteSeenChanges, []);
  return (
    <Dialog
      title="Changes in this version"
      isWide
      onClose={onClose}
      footer={
        <>
          <a href={endpoint("/docs/reference/versions.html")} target="_blank" rel="noreferrer">
            Versions and compatibility
          </a>
          <span class="grow" />
          <Button onClick={onClose}>Close</Button>
        </>
      }
    >
      <div class="version-changes">{blocks.map(shownBlock)}</div>
    </Dialog>
  );
}

function shownBlock(block: Block, index: number) {
  switch (block.kind) {
    case "heading":
      return block.level === 2 ? (
        <h3 key={index}>{block.inline.map(shownInline)}</h3>
      ) : (
        <h4 key={index}>{block.inline.map(shownInline)}</h4>
      );
    case "paragraph":
      return <p key={index}>{block.inline.map(shownInline)}</p>;
    case "list":
      return <List key={index} items={block.items} />;
  }
}

const List = ({ items }: { readonly items: readonly Item[] }) => (
  <ul>
    {items.map(({ inline, items: inner }, index) => (
      <li key={index}>
        {inline.map(shownInline)}
        {inner.length > 0 && <List items={inner} />}
      </li>
    ))}
  </ul>
);

function shownInline({ kind, text }: Inline, index: number) {
  if (kind === "code") return <code key={index}>{text}</code>;
  if (kind === "strong") return <strong key={index}>{text}</strong>;
  return kind === "emphasis" ? <em key={index}>{text}</em> : text;
}
