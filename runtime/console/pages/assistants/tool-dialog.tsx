/** Dialog that makes a saved operation a tool, or changes and renames a tool. */
import { useState } from "preact/hooks";
import type { AgentTool } from "../../http/metadata-types.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { SelectField, TextField } from "../../parts/field.tsx";
import { notify } from "../../parts/toast.tsx";
import { metadata, resourceVersion } from "../../state/metadata.ts";
import { type SavedOperation, savedOperations, signatureOf } from "../api/endpoint-change.ts";
import { useGuardedSave } from "../permissions/use-guarded-save.tsx";
import { RolesChoice } from "./roles-choice.tsx";
import {
  concernedRoles,
  creation,
  draftOf,
  type LimitName,
  limitBounds,
  limitProblem,
  nameProblem,
  newDraft,
  replacement,
  scopesProblem,
  suggestedName,
  type ToolDraft,
} from "./tool-change.ts";

interface ToolDialogProps {
  /** `null` for a new tool. */
  readonly tool: AgentTool | null;
  /** Operation of a new tool; `null` for the first one. */
  readonly preset: Pick<ToolDraft, "collection" | "query"> | null;
  readonly onClose: () => void;
  readonly onSaved: (name: string) => void;
}

export function ToolDialog({ tool, preset, onClose, onSaved }: ToolDialogProps) {
  const saved = metadata.value ? savedOperations(metadata.value) : [];
  const [draft, setDraft] = useState<ToolDraft>(() => (tool ? draftOf(tool) : firstDraft(saved, preset)));
  // The change is refused if the metadata was changed since the dialog was opened.
  const [version] = useState(resourceVersion.value);
  const change = (part: Partial<ToolDraft>): void => setDraft({ ...draft, ...part });
  const { isBusy, error, submit, confirmation } = useGuardedSave({
    change: () => (tool ? replacement(tool.name, draft) : creation(draft)),
    roles: () => concernedRoles(draft, tool),
    version,
    onSaved: () => {
      notify(`Saved the tool ${draft.name}`);
      onClose();
      onSaved(draft.name);
    },
  });
  const others = (metadata.value?.agent_tools ?? []).flatMap(({ name }) => (name === tool?.name ? [] : name));
  return (
    <Dialog
      title={tool ? `Edit tool ${tool.name}` : "Create tool"}
      onClose={onClose}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={isBusy}>
            {tool ? "Save" : "Create"}
          </Button>
        </>
      }
    >
      <OperationFields saved={saved} draft={draft} isNew={tool === null} onChange={change} />
      <TextField
        label="Name"
        isCode
        required
        value={draft.name}
        error={nameProblem(draft.name, others)}
        hint="Assistants call the tool by this name."
        onInput={(name) => change({ name })}
      />
      <TextField label="Title" hint="For people." value={draft.title} onInput={(title) => change({ title })} />
      <TextField
        label="Description"
        rows={3}
        hint="Helps assistants to choose the tool. If empty, it is derived from the operation."
        value={draft.description}
        onInput={(description) => change({ description })}
      />
      <RolesChoice operation={draft} value={draft.roles} onChange={(roles) => change({ roles })} />
      <details>
        <summary class="field-label">Scopes, limits and comment</summary>
        <MoreFields draft={draft} onChange={change} />
      </details>
      {error !== null && (
        <div ref={reveal}>
          <ErrorBox error={error} />
        </div>
      )}
      {confirmation}
    </Dialog>
  );
}

/** The form may be longer than the screen. */
const reveal = (element: HTMLElement | null): void => element?.scrollIntoView({ block: "nearest" });

function firstDraft(saved: readonly SavedOperation[], preset: ToolDialogProps["preset"]): ToolDraft {
  const found = saved.find((each) => each.collection === preset?.collection && each.name === preset.query);
  const { collection = "", name = "" } = found ?? saved[0] ?? {};
  return newDraft(collection, name);
}

interface DraftProps {
  readonly draft: ToolDraft;
  readonly onChange: (part: Partial<ToolDraft>) => void;
}

interface OperationFieldsProps extends DraftProps {
  readonly saved: readonly SavedOperation[];
  readonly isNew: boolean;
}

function OperationFields({ saved, draft, isNew, onChange }: OperationFieldsProps) {
  const { collection, query, name } = draft;
  const current = saved.find((each) => each.collection === collection && each.name === query);
  const kind = current && signatureOf(current.query)?.operation;
  const choose = (next: SavedOperation | undefined): void => {
    if (!next) return;
    // Another operation does not replace a name that the user has entered.
    const isSuggested = isNew && name === suggestedName(query);
    onChange({
      collection: next.collection,
      query: next.name,
      ...(isSuggested && { name: suggestedName(next.name) }),
    });
  };
  const collections = [...new Set([...saved.map((each) => each.collection), collection])];
  const queries = saved.filter((each) => each.collection === collection).map((each) => each.name);
  return (
    <>
      <SelectField
        label="Collection"
        value={collection}
        choices={collections.map((each) => ({ value: each, label: each }))}
        onChange={(next) => choose(saved.find((each) => each.collection === next))}
      />
      <SelectField
        label="Operation"
        value={query}
        choices={[...new Set([...queries, query])].map((each) => ({ value: each, label: each }))}
        error={
          kind === "query" || kind === "mutation"
            ? null
            : "Choose a document with one query or mutation and no fragments."
        }
        onChange={(next) => choose(saved.find((each) => each.collection === collection && each.name === next))}
      />
    </>
  );
}

const limitLabels: Readonly<Record<LimitName, string>> = {
  rows: "Row limit",
  bytes: "Byte limit",
  seconds: "Time limit in seconds",
};

function MoreFields({ draft, onChange }: DraftProps) {
  const { scopes, limits, comment } = draft;
  return (
    <div class="stack tool-more">
      <TextField
        label="Scopes"
        isCode
        value={scopes}
        error={scopesProblem(scopes)}
        hint="OAuth scopes, separated by spaces. The token of a caller must contain all of them."
        onInput={(text) => onChange({ scopes: text })}
      />
      {(Object.keys(limitLabels) as LimitName[]).map((name) => (
        <TextField
          key={name}
          label={limitLabels[name]}
          isCode
          placeholder={limitBounds[name].standard.toLocaleString()}
          value={limits[name]}
          error={limitProblem(name, limits[name])}
          onInput={(text) => onChange({ limits: { ...limits, [name]: text } })}
        />
      ))}
      <TextField label="Comment" rows={2} value={comment} onInput={(text) => onChange({ comment: text })} />
    </div>
  );
}
