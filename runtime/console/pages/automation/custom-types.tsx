/** Editor of all custom types as SDL. */
import { useMemo, useState } from "preact/hooks";
import { Button } from "../../parts/button.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { Form } from "../../parts/form.tsx";
import { notify } from "../../parts/toast.tsx";
import { rolesOfActions } from "../../state/metadata.ts";
import { useGuardedSave } from "../permissions/use-guarded-save.tsx";
import { actionMetadata } from "./action-definition.tsx";
import { readSdl, subjectOfTypes } from "./action-sdl.ts";
import { SdlEditor } from "./sdl-editor.tsx";

export function CustomTypes() {
  const [saves, setSaves] = useState(0);
  const subject = useMemo(() => {
    const { actions, customTypes } = actionMetadata();
    return subjectOfTypes(actions, customTypes);
  }, [saves]);
  const [text, setText] = useState(subject.sdl);
  const read = useMemo(() => readSdl(subject, text), [subject, text]);
  const {
    isBusy,
    error,
    submit: save,
    confirmation,
  } = useGuardedSave({
    change: () => ({ type: "set_custom_types", args: read.customTypes }),
    roles: rolesOfActions,
    onSaved: () => {
      setSaves(saves + 1);
      notify("Saved the custom types");
    },
  });
  return (
    <Form class="with-head" label="Custom types" onSubmit={save}>
      <div class="toolbar">
        <h1>Custom types</h1>
        <span class="muted">Input and output types of actions</span>
        <span class="grow" />
        <Button kind="primary" type="submit" busy={isBusy}>
          Save
        </Button>
      </div>
      <div class="page full scroll">
        {error !== null && <ErrorBox error={error} />}
        <SdlEditor
          label="Custom types as SDL"
          value={text}
          onChange={setText}
          customTypes={subject.customTypes}
          problems={read.problems}
        />
      </div>
      {confirmation}
    </Form>
  );
}
