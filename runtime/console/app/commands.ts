/** Entries of the command palette, and their search. */
import { endpoint } from "../http/address.ts";
import type { IconName } from "../parts/icon.tsx";
import { addressOf, navigate } from "../routing/router.ts";
import { loadMetadata, metadata, sources } from "../state/metadata.ts";
import { chooseTheme, themes } from "../state/preferences.ts";
import { pages } from "./pages.ts";
import { openedPanel } from "./panels.ts";

export interface Command {
  readonly key: string;
  readonly group: string;
  readonly icon: IconName;
  readonly text: string;
  /** Shown behind the text, and searched, too. */
  readonly note?: string;
  readonly run: () => void;
}

const goTo =
  (...to: readonly string[]) =>
  () =>
    navigate(addressOf(to));

/** Returns the commands for the pages of the console, and what all pages offer. */
export function fixedCommands(): readonly Command[] {
  const open = (panel: "keyboard" | "settings" | "changes") => () => {
    openedPanel.value = panel;
  };
  return [
    ...pages.map(({ name, title, icon }) => command("Pages", icon, title, goTo(name))),
    command("Commands", "settings", "Open settings", open("settings")),
    command("Commands", "help", "Show keyboard shortcuts", open("keyboard")),
    command("Commands", "book", "Show the changes in this version", open("changes")),
    command("Commands", "refresh", "Reload the metadata in this tab", () => void loadMetadata()),
    ...themes.map((theme) => command("Commands", "theme", `Use the ${theme} theme`, () => chooseTheme(theme))),
  ];
}

/** Returns the commands for the objects of the metadata. */
export function metadataCommands(): readonly Command[] {
  const { query_collections: collections = [], actions = [] } = metadata.value ?? {};
  const isOnly = sources.value.length === 1;
  return [
    ...sources.value.flatMap(({ name: source, tables }) => [
      command("Databases", "data", source, goTo("data", source), "SQL, functions and tables"),
      ...tables.map(({ table: { schema, name } }) =>
        command("Tables", "data", name, goTo("data", source, schema, name), isOnly ? schema : `${source} · ${schema}`),
      ),
    ]),
    ...collections.flatMap(({ name: collection, definition }) =>
      definition.queries.map(({ name, query }) =>
        command("Saved operations", "api", name, () => void openOperation(query), collection),
      ),
    ),
    ...actions.map(({ name }) => command("Actions", "automation", name, goTo("automation", "action", name))),
  ];
}

async function openOperation(query: string): Promise<void> {
  const { openInEditor } = await import("../pages/api/request-state.ts");
  openInEditor({ query, variables: "" });
  navigate(addressOf(["api"]));
}

/** A line of the list of pages that the documentation site has for programs. */
const docsLine = /^- \[([^\]]+)\]\(([^)]+)\)(?:: (.*))?$/gm;

let docs: Promise<readonly Command[]> | undefined;

/** Returns the commands for the pages of the documentation; none if the server has no documentation. */
export function docsCommands(): Promise<readonly Command[]> {
  docs ??= loadDocs().catch(() => {
    docs = undefined;
    return [];
  });
  return docs;
}

async function loadDocs(): Promise<readonly Command[]> {
  const response = await fetch(endpoint("/docs/llms.txt"));
  if (!response.ok) return [];
  const text = await response.text();
  return [...text.matchAll(docsLine)].map(([, title = "", path = "", note]) => {
    const open = () => void window.open(endpoint(`/docs/${path}`), "_blank", "noopener");
    return command("Documentation", "book", title, open, note);
  });
}

function command(group: string, icon: IconName, text: string, run: () => void, note?: string): Command {
  return { key: `${group}\u0000${note ?? ""}\u0000${text}`, group, icon, text, run, ...(note && { note }) };
}

const maxFound = 40;

/**
 * Returns the commands that contain all words of the search, at most 40: first those whose text begins with the search,
 * then those whose text contains it. Without a search, returns pages and commands.
 */
export function found(all: readonly Command[], search: string): readonly Command[] {
  const text = search.trim().toLowerCase();
  const words = text.split(/\s+/);
  const ranked: Command[][] = [[], [], []];
  for (const each of all) {
    const own = each.text.toLowerCase();
    if (text === "" && each.group !== "Pages" && each.group !== "Commands") continue;
    const whole = `${each.group} ${own} ${each.note?.toLowerCase() ?? ""}`;
    if (!words.every((word) => whole.includes(word))) continue;
    ranked[own.startsWith(text) ? 0 : own.includes(text) ? 1 : 2]?.push(each);
  }
  return ranked.flat().slice(0, maxFound);
}
