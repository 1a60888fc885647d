/** The dialogs of panels, in one file that is loaded when the first of them opens. */
export { Changes } from "./changes.tsx";
export { CommandPalette } from "./command-palette.tsx";
export { KeyboardHelp } from "./keyboard-help.tsx";
export { Settings } from "./settings.tsx";
