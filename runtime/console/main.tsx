/** Entry point of the console. */
import "@preact/signals";
import { render } from "preact";
import { Shell } from "./app/shell.tsx";
// Applies the theme.
import "./state/preferences.ts";
import { openProject } from "./state/project.ts";

const root = document.getElementById("console");
if (!root) throw new Error("invariant: the page has an element #console");
await openProject();
// A relative address would be resolved again whenever the page's address changes.
const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
icon?.setAttribute("href", icon.href);
root.replaceChildren();
render(<Shell />, root);
