/** Explains the options without which the console cannot use `/mcp`. */
import { configuration } from "../../configuration.ts";
import type { McpProblem } from "../../http/mcp-api.ts";
import { Button } from "../../parts/button.tsx";
import { Empty } from "../../parts/empty.tsx";

interface McpProblemProps {
  readonly problem: McpProblem;
  readonly isLoading: boolean;
  readonly onRetry: () => void;
}

/** The groups of a server with default options. The page of a project does not know those of its server. */
const defaultApis = ["metadata", "graphql", "pgdump", "config"];

export function McpProblemView({ problem, isLoading, onRetry }: McpProblemProps) {
  const { enabledApis } = configuration;
  const groups = [...(enabledApis.length === 0 ? defaultApis : enabledApis), "mcp"].join(",");
  const isOff = problem === "disabled";
  return (
    <Empty title={isOff ? "The server does not serve /mcp" : "The server refuses the admin secret at /mcp"}>
      <p>
        {isOff
          ? "Assistants call tools at /mcp, which is off by default. Restart the server with these options:"
          : "The playground sends the credentials of the console. Restart the server with this option:"}
      </p>
      <pre class="mcp-options">
        {isOff && `--enabled-apis ${groups}\n`}
        --mcp-admin-secret
      </pre>
      <p>{`Or set ${isOff ? `ENGINE_GRAPHQL_ENABLED_APIS=${groups} and ` : ""}ENGINE_GRAPHQL_MCP_ADMIN_SECRET=true.`}</p>
      <p>
        With --mcp-admin-secret, holders of the admin secret can call the tools of any role. Assistants do not need it:
        they send tokens.
      </p>
      <Button kind="primary" icon="refresh" busy={isLoading} onClick={onRetry}>
        Retry
      </Button>
    </Empty>
  );
}
