/** Diff of two texts with removed and added lines. */
import { useMemo } from "preact/hooks";
import { type DiffLine, diffLines } from "./diff-lines.ts";

interface DiffViewProps {
  readonly label: string;
  readonly before: string;
  readonly after: string;
}

const marks: Readonly<Record<DiffLine["kind"], string>> = { same: " ", added: "+", removed: "−", skipped: "" };
const names: Readonly<Record<DiffLine["kind"], string>> = {
  same: "",
  added: "added: ",
  removed: "removed: ",
  skipped: "",
};

export function DiffView({ label, before, after }: DiffViewProps) {
  const lines = useMemo(() => diffLines(before, after), [before, after]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    <section class="diff" aria-label={label} tabIndex={0}>
      {lines.map(({ kind, text, number }) => (
        <div key={`${kind}${number}`} class={`diff-line ${kind}`}>
          <span class="diff-mark" aria-hidden="true">
            {marks[kind]}
          </span>
          <code>
            {names[kind] !== "" && <span class="visually-hidden">{names[kind]}</span>}
            <bdi>{text}</bdi>
          </code>
        </div>
      ))}
    </section>
  );
}
