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
root.replaceChildren();
render(<Shell />, root);
