/** Response with its duration, size and body. */
import { signal } from "@preact/signals";
import { CodeView } from "../../parts/code-view.tsx";
import { Empty } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { lazy } from "../../parts/lazy.tsx";
import { layOutJson } from "./json-layout.ts";
import { tablesOf } from "./result-tables.ts";
import { failure, type LiveResponse, response } from "./run.ts";

const WhyButton = lazy("explanation", async () => (await import("./why-request.tsx")).WhyButton);
const ResultTableView = lazy("tables", async () => (await import("./result-table-view.tsx")).ResultTableView);

/** Maximum length of a displayed response in characters. Formatting longer responses would block the page. */
const maxLength = 400_000;

export function ResultView() {
  if (failure.value !== null) {
    return (
      <div class="result-error">
        <ErrorBox error={failure.value}>
          <WhyButton />
        </ErrorBox>
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
  const hasTables = tablesOf(found.data).length > 0;
  const isTable = hasTables && view.value === "table";
  const text = isTable ? "" : prettyResponse(found);
  return (
    <div class="with-head">
      <div class="result-head">
        <p class="result-facts" role="status">
          <span class={found.errors.length > 0 ? "badge bad" : "badge good"}>
            {found.errors.length > 0 ? "Errors" : "Success"}
          </span>
          {found.count !== undefined && <span>{`Result ${found.count} after`}</span>}
          <span>{`${found.milliseconds.toFixed(found.milliseconds < 10 ? 1 : 0)} ms`}</span>
          <span>{sizeText(found.bytes)}</span>
          {text.length > maxLength && <span class="badge warn">Truncated</span>}
        </p>
        {found.errors.length > 0 && <WhyButton />}
        {hasTables && <ViewSwitch />}
      </div>
      {isTable ? (
        <ResultTableView data={found.data} />
      ) : (
        <CodeView text={text.slice(0, maxLength)} language="json" label="Result" />
      )}
    </div>
  );
}

// The browser remembers whether results are shown as JSON or as tables.

const views = ["json", "table"] as const;
type View = (typeof views)[number];

const titles: Readonly<Record<View, string>> = { json: "JSON", table: "Table" };

const key = "engine-console-result-view";

const view = signal<View>(localStorage.getItem(key) === "table" ? "table" : "json");

function ViewSwitch() {
  return (
    <fieldset class="result-views" aria-label="View of the result">
      {views.map((each) => (
        <button
          key={each}
          type="button"
          class="button quiet"
          aria-pressed={view.value === each}
          onClick={() => {
            view.value = each;
            localStorage.setItem(key, each);
          }}
        >
          {titles[each]}
        </button>
      ))}
    </fieldset>
  );
}

function prettyResponse({ text }: LiveResponse): string {
  if (text.length > maxLength * 2) return text;
  return layOutJson(text);
}

const sizeText = (bytes: number): string =>
  bytes < 1000
    ? `${bytes} B`
    : bytes < 1_000_000
      ? `${(bytes / 1000).toFixed(1)} kB`
      : `${(bytes / 1e6).toFixed(1)} MB`;
