/** Response with its duration, size and body. */
import { CodeView } from "../../parts/code-view.tsx";
import { Empty } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { failure, type LiveResponse, response } from "./run.ts";

/** Maximum length of a displayed response in characters. Formatting longer responses would block the page. */
const maxLength = 400_000;

export function ResultView() {
  if (failure.value !== null) {
    return (
      <div class="result-error">
        <ErrorBox error={failure.value} />
      </div>
    );
  }
  const found = response.value;
  if (!found) {
    return (
      <Empty title="No results yet">
        <p>Run the operation with the button above or with Ctrl+Enter in the editor.</p>
      </Empty>
    );
  }
  const text = prettyResponse(found);
  return (
    <div class="with-head">
      <p class="result-facts" role="status">
        <span class={found.errors.length > 0 ? "badge bad" : "badge good"}>
          {found.errors.length > 0 ? "Errors" : "Success"}
        </span>
        {found.count !== undefined && <span>{`Result ${found.count} after`}</span>}
        <span>{`${found.milliseconds.toFixed(found.milliseconds < 10 ? 1 : 0)} ms`}</span>
        <span>{sizeText(found.bytes)}</span>
        {text.length > maxLength && <span class="badge warn">Truncated</span>}
      </p>
      <CodeView text={text.slice(0, maxLength)} language="json" label="Result" />
    </div>
  );
}

function prettyResponse({ text }: LiveResponse): string {
  if (text.length > maxLength * 2) return text;
  return layOut(text);
}

/** Indents JSON without parsing its values, so that numbers keep their digits. */
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
