/** Asks again every few seconds, while the page can be seen. */
import { useEffect, useRef } from "preact/hooks";

const milliseconds = 5000;

/** @param isOn `false`: not now */
export function useRefreshed(reload: () => void, isOn = true): void {
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
