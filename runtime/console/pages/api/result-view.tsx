/** The answer: its time, its size, its text. */
import { CodeView } from "../../parts/code-view.tsx";
import { Empty } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { answer, failure, type LiveAnswer } from "./run.ts";

/** Longer answers are cut in the view: nobody reads them, and laying them out stops the page. */
const mostShown = 400_000;

export function ResultView() {
  if (failure.value !== null) {
    return (
      <div class="result-error">
        <ErrorBox error={failure.value} />
      </div>
    );
  }
  const found = answer.value;
  if (!found) {
    return (
      <Empty title="Results appear here.">
        <p>Run the operation with the button above, or with Ctrl+Enter in the editor.</p>
      </Empty>
    );
  }
  const text = prettyAnswer(found);
  return (
    <div class="with-head">
      <p class="result-facts" role="status">
        <span class={found.errors.length > 0 ? "badge bad" : "badge good"}>
          {found.errors.length > 0 ? "errors" : "success"}
        </span>
        {found.count !== undefined && <span>{`result ${found.count}, after`}</span>}
        <span>{`${found.milliseconds.toFixed(found.milliseconds < 10 ? 1 : 0)} ms`}</span>
        <span>{sizeText(found.bytes)}</span>
        {text.length > mostShown && <span class="badge warn">cut, too long to show</span>}
      </p>
      <CodeView text={text.slice(0, mostShown)} language="json" label="Result" />
    </div>
  );
}

function prettyAnswer({ text }: LiveAnswer): string {
  if (text.length > mostShown * 2) return text;
  return layOut(text);
}

/** Indents JSON without reading its values, so that every number stays as the database wrote it. */
function layOut(text: string): string {
  const lines: string[] = [];
  let depth = 0;
  let line = "";
  const breakLine = (): void => {
    lines.push(line);
    line = "  ".repeat(depth);
  };
  for (const token of text.match(/"(?:\\.|[^"\\])*"|[[\]{},:]|[^\s[\]{},:"]+/g) ?? []) {
    if (token === "{" || token === "[") {
      line += token;
      depth += 1;
      breakLine();
    } else if (token === "}" || token === "]") {
      depth -= 1;
      const isEmpty = line.trim() === "";
      if (isEmpty && /[[{]$/.test(lines.at(-1) ?? "")) line = lines.pop() ?? "";
      else breakLine();
      line += token;
    } else if (token === ",") {
      line += token;
      breakLine();
    } else {
      line += token === ":" ? ": " : token;
    }
  }
  lines.push(line);
  return lines.join("\n");
}

const sizeText = (bytes: number): string =>
  bytes < 1000
    ? `${bytes} B`
    : bytes < 1_000_000
      ? `${(bytes / 1000).toFixed(1)} kB`
      : `${(bytes / 1e6).toFixed(1)} MB`;
