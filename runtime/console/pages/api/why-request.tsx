/** Explains why a request of a role fails. */
import { useState } from "preact/hooks";
import type { ReadingSession } from "../../http/data-api.ts";
import type { JsonObject } from "../../http/metadata-types.ts";
import { Button } from "../../parts/button.tsx";
import { WhyDialog, type WhyOption } from "../../parts/why-dialog.tsx";
import { role, sentHeaders, sentToken } from "./request-state.ts";
import { currentCall } from "./run.ts";
import { sessionIn } from "./session.ts";

/** Button at an error; absent for administrators, who have every permission. */
export function WhyButton() {
  const [opened, setOpened] = useState<WhyOption | null>(null);
  const session = sentSession();
  const option = session && requestOption();
  if (!session || !option) return null;
  return (
    <>
      <Button
        kind="quiet"
        icon="help"
        title="Explain which check refuses the request"
        onClick={() => setOpened(option)}
      >
        Why?
      </Button>
      {opened && (
        <WhyDialog
          title="Why does the request fail?"
          options={[opened]}
          session={session}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  );
}

function requestOption(): WhyOption | null {
  try {
    const { query, variables, operationName } = currentCall();
    const request = {
      query,
      ...(variables !== undefined && { variables: variables as JsonObject }),
      ...(typeof operationName === "string" && { operation_name: operationName }),
    };
    const backend = sentHeaders.value[backendHeader]?.toLowerCase() === "true";
    return { label: "Request", explained: { request, backend } };
  } catch {
    // The request was not sent.
    return null;
  }
}

const backendHeader = "x-engine-use-backend-only-permissions";

/** Headers that are no session variables. */
const notVariables: ReadonlySet<string> = new Set(["x-engine-role", "x-engine-admin-secret", backendHeader]);

/** Returns the session that the request is sent with; `null` for an administrator. */
function sentSession(): ReadingSession | null {
  const token = tokenSession();
  const name = role.value === "" ? (token?.role ?? "admin") : role.value;
  if (name === "admin") return null;
  const headers = Object.entries(sentHeaders.value).filter(([header]) => header.startsWith("x-engine-"));
  const own = headers.filter(([header]) => !notVariables.has(header));
  return { role: name, variables: { ...Object.fromEntries(own), ...token?.variables } };
}

function tokenSession(): ReadingSession | null {
  if (sentToken.value === null) return null;
  try {
    const { defaultRole, variables } = sessionIn(sentToken.value);
    return { role: defaultRole, variables };
  } catch {
    return null;
  }
}
