/** Recent operations, which can be opened in the editor. */
import { Button } from "../../parts/button.tsx";
import { Empty } from "../../parts/empty.tsx";
import { openInEditor } from "./request-state.ts";
import { clearHistory, history } from "./run.ts";

export function HistoryView() {
  if (history.value.length === 0) return <Empty title="No operations run yet" />;
  return (
    <div class="history">
      <ul>
        {history.value.map((entry) => (
          <li key={entry.at + entry.query}>
            <button type="button" class="history-entry" onClick={() => openInEditor(entry)}>
              <code>{entry.query.replace(/\s+/g, " ").trim().slice(0, 200)}</code>
              <span class="muted">
                {new Date(entry.at).toLocaleString()} {entry.role !== "" && `· ${entry.role}`}
              </span>
            </button>
          </li>
        ))}
      </ul>
      <div class="history-foot">
        <Button kind="quiet" icon="remove" onClick={clearHistory}>
          Clear history
        </Button>
      </div>
    </div>
  );
}
