/** Content of the automation page by address. */
import { useState } from "preact/hooks";
import { introspectRemoteSchema, invokeTrigger, type TriggerLocation } from "../../http/automation-api.ts";
import { prefixOf } from "../../http/metadata-api.ts";
import type { InconsistentObject, Json, JsonObject } from "../../http/metadata-types.ts";
import { Button } from "../../parts/button.tsx";
import { capitalized } from "../../parts/cell-text.ts";
import { CodeView } from "../../parts/code-view.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Empty, Loading } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { notify } from "../../parts/toast.tsx";
import { useLoaded } from "../../parts/use-loaded.ts";
import { Link } from "../../routing/link.tsx";
import { changeMetadata, metadata, sourceNamed } from "../../state/metadata.ts";
import { ActionCalls } from "./action-calls.tsx";
import { ActionDefinition } from "./action-definition.tsx";
import { cronInWords } from "./cron-words.ts";
import { CustomTypes } from "./custom-types.tsx";
import { DeadLetters } from "./dead-letters.tsx";
import { JsonField } from "./definition-form.tsx";
import { DefinitionView } from "./definition-view.tsx";
import { HandlerCode } from "./handler-code.tsx";
import { argumentsOf, argumentsOfTrigger, type DefinitionKind, type KindName, kindNamed } from "./kinds.ts";
import { NewDefinition } from "./new-definition.tsx";
import { Overview } from "./overview.tsx";
import { ScheduledEvents } from "./scheduled-events.tsx";
import { TransformPreview } from "./transform-preview.tsx";
import { TriggerCalls } from "./trigger-calls.tsx";
import { TriggerEvents } from "./trigger-events.tsx";
import { TryAction } from "./try-action.tsx";

interface ContentProps {
  readonly path: readonly string[];
  readonly cronTriggers: readonly JsonObject[];
  readonly inconsistent: readonly InconsistentObject[];
  readonly onSaved: () => void;
}

interface NamedProps extends Omit<ContentProps, "path"> {
  readonly name: string;
}

function kindOf(name: KindName): DefinitionKind {
  const found = kindNamed(name);
  if (!found) throw new Error(`no kind ${name}`);
  return found;
}

const notFound = (kind: KindName) => <Empty title={`${capitalized(kindOf(kind).title)} not found`} isPage />;

export function Content({ path, ...rest }: ContentProps) {
  const [kind, first, second] = path;
  if (kind === undefined) {
    return metadata.value && <Overview metadata={metadata.value} cronCount={rest.cronTriggers.length} />;
  }
  if (kind === "one-off") return <OneOff />;
  if (kind === "dead-letters") return <DeadLetters />;
  if (kind === "transform") return <Transform />;
  if (kind === "custom-types") return <CustomTypes />;
  if (first === undefined) return <Empty title="Page not found" isPage />;
  const key = path.join("/");
  if (kind === "new") return <NewDefinition key={key} name={first} onSaved={rest.onSaved} />;
  if (kind === "event" && second !== undefined) return <Trigger key={key} {...rest} source={first} name={second} />;
  if (kind === "cron") return <Cron key={key} {...rest} name={first} />;
  if (kind === "action") return <ActionView key={key} {...rest} name={first} />;
  if (kind === "remote-schema") return <RemoteSchemaView key={key} {...rest} name={first} />;
  return <Empty title="Page not found" isPage />;
}

const find = (inconsistent: readonly InconsistentObject[], type: string, name: string) =>
  inconsistent.find((object) => object.type === type && object.name === `${type} ${name}`);

function Trigger({ source: sourceName, name, inconsistent, onSaved }: NamedProps & { readonly source: string }) {
  const [isInvoking, setInvoking] = useState(false);
  const [reloadCount, setReloadCount] = useState(0);
  const source = sourceNamed(sourceName);
  const table = source?.tables.find(({ event_triggers = [] }) => event_triggers.some((each) => each.name === name));
  const trigger = table?.event_triggers?.find((each) => each.name === name);
  if (!source || !table || !trigger) return notFound("event");
  const location = { source: sourceName, kind: source.kind, name };
  const { schema, name: tableName } = table.table;
  return (
    <>
      <DefinitionView
        kind={kindOf("event")}
        name={name}
        note={`${schema}.${tableName} in ${sourceName}`}
        value={argumentsOfTrigger(source, table, trigger)}
        logs={[
          { name: "events", label: "Events", content: () => <TriggerEvents key={reloadCount} location={location} /> },
          { name: "calls", label: "Invocations", content: () => <TriggerCalls location={location} /> },
        ]}
        more={[handlerTab(name)]}
        remove={{ type: `${prefixOf(source.kind)}_delete_event_trigger`, args: { source: sourceName, name } }}
        removal="Its database triggers are dropped and its pending events are not delivered."
        problem={inconsistent.find(
          (object) => object.type === "event_trigger" && object.name?.startsWith(`event_trigger ${name} in table `),
        )}
        actions={
          trigger.definition.enable_manual === true && (
            <Button icon="run" onClick={() => setInvoking(true)}>
              Invoke
            </Button>
          )
        }
        onSaved={onSaved}
      />
      {isInvoking && (
        <Invoke
          location={location}
          onClose={() => {
            setInvoking(false);
            setReloadCount((before) => before + 1);
          }}
        />
      )}
    </>
  );
}

const handlerTab = (name: string) => ({
  name: "handler",
  label: "Handler",
  content: () => <HandlerCode name={name} />,
});

