/** The API page: write operations, run them as any role, inspect results. */
import { useSignal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { Button } from "../../parts/button.tsx";
import { CodeEditor } from "../../parts/code-editor.tsx";
import { CodeView } from "../../parts/code-view.tsx";
import { Empty } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { SelectField } from "../../parts/field.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { loadMetadata, metadata, resourceVersion } from "../../state/metadata.ts";
import { ExplainView } from "./explain-view.tsx";
import { GraphqlEditor } from "./graphql-editor.tsx";
import { openInEditor, operation, operationName, operations, role, sentHeaders, variables } from "./request-state.ts";
import { ResultView } from "./result-view.tsx";
import { clearHistory, currentCall, history, isRunning, run, stop } from "./run.ts";
import { RunAs } from "./run-as.tsx";
import { curlSample, typescriptSample } from "./samples.ts";
import { SaveOperation } from "./save-operation.tsx";
import { SavedView } from "./saved-view.tsx";
import { loadSchema, schemaProblem } from "./schema.ts";

export default function ApiPage() {
  useEffect(() => {
    if (!metadata.value) void loadMetadata();
    return stop;
  }, []);
  const headersJson = JSON.stringify(sentHeaders.value);
  const version = resourceVersion.value;
  useEffect(() => {
    const timer = setTimeout(() => void loadSchema(JSON.parse(headersJson)), 300);
    return () => clearTimeout(timer);
  }, [headersJson, version]);
  return (
    <div class="with-head">
      <ApiToolbar />
      <div class="api-panes">
        <section class="api-request" aria-label="Request">
          <GraphqlEditor />
          <RequestTabs />
        </section>
        <section class="api-result" aria-label="Result">
          <ResultTabs />
        </section>
      </div>
    </div>
  );
}

function ApiToolbar() {
  const [isSaving, setSaving] = useState(false);
  const names = operations.value.flatMap(({ name }) => name?.value ?? []);
  return (
    <div class="toolbar">
      <h1>API</h1>
      {isRunning.value ? (
        <Button kind="primary" icon="stop" onClick={stop}>
          Stop
        </Button>
      ) : (
        <Button kind="primary" icon="run" onClick={() => void run()}>
          Run
        </Button>
      )}
      {names.length > 1 && (
        <SelectField
          label="Operation"
          isBare
          value={operation.value?.name?.value ?? ""}
          choices={names.map((name) => ({ value: name, label: name }))}
          onChange={(name) => {
            operationName.value = name;
          }}
        />
      )}
      <Button disabled={operation.value === null} onClick={() => setSaving(true)}>
        Save operation
      </Button>
      {isSaving && <SaveOperation onClose={() => setSaving(false)} />}
      <span class="badge accent">{`Role: ${role.value === "" ? "admin" : role.value}`}</span>
      {schemaProblem.value !== null && <span class="badge warn">{`Schema unavailable: ${schemaProblem.value}`}</span>}
    </div>
  );
}

type ResultTab = "result" | "plan" | "code";

function ResultTabs() {
  const tab = useSignal<ResultTab>("result");
  return (
    <Tabs<ResultTab>
      label="Result sections"
      tabs={[
        { name: "result", label: "Result" },
        { name: "plan", label: "Plan" },
        { name: "code", label: "Code" },
      ]}
      current={tab.value}
      onChange={(name) => {
        tab.value = name;
      }}
    >
      {tab.value === "result" && <ResultView />}
      {tab.value === "plan" && <ExplainView />}
      {tab.value === "code" && <SamplesView />}
    </Tabs>
  );
}

type RequestTab = "variables" | "run-as" | "saved" | "history";

function RequestTabs() {
  const tab = useSignal<RequestTab>("variables");
  return (
    <div class="api-request-tabs">
      <Tabs<RequestTab>
        label="Request sections"
        tabs={[
          { name: "variables", label: "Variables" },
          { name: "run-as", label: "Run as" },
          { name: "saved", label: "Saved" },
          { name: "history", label: "History" },
        ]}
        current={tab.value}
        onChange={(name) => {
          tab.value = name;
        }}
      >
        {tab.value === "variables" && (
          <CodeEditor
            label="Variables as JSON"
            language="json"
            placeholder="{ }"
            value={variables.value}
            onChange={(text) => {
              variables.value = text;
            }}
            onSubmit={() => void run()}
          />
        )}
        {tab.value === "run-as" && <RunAs />}
        {tab.value === "saved" && <SavedView />}
        {tab.value === "history" && <HistoryView />}
      </Tabs>
    </div>
  );
}

// Recent operations, which can be opened in the editor.

function HistoryView() {
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

// The operation as code samples.

function SamplesView() {
  try {
    const call = currentCall();
    return (
      <div class="explain stack">
        <h2>curl</h2>
        <div class="card explain-sql">
          <CodeView text={curlSample(call, sentHeaders.value)} language="text" label="Operation as a curl command" />
        </div>
        <h2>TypeScript</h2>
        <div class="card explain-sql">
          <CodeView
            text={typescriptSample(call, sentHeaders.value)}
            language="typescript"
            label="Operation in TypeScript"
          />
        </div>
      </div>
    );
  } catch (error) {
    return (
      <div class="explain">
        <ErrorBox error={error} />
      </div>
    );
  }
}
