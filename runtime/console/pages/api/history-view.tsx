/** Operations that ran before, to be taken up again. */
import { Button } from "../../parts/button.tsx";
import { Empty } from "../../parts/empty.tsx";
import { forgetAll, history } from "./history.ts";
import { takeUp } from "./request-state.ts";

export function HistoryView() {
  if (history.value.length === 0) return <Empty title="Operations that you run are listed here." />;
  return (
    <div class="history">
      <ul>
        {history.value.map((entry) => (
          <li key={entry.at + entry.query}>
            <button type="button" class="history-entry" onClick={() => takeUp(entry)}>
              <code>{entry.query.replace(/\s+/g, " ").trim().slice(0, 200)}</code>
              <span class="muted">
                {new Date(entry.at).toLocaleString()} {entry.role !== "" && `· ${entry.role}`}
              </span>
            </button>
          </li>
        ))}
      </ul>
      <div class="history-foot">
        <Button kind="quiet" icon="remove" onClick={forgetAll}>
          Forget all
        </Button>
      </div>
    </div>
  );
}
