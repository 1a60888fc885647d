/** Dialog that creates a relationship without a foreign key: to a table of any source, or to a remote schema. */
import { useState } from "preact/hooks";
import { describeTable, type TableInfo } from "../../../http/data-api.ts";
import { type Operation, prefixOf } from "../../../http/metadata-api.ts";
import type { Json, JsonObject, QualifiedName, Source, Table } from "../../../http/metadata-types.ts";
import { Button, IconButton } from "../../../parts/button.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { ErrorBox } from "../../../parts/error-box.tsx";
import { SelectField, TextField } from "../../../parts/field.tsx";
import { notify } from "../../../parts/toast.tsx";
import { useLoaded } from "../../../parts/use-loaded.ts";
import { metadata, rolesOfTable, sources } from "../../../state/metadata.ts";
import { useGuardedSave } from "../../permissions/use-guarded-save.tsx";
import { ColumnChoice } from "../structure/column-choice.tsx";
import { arePairsComplete, type ColumnPair, ColumnPairs } from "../structure/column-pairs.tsx";
import { TablePicker } from "../structure/table-picker.tsx";
import { relationshipsOf } from "./meaning.ts";

type Amount = "object" | "array";
type Target = "table" | "remote";

interface RemoteStep {
  readonly field: string;
  /** JSON object of arguments. */
  readonly args: string;
}

interface CreateRelationshipProps {
  readonly source: Source;
  readonly table: Table;
  readonly info: TableInfo;
  readonly onClose: () => void;
}

/** Returns the arguments of a field; `null` if the text is not a JSON object. */
function argumentsOf(text: string): JsonObject | null {
  if (text.trim() === "") return {};
  try {
    const value: Json = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
  } catch {
    return null;
  }
}

/** Returns the form of a field path in the metadata; `null` while it is incomplete. */
function remoteField([first, ...rest]: readonly RemoteStep[]): JsonObject | null {
  if (!first || first.field.trim() === "") return null;
  const args = argumentsOf(first.args);
  const nested = rest.length === 0 ? undefined : remoteField(rest);
  if (args === null || nested === null) return null;
  return { [first.field]: { arguments: args, ...(nested && { field: nested }) } };
}

const amounts = [
  { value: "object", label: "One row" },
  { value: "array", label: "Many rows" },
] as const;

