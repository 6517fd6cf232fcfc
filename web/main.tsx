// The page of `hookbell serve`: what the browser runs.
import { options, render } from "preact";
import { printable } from "../src/model/text.ts";
import { App } from "./app.tsx";

// Agents write much of what the page shows. Every text of every component passes here, so that none can forget it.
options.vnode = (node: { type: unknown; props: unknown }) => {
  if (typeof node.props === "string") node.props = printable(node.props);
  if (typeof node.type !== "string" || typeof node.props !== "object" || node.props === null) return;
  const props = node.props as Record<string, unknown>;
  for (const name of ["aria-label", "title"]) {
    if (typeof props[name] === "string") props[name] = printable(props[name]);
  }
};

const place = document.getElementById("page");
if (place !== null) render(<App />, place);
