/** The code of a handler as `engine handlers` writes it: the file to fill in, and the types and router that it imports. */
import { useState } from "preact/hooks";
import { handlerFiles } from "../../http/code-api.ts";
import { IconButton } from "../../parts/button.tsx";
import { CodeView } from "../../parts/code-view.tsx";
import { Loading } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { notify } from "../../parts/toast.tsx";
import { useLoaded } from "../../parts/use-loaded.ts";
import { resourceVersion } from "../../state/metadata.ts";

export function HandlerCode({ name }: { readonly name: string }) {
  const { value, error } = useLoaded(() => handlerFiles(name), JSON.stringify([name, resourceVersion.value]));
  const [chosen, setChosen] = useState<string | null>(null);
  if (error !== null) {
    return (
      <div class="page full">
        <ErrorBox error={error} />
      </div>
    );
  }
  if (!value) return <Loading item="handler" />;
  // The generated module comes first.
  const files = value.toReversed();
  const file = files.find(({ path }) => path === chosen) ?? files[0];
  const text = file?.text ?? "";
  return (
    <Tabs
      label="Files"
      tabs={files.map(({ path }) => ({ name: path, label: path }))}
      current={file?.path ?? ""}
      onChange={setChosen}
      aside={
        <IconButton
          icon="copy"
          label={`Copy ${file?.path ?? ""}`}
          onClick={() => void navigator.clipboard.writeText(text).then(() => notify("Copied"))}
        />
      }
    >
      <CodeView text={text} language="typescript" label={file?.path ?? ""} />
    </Tabs>
  );
}
