/**
 * Typing over a selection, done by the editor alone. Left to itself, Chromium deletes the selection in the page first and
 * keeps its looks: the letters come in an element with a style attribute. The content security policy allows none, so
 * each time the browser would report an attack. Compositions are left to the browser: a change of the page ends them.
 */
import { EditorView } from "@codemirror/view";

export const typedOver = EditorView.domEventHandlers({
  beforeinput: (event, view) => {
    const { inputType, data, isComposing, cancelable } = event;
    const { state } = view;
    if (inputType !== "insertText" || data === null || isComposing || !cancelable) return false;
    if (state.selection.main.empty) return false;
    event.preventDefault();
    if (!state.readOnly) replaceSelected(view, data);
    return true;
  },
});

/** As the editor does for a change that it reads from the page: what closes brackets and quotes is asked first. */
function replaceSelected(view: EditorView, text: string): void {
  const { state } = view;
  const { from, to } = state.selection.main;
  const insert = () => state.update(state.replaceSelection(text), { userEvent: "input.type", scrollIntoView: true });
  const isHandled = state.facet(EditorView.inputHandler).some((handler) => handler(view, from, to, text, insert));
  if (!isHandled) view.dispatch(insert());
}
