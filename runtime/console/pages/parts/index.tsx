/** Page for developers of the console: every shared part in each of its states. The navigation does not list it. */
import { useState } from "preact/hooks";
import { ApiError } from "../../http/api-error.ts";
import { isJson } from "../../http/json.ts";
import { Button, IconButton } from "../../parts/button.tsx";
import { CodeEditor } from "../../parts/code-editor.tsx";
import { ConfirmButton } from "../../parts/confirm.tsx";
import { type Column, DataTable } from "../../parts/data-table.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Empty, Loading } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { CheckField, SelectField, TextField } from "../../parts/field.tsx";
import { Form } from "../../parts/form.tsx";
import { JsonBlock } from "../../parts/json-block.tsx";
import { Menu } from "../../parts/menu.tsx";
import { Pager } from "../../parts/pager.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { notify } from "../../parts/toast.tsx";

export default function PartsPage() {
  return (
    <div class="page full">
      <h1>Parts</h1>
      <div class="parts-grid">
        <Buttons />
        <Fields />
        <Forms />
        <Badges />
        <Notifications />
        <Tables />
        <States />
        <Errors />
        <TabsAndCode />
      </div>
    </div>
  );
}

function Buttons() {
  return (
    <section class="card stack">
      <h2>Buttons</h2>
      {([null, "Select a row."] as const).map((unavailable) => (
        <div class="row" key={String(unavailable)}>
          <Button kind="primary" unavailable={unavailable}>
            Primary
          </Button>
          <Button unavailable={unavailable}>Plain</Button>
          <Button kind="quiet" unavailable={unavailable}>
            Quiet
          </Button>
          <Button kind="danger" icon="remove" unavailable={unavailable}>
            Danger
          </Button>
          <IconButton
            icon="edit"
            label={unavailable ? "Edit, disabled" : "Edit"}
            disabled={unavailable !== null}
            onClick={() => null}
          />
        </div>
      ))}
      <div class="row">
        <Button kind="primary" busy>
          Busy
        </Button>
        <Button pressed>Pressed</Button>
        <Button pressed={false}>Not pressed</Button>
        <Menu
          label="Sample actions"
          text="Menu"
          items={[
            { label: "Available", onSelect: () => notify("Selected") },
            { label: "Unavailable", unavailable: "Select a row.", onSelect: () => null },
          ]}
        />
      </div>
    </section>
  );
}

function Fields() {
  const [text, setText] = useState("");
  const [isChecked, setChecked] = useState(true);
  const field = { value: text, onInput: setText };
  return (
    <section class="card stack">
      <h2>Fields</h2>
      <TextField label="Text" hint="A hint" placeholder="Text" {...field} />
      <TextField label="Disabled" disabled {...field} />
      <TextField label="Code" isCode rows={2} {...field} />
      <SelectField label="Choice" value="a" choices={[{ value: "a", label: "First" }]} onChange={() => null} />
      <CheckField label="Checked" checked={isChecked} onChange={setChecked} />
      <CheckField label="Disabled" checked disabled onChange={setChecked} />
    </section>
  );
}

/** Form and dialog that cannot be submitted while the number is invalid. */
function Forms() {
  const [text, setText] = useState("one");
  const [isOpen, setOpen] = useState(false);
  const error = /^\d+$/.test(text) ? null : "Enter a number.";
  const submit = (): void => {
    notify(`Submitted ${text}`);
    setOpen(false);
  };
  const field = <TextField label="Number" value={text} onInput={setText} error={error} />;
  return (
    <section class="card stack">
      <h2>Forms and dialogs</h2>
      <Form class="stack" label="Number" onSubmit={submit}>
        {field}
        <div class="row">
          <Button kind="primary" type="submit">
            Submit
          </Button>
          <Button onClick={() => setOpen(true)}>Open dialog</Button>
          <ConfirmButton label="Delete" title="Delete the number?" onConfirm={() => Promise.resolve(setText(""))}>
            <p>The field becomes empty.</p>
          </ConfirmButton>
          <ConfirmButton
            label="Delete all"
            title="Delete all numbers?"
            typed="delete"
            onConfirm={() => Promise.resolve(setText(""))}
          >
            <p>The field becomes empty after a typed confirmation.</p>
          </ConfirmButton>
        </div>
      </Form>
      {isOpen && (
        <Dialog
          title="Dialog with a form"
          onClose={() => setOpen(false)}
          onSubmit={submit}
          footer={
            <>
              <Button onClick={() => setOpen(false)}>Cancel</Button>
              <Button kind="primary" type="submit">
                Submit the dialog
              </Button>
            </>
          }
        >
          {field}
          <div>
            <Button onClick={() => notify("Shown above the dialog")}>Notify</Button>
          </div>
        </Dialog>
      )}
    </section>
  );
}

