// What the server said to what the person did. It stays for a moment, also when the question it is about has gone.
import { createContext, type ComponentChildren } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";

const shownMs = 8000;

const Notify = createContext<(text: string) => void>(() => {});

/** Shows the text at the bottom of the page. */
export function useNotify(): (text: string) => void {
  return useContext(Notify);
}

export function Notices({ children }: { children: ComponentChildren }) {
  const [notice, setNotice] = useState({ text: "" });
  useEffect(() => {
    if (notice.text === "") return undefined;
    const timer = setTimeout(() => setNotice({ text: "" }), shownMs);
    return () => clearTimeout(timer);
  }, [notice]);
  return (
    <Notify.Provider value={(text) => setNotice({ text })}>
      {children}
      <div class={notice.text === "" ? "notice unseen" : "notice"} role="status">
        {notice.text}
      </div>
    </Notify.Provider>
  );
}