export function CreateRelationship({ source, table, info, onClose }: CreateRelationshipProps) {
  const [name, setName] = useState("");
  const [target, setTarget] = useState<Target>("table");
  const [amount, setAmount] = useState<Amount>("object");
  const [sourceName, setSourceName] = useState(source.name);
  const [other, setOther] = useState<QualifiedName | null>(null);
  const [pairs, setPairs] = useState<readonly ColumnPair[]>([{ from: "", to: "" }]);
  const schemas = (metadata.value?.remote_schemas ?? []).map((schema) => schema.name);
  const [schema, setSchema] = useState(schemas[0] ?? "");
  const [lhs, setLhs] = useState<readonly string[]>([]);
  const [steps, setSteps] = useState<readonly RemoteStep[]>([{ field: "", args: "" }]);
  const otherSource = sources.value.find((each) => each.name === sourceName) ?? source;
  const found = useLoaded(
    async () => other && describeTable({ source: otherSource.name, kind: otherSource.kind, table: other }),
    JSON.stringify([otherSource.name, other]),
  );
  const isTaken =
    relationshipsOf(table).some((each) => each.name === name) || info.columns.some((column) => column.name === name);
  const operation = (): Operation | null => {
    const shared = { source: source.name, table: table.table, name };
    const prefix = prefixOf(source.kind);
    if (name.trim() === "" || isTaken) return null;
    if (target === "remote") {
      const field = remoteField(steps);
      if (schema === "" || field === null) return null;
      const to_remote_schema = { remote_schema: schema, lhs_fields: lhs, remote_field: field };
      return { type: `${prefix}_create_remote_relationship`, args: { ...shared, definition: { to_remote_schema } } };
    }
    if (other === null || !arePairsComplete(pairs)) return null;
    const mapping = Object.fromEntries(pairs.map(({ from, to }) => [from, to]));
    if (otherSource.name === source.name) {
      const using = { manual_configuration: { remote_table: other, column_mapping: mapping } };
      return { type: `${prefix}_create_${amount}_relationship`, args: { ...shared, using } };
    }
    const to_source = { relationship_type: amount, source: otherSource.name, table: other, field_mapping: mapping };
    return { type: `${prefix}_create_remote_relationship`, args: { ...shared, definition: { to_source } } };
  };
  const complete = operation();
  const missing =
    name.trim() === ""
      ? "Enter a name."
      : isTaken
        ? "Choose another name."
        : target === "remote"
          ? "Select a remote schema and a field."
          : "Select a table and columns.";
  const {
    isBusy,
    error,
    submit: create,
    confirmation,
  } = useGuardedSave({
    change: () => complete,
    roles: () => rolesOfTable(table),
    onSaved: () => {
      notify(`Added ${name}`);
      onClose();
    },
  });
  const columns = info.columns.map((column) => column.name);
  return (
    <Dialog
      title="Add relationship"
      onClose={onClose}
      isWide
      onSubmit={create}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={isBusy} unavailable={complete === null && missing}>
            Add relationship
          </Button>
        </>
      }
    >
      <div class="form-grid">
        <TextField
          label="Name"
          isCode
          required
          value={name}
          onInput={setName}
          error={isTaken ? "A column or relationship has this name." : null}
        />
        <SelectField<Target>
          label="To"
          value={target}
          choices={[
            { value: "table", label: "A table" },
            ...(schemas.length > 0 ? [{ value: "remote", label: "A remote schema" } as const] : []),
          ]}
          onChange={setTarget}
        />
        {target === "table" && (
          <SelectField<Amount> label="Related" value={amount} choices={amounts} onChange={setAmount} />
        )}
      </div>
      {target === "table" ? (
        <>
          <div class="form-grid">
            <SelectField
              label="Database"
              value={otherSource.name}
              choices={sources.value.map((each) => ({ value: each.name, label: each.name }))}
              onChange={(chosen) => {
                setSourceName(chosen);
                setOther(null);
              }}
            />
            <TablePicker
              key={otherSource.name}
              label="Table"
              source={otherSource}
              table={other}
              isTracked
              onChange={(chosen) => {
                setOther(chosen);
                setPairs(pairs.map(({ from }) => ({ from, to: "" })));
              }}
            />
          </div>
          {found.error !== null && <ErrorBox error={found.error} />}
          <ColumnPairs
            pairs={pairs}
            own={columns}
            others={(found.value?.columns ?? []).map((column) => column.name)}
            onChange={setPairs}
          />
        </>
      ) : (
        <>
          <div class="form-grid">
            <SelectField
              label="Remote schema"
              value={schema}
              choices={schemas.map((value) => ({ value, label: value }))}
              onChange={setSchema}
            />
          </div>
          <ColumnChoice columns={columns} chosen={lhs} onChange={setLhs} />
          <p class="muted">Arguments use the values of these columns as "$column".</p>
          <FieldPath steps={steps} onChange={setSteps} />
        </>
      )}
      {error !== null && <ErrorBox error={error} />}
      {confirmation}
    </Dialog>
  );
}

interface FieldPathProps {
  readonly steps: readonly RemoteStep[];
  readonly onChange: (steps: readonly RemoteStep[]) => void;
}

/** Fields of the remote schema from the root, each with its arguments. */
function FieldPath({ steps, onChange }: FieldPathProps) {
  const change = (at: number, part: Partial<RemoteStep>): void =>
    onChange(steps.map((step, index) => (index === at ? { ...step, ...part } : step)));
  return (
    <fieldset class="stack">
      <legend class="field-label">Field of the remote schema</legend>
      {steps.map(({ field, args }, at) => (
        <div key={at} class="relationships-step">
          <TextField
            label={at === 0 ? "Root field" : `Nested field ${at}`}
            isCode
            value={field}
            onInput={(text) => change(at, { field: text })}
          />
          <TextField
            label={at === 0 ? "Arguments (JSON)" : `Arguments of nested field ${at} (JSON)`}
            isCode
            placeholder='{"id": "$author_id"}'
            error={argumentsOf(args) === null ? "Enter a JSON object." : null}
            value={args}
            onInput={(text) => change(at, { args: text })}
          />
          <IconButton
            icon="remove"
            label={`Remove field ${at + 1}`}
            disabled={steps.length === 1}
            onClick={() => onChange(steps.filter((_step, index) => index !== at))}
          />
        </div>
      ))}
      <div>
        <Button icon="add" onClick={() => onChange([...steps, { field: "", args: "" }])}>
          Add nested field
        </Button>
      </div>
    </fieldset>
  );
}