function Badges() {
  const surfaces = ["--page", "--surface", "--raised", "--sunken", "--hover"];
  return (
    <section class="card stack">
      <h2>Badges and colors</h2>
      <div class="row">
        <span class="badge">Plain</span>
        {["accent", "good", "warn", "bad"].map((kind) => (
          <span key={kind} class={`badge ${kind}`}>
            {kind}
          </span>
        ))}
      </div>
      <div class="row">
        {["gray", "blue", "green", "yellow", "red", "purple"].map((color) => (
          <span key={color} class={`environment ${color}`}>
            {color}
          </span>
        ))}
      </div>
      {surfaces.map((surface) => (
        <p key={surface} class="swatch" style={{ background: `var(${surface})` }}>
          {surface} <span class="muted">muted</span> <a href="#content">to the content</a>
        </p>
      ))}
    </section>
  );
}

function Notifications() {
  const [count, setCount] = useState(1);
  const change = (): void => {
    setCount(count + 1);
    notify(`Set the counter to ${count + 1}`, { undo: () => Promise.resolve(setCount(count)) });
  };
  const fail = () => Promise.reject(new Error("the server is unreachable"));
  return (
    <section class="card stack">
      <h2>Notifications</h2>
      <p>Counter: {count}</p>
      <div class="row">
        <Button onClick={() => notify("Saved")}>Notify</Button>
        <Button onClick={change}>Change with undo</Button>
        <Button onClick={() => notify("Cannot be undone", { undo: fail })}>Change with failing undo</Button>
      </div>
    </section>
  );
}

interface Sample {
  readonly name: string;
  readonly text: string;
}

const samples: readonly Sample[] = [
  { name: "Short", text: "fits" },
  { name: "Long", text: "A text that is much longer than its column, which cuts it off. ".repeat(8) },
];

const columns: readonly Column<Sample>[] = [
  { key: "name", title: "Name", width: 90, cell: ({ name }) => name },
  { key: "text", title: "Text", width: 120, cell: ({ text }) => text },
  { key: "number", title: "Number", width: 70, align: "end", cell: (_row, index) => index },
];

function Tables() {
  return (
    <section class="card stack">
      <h2>Table</h2>
      <div class="parts-table">
        <DataTable label="Samples" columns={columns} rows={samples} />
      </div>
      <div class="parts-table">
        <DataTable label="No samples" columns={columns} rows={[]} empty={<Empty title="No rows" />} />
      </div>
      <Pager
        label="Pages of samples"
        position="1–2 of 2"
        onFirst={null}
        onPrevious={null}
        onNext={null}
        onLast={null}
      />
    </section>
  );
}

function States() {
  return (
    <section class="card stack">
      <h2>Empty and loading</h2>
      <Empty title="No tracked tables">
        <p>Track a table to see it in the API.</p>
        <Button kind="primary">Track tables</Button>
      </Empty>
      <Loading item="rows" />
    </section>
  );
}

function Errors() {
  const internal = {
    error: { message: 'relation "book" already exists', description: null, hint: null, status_code: "42P07" },
    statement: "create table book (id int)",
  };
  const error = new ApiError("query execution failed", { code: "postgres-error", path: "$.args", internal });
  return (
    <section class="card stack">
      <h2>Errors</h2>
      <ErrorBox error={error}>
        <Button>Retry</Button>
      </ErrorBox>
    </section>
  );
}

function TabsAndCode() {
  const [tab, setTab] = useState<"json" | "editor">("json");
  const [text, setText] = useState('{ "id": ');
  return (
    <section class="card stack">
      <h2>Tabs, JSON and editor</h2>
      <Tabs
        label="Code"
        tabs={[
          { name: "json", label: "JSON" },
          { name: "editor", label: "Editor" },
        ]}
        current={tab}
        onChange={setTab}
        onClose={(name) => notify(`Closed ${name}`)}
        onRename={(name) => notify(`Renamed ${name}`)}
      >
        {tab === "json" ? (
          <JsonBlock label="Value" value={{ id: 1, title: "A title" }} />
        ) : (
          <Form class="stack" label="Editor" onSubmit={() => notify("Submitted the editor")}>
            <CodeEditor label="JSON" language="json" value={text} onChange={setText} isInvalid={!isJson(text)} />
          </Form>
        )}
      </Tabs>
    </section>
  );
}
