/** The operation as code of the usual clients. */
import { useState } from "preact/hooks";
import { clientModule } from "../../http/code-api.ts";
import { IconButton } from "../../parts/button.tsx";
import { CodeView } from "../../parts/code-view.tsx";
import type { Language } from "../../parts/editor-setup.ts";
import { Loading } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { notify } from "../../parts/toast.tsx";
import { useLoaded } from "../../parts/use-loaded.ts";
import { resourceVersion } from "../../state/metadata.ts";
import { isBlank } from "./blank.ts";
import { caller, query, role } from "./request-state.ts";
import { currentCall } from "./run.ts";
import { type Sample, samples } from "./sample-code.ts";
import { sampleOf } from "./samples.ts";

type Tab = Sample | "types";

const tabs: readonly { readonly name: Tab; readonly label: string }[] = [
  ...(Object.keys(samples) as Sample[]).map((name) => ({ name, label: samples[name].label })),
  { name: "types", label: "TypeScript types" },
];

export function SamplesView() {
  const [current, setCurrent] = useState<Tab>("curl");
  return (
    <Tabs label="Clients" tabs={tabs} current={current} onChange={setCurrent}>
      {current === "types" ? <ClientTypes /> : <SampleText sample={current} />}
    </Tabs>
  );
}

function SampleText({ sample }: { readonly sample: Sample }) {
  try {
    const { label, language, text } = sampleOf(sample, currentCall(), caller.value);
    return <Code text={text} language={language} label={label} />;
  } catch (error) {
    return <Problem error={error} />;
  }
}

function ClientTypes() {
  if (isBlank(query.value)) return <Problem error={new Error("Enter an operation first.")} />;
  return <TypesOf document={query.value} />;
}

/** The operation as a typed document, as `engine client` writes it. */
function TypesOf({ document }: { readonly document: string }) {
  // A token has a role of its own, which only the server reads.
  const typedRole = role.value === "" ? "admin" : role.value;
  const { value, error } = useLoaded(
    () => clientModule(document, typedRole),
    JSON.stringify([document, typedRole, resourceVersion.value]),
  );
  if (error !== null) return <Problem error={error} />;
  return value === null ? <Loading item="types" /> : <Code text={value} language="typescript" label="TypeScript" />;
}

interface CodeProps {
  readonly text: string;
  readonly language: Language;
  readonly label: string;
}

function Code({ text, language, label }: CodeProps) {
  const copy = (): void => void navigator.clipboard.writeText(text).then(() => notify("Copied"));
  return (
    <div class="with-head">
      <div class="result-facts">
        <span class="grow" />
        <IconButton icon="copy" label={`Copy the code for ${label}`} onClick={copy} />
      </div>
      <CodeView text={text} language={language} label={`Operation for ${label}`} />
    </div>
  );
}

function Problem({ error }: { readonly error: unknown }) {
  return (
    <div class="explain">
      <ErrorBox error={error} />
    </div>
  );
}