function Cron({ name, cronTriggers, inconsistent, onSaved }: NamedProps) {
  const trigger = cronTriggers.find((each) => each.name === name);
  if (!trigger) return notFound("cron");
  return (
    <DefinitionView
      kind={kindOf("cron")}
      name={name}
      note={`${cronInWords(String(trigger.schedule)) ?? trigger.schedule}, in ${trigger.timezone ?? "UTC"}`}
      value={trigger}
      logs={[
        {
          name: "events",
          label: "Events",
          content: () => <ScheduledEvents schedule={{ type: "cron", trigger_name: name }} />,
        },
      ]}
      more={[handlerTab(name)]}
      remove={{ type: "delete_cron_trigger", args: { name } }}
      removal="Its scheduled events are not delivered."
      problem={find(inconsistent, "cron_trigger", name)}
      onSaved={onSaved}
    />
  );
}

function ActionView({ name, inconsistent, onSaved }: NamedProps) {
  const action = metadata.value?.actions?.find((each) => each.name === name);
  if (!action) return notFound("action");
  const roles = (action.permissions ?? []).map(({ role }) => role).join(", ");
  return (
    <DefinitionView
      kind={kindOf("action")}
      name={name}
      note={roles === "" ? "Administrators only" : `Roles: ${roles}`}
      value={argumentsOf(action)}
      logs={
        action.definition.kind === "asynchronous"
          ? [{ name: "calls", label: "Calls", content: () => <ActionCalls action={name} /> }]
          : []
      }
      more={[
        {
          name: "try",
          label: "Try",
          content: () => (
            <div class="page full">
              <TryAction
                key={JSON.stringify([action, metadata.value?.custom_types])}
                action={{ name, definition: action.definition }}
                customTypes={metadata.value?.custom_types ?? {}}
              />
            </div>
          ),
        },
        handlerTab(name),
      ]}
      remove={{ type: "drop_action", args: { name } }}
      removal="Its permissions and the stored results of asynchronous invocations are deleted too."
      problem={find(inconsistent, "action", name)}
      editor={(saved) => (
        <ActionDefinition key={JSON.stringify([action, metadata.value?.custom_types])} name={name} onSaved={saved} />
      )}
      onSaved={onSaved}
    />
  );
}

function RemoteSchemaView({ name, inconsistent, onSaved }: NamedProps) {
  const [reloadCount, setReloadCount] = useState(0);
  const [isBusy, setBusy] = useState(false);
  const found = metadata.value?.remote_schemas?.find((each) => each.name === name);
  if (!found) return notFound("remote-schema");
  const problem = find(inconsistent, "remote_schema", name);
  const reload = async (): Promise<void> => {
    setBusy(true);
    // A failure is shown after the reload below.
    await changeMetadata({ type: "reload_remote_schema", args: { name } }).then(
      () => notify("Reloaded the schema"),
      () => undefined,
    );
    setBusy(false);
    setReloadCount((before) => before + 1);
    onSaved();
  };
  return (
    <DefinitionView
      kind={kindOf("remote-schema")}
      name={name}
      note={problem ? "Inconsistent" : "Consistent"}
      value={argumentsOf(found)}
      logs={[
        {
          name: "schema",
          label: "Schema",
          content: () => <RemoteSchemaDocument name={name} reloadCount={reloadCount} />,
        },
      ]}
      remove={{ type: "remove_remote_schema", args: { name } }}
      removal="Its fields are removed from the API and its permissions are deleted."
      problem={problem}
      actions={
        <Button icon="refresh" busy={isBusy} onClick={() => void reload()}>
          Reload schema
        </Button>
      }
      onSaved={onSaved}
    />
  );
}

function OneOff() {
  return (
    <div class="with-head">
      <div class="toolbar">
        <h1>One-off events</h1>
        <span class="grow" />
        <Link to={["automation", "new", "one-off"]}>New one-off event</Link>
      </div>
      <ScheduledEvents schedule={{ type: "one_off" }} />
    </div>
  );
}

function Transform() {
  return (
    <div class="with-head">
      <div class="toolbar">
        <h1>Test transform</h1>
      </div>
      <div class="page full scroll">
        <TransformPreview />
      </div>
    </div>
  );
}

// SDL of a remote schema.

async function documentOf(name: string): Promise<string> {
  const [response, { sdlOf }] = await Promise.all([introspectRemoteSchema(name), import("./remote-sdl.ts")]);
  return sdlOf((response as { readonly data: Parameters<typeof sdlOf>[0] }).data);
}

function RemoteSchemaDocument({ name, reloadCount }: { readonly name: string; readonly reloadCount: number }) {
  const { value, error } = useLoaded(() => documentOf(name), `${reloadCount} ${name}`);
  if (error !== null) return <ErrorBox error={error} />;
  if (value === null) return <Loading item="schema" />;
  return <CodeView text={value} language="text" label={`Schema of ${name}`} hasLineNumbers />;
}

// Dialog that invokes an event trigger manually.

function Invoke({ location, onClose }: { readonly location: TriggerLocation; readonly onClose: () => void }) {
  const [payload, setPayload] = useState<Json | undefined>({});
  const [error, setError] = useState<unknown>(null);
  const invoke = async (): Promise<void> => {
    setError(null);
    try {
      await invokeTrigger(location, payload ?? null);
      notify("Created the event");
      onClose();
    } catch (thrown) {
      setError(thrown);
    }
  };
  return (
    <Dialog
      title={`Invoke ${location.name}`}
      onClose={onClose}
      onSubmit={invoke}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" icon="run">
            Invoke
          </Button>
        </>
      }
    >
      <JsonField label="Payload" hint="Sent as the new row of the event." value={payload} onChange={setPayload} />
      {error !== null && <ErrorBox error={error} />}
    </Dialog>
  );
}
