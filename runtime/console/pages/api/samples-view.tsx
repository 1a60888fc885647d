/** The operation as code to copy. */
import { CodeView } from "../../parts/code-view.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { sentHeaders } from "./request-state.ts";
import { currentCall } from "./run.ts";
import { curlSample, typescriptSample } from "./samples.ts";

export function SamplesView() {
  try {
    const call = currentCall();
    return (
      <div class="explain stack">
        <h2>curl</h2>
        <div class="card explain-sql">
          <CodeView text={curlSample(call, sentHeaders.value)} language="text" label="The operation for curl" />
        </div>
        <h2>TypeScript</h2>
        <div class="card explain-sql">
          <CodeView
            text={typescriptSample(call, sentHeaders.value)}
            language="typescript"
            label="The operation in TypeScript"
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
