/** Calls a tool at `/mcp` as an assistant does, and shows the request, the response and the result. */
import { useState } from "preact/hooks";
import { type Confirmation, callRequest, type ListedTool, listTools, sendMcp } from "../../http/mcp-api.ts";
import { Button } from "../../parts/button.tsx";
import { Empty, Loading } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { SelectField } from "../../parts/field.tsx";
import { Form } from "../../parts/form.tsx";
import { SessionFields, sessionOf } from "../../parts/session-fields.tsx";
import { useLoaded } from "../../parts/use-loaded.ts";
import { useSubmission } from "../../parts/use-submission.ts";
import { addressOf, navigate } from "../../routing/router.ts";
import { resourceVersion } from "../../state/metadata.ts";
import { ArgumentField } from "./argument-field.tsx";
import { argumentsOf, argumentsText, type Entered, enteredOf } from "./arguments.ts";
import { CallView, pendingWrite, type ShownCall } from "./call-view.tsx";
import { McpProblemView } from "./mcp-problem.tsx";
import { roleChoices, shownRole, shownSession, showSession } from "./shown-role.ts";

export function Playground({ path: [name] }: { readonly path: readonly string[] }) {
  const role = shownRole();
  const { value, error, isLoading, reload } = useLoaded(() => listTools(role), `${role} ${resourceVersion.value}`);
  if (value?.problem) return <McpProblemView problem={value.problem} isLoading={isLoading} onRetry={reload} />;
  const tools = value?.tools ?? [];
  const tool = tools.find((each) => each.name === name) ?? tools[0];
  return (
    <div class="playground">
      {error !== null && (
        <ErrorBox error={error}>
          <Button onClick={reload}>Retry</Button>
        </ErrorBox>
      )}
      {/* Arguments and results of another tool or role would be misleading. */}
      <ToolCall key={`${role} ${tool?.name}`} tools={tools} tool={tool} isLoading={!value && error === null} />
    </div>
  );
}

interface ToolCallProps {
  readonly tools: readonly ListedTool[];
  /** `undefined` if the role has no tools. */
  readonly tool: ListedTool | undefined;
  readonly isLoading: boolean;
}

function ToolCall({ tools, tool, isLoading }: ToolCallProps) {
  const [values, setValues] = useState<Readonly<Record<string, Entered>>>({});
  const [shown, setShown] = useState<ShownCall | null>(null);
  const fields = tool ? argumentsOf(tool.inputSchema) : [];
  const entered = shownSession();
  const send = useSubmission(async () => {
    if (tool) await call(argumentsText(fields, values), null);
  });
  const call = async (text: string, confirmation: Confirmation | null): Promise<void> => {
    if (!tool) return;
    const request = callRequest(tool.name, text, sessionOf(entered), confirmation);
    setShown({ request, response: await sendMcp(request), values: text });
  };
  const pending = shown && pendingWrite(shown);
  /** A confirmation applies to the arguments and the session that were shown. */
  const edit = (change: () => void): void => {
    if (pending) setShown(null);
    change();
  };
  return (
    <>
      <Form class="playground-form stack" label="Call" onSubmit={send.submit}>
        <SessionFields
          entered={entered}
          roles={roleChoices()}
          hint="One per line. The tool runs with the permissions of the role."
          onChange={(next) => edit(() => showSession(next))}
        />
        {isLoading && <Loading item="tools" />}
        {tool && (
          <SelectField
            label="Tool"
            value={tool.name}
            choices={tools.map(({ name }) => ({ value: name, label: name }))}
            hint={tool.description}
            onChange={(next) => navigate(addressOf(["assistants", "playground", next]), "replace")}
          />
        )}
        {!tool && !isLoading && (
          <Empty title={`The role ${entered.role} has no tools`}>
            <p>Choose another role, or create a tool.</p>
          </Empty>
        )}
        {fields.map((argument) => (
          <ArgumentField
            key={argument.name}
            argument={argument}
            value={enteredOf(values, argument.name)}
            onChange={(value) => edit(() => setValues({ ...values, [argument.name]: value }))}
          />
        ))}
        {tool && (
          <div class="row">
            <Button kind={pending ? "plain" : "primary"} icon="run" type="submit" busy={send.isBusy}>
              Call
            </Button>
            {fields.some(({ isRequired }) => !isRequired) && <span class="field-hint">Empty fields are not sent.</span>}
          </div>
        )}
      </Form>
      <div class="playground-result stack">
        {send.error !== null && <ErrorBox error={send.error} />}
        {shown ? (
          <CallView
            call={shown}
            onConfirm={(action) => call(shown.values, { action, pending: shown.response.result ?? {} })}
          />
        ) : (
          <Empty title="No call yet">
            <p>Call a tool to see the request and the response of an assistant.</p>
          </Empty>
        )}
      </div>
    </>
  );
}
