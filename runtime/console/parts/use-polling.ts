/** Reloads data periodically while the tab is visible. */
import { useEffect, useRef } from "preact/hooks";

const milliseconds = 5000;

/** @param isOn false to pause */
export function usePolling(reload: () => void, isOn = true): void {
  const latest = useRef(reload);
  latest.current = reload;
  useEffect(() => {
    if (!isOn) return;
    const timer = setInterval(() => {
      if (!document.hidden) latest.current();
    }, milliseconds);
    return () => clearInterval(timer);
  }, [isOn]);
}
