/** Reloads data periodically while the tab is visible. */
import { useEffect, useRef } from "preact/hooks";

const defaultInterval = 5000;

/** @param isOn false to pause */
export function usePolling(reload: () => void, isOn = true, milliseconds = defaultInterval): void {
  const latest = useRef(reload);
  latest.current = reload;
  useEffect(() => {
    if (!isOn) return;
    const timer = setInterval(() => {
      if (!document.hidden) latest.current();
    }, milliseconds);
    return () => clearInterval(timer);
  }, [isOn, milliseconds]);
}
