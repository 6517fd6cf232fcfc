// Makes docs/reference/GALLERY.md: what a phone, a desktop and Slack show of each captured event, with the built-in rules' texts.

const surroundings = { receivedAt: Date.parse("2026-11-22T10:00:00Z"), host: "box", home: "/home/u" };
const push = { maxTitle: 250, maxBody: 3500 };
const bytes = (text) => Buffer.byteLength(text);

const intro = `# Gallery

What you see for each event that an agent was seen to send, made from the captured payloads by \`npm run generate\`. The phone shows a summary of
the agent's words (ntfy with a server of your own), Slack a summary, the desktop all of them. Slack's formats are shown as it is sent them.
Events that ask for nothing, such as a tool's end, are left out.
`;

/** `payloads`: of each agent, its captured payloads by file, in their order. */
export function galleryDocument(agents, payloads, parts) {
  const sections = agents.flatMap(({ id, name }) => {
    const shown = eventsOf(id, payloads[id] ?? {}, parts);
    return shown.length === 0 ? [] : [`## ${name}\n\n${shown.join("\n")}`];
  });
  return `${intro}\n${sections.join("\n")}`;
}

/** Payloads that look alike are shown once. */
function eventsOf(agentId, files, parts) {
  const byLook = new Map();
  const asked = new Map();
  for (const [file, text] of Object.entries(files)) {
    const reading = parts.readPayload(text, { agentId, env: {} });
    // Subagents that are sessions of their own are silent.
    if (reading.status !== "valid" || reading.ignored !== undefined || file.endsWith("-in-helper")) continue;
    const bare = parts.eventOf(reading, { ...surroundings, id: "evt_1" });
    const { session } = bare;
    if (bare.name === "PreToolUse" && bare.request !== undefined) {
      const call = { text: bare.request, headline: bare.headline, at: surroundings.receivedAt };
      asked.set(session, call);
      if (call.text.startsWith("run ")) asked.set("run", call);
    }
    if (!shownEvents.has(bare.name)) continue;
    // If no prompt of this session was captured, another session's stands in.
    const request = asked.get(session) ?? asked.get("run");
    const requests = request === undefined ? [] : [request];
    const state = { kind: "working", turn: { helpers: 0, requests } };
    const event = {
      ...parts.withSession(bare, { state }),
      session: "0a1b2c3d",
      branch: "feature/cart",
      isOnlyHost: true,
    };
    const look = lookOf(event, reading.payload, parts);
    byLook.set(look, [...(byLook.get(look) ?? []), `\`${file}\``]);
  }
  return [...byLook].map(([look, names]) => `${names.join(", ")}\n\n\`\`\`text\n${look}\n\`\`\`\n`);
}

const shownEvents = new Set(["Notification", "PermissionRequest", "Stop", "StopFailure", "SubagentStop", "SessionEnd"]);

function lookOf(
  event,
  payload,
  { renderMessage, headlineOf, limitContent, parseMarkdown, toNotification, writeFor, toSlackMessage },
) {
  const messageOf = (content) => {
    const headline = headlineOf(event, event.level);
    const message = renderMessage({}, limitContent(event, content), { headline, payload });
    return message.isMarkdown === true ? { ...message, blocks: parseMarkdown(message.body) } : message;
  };
  const phone = toNotification(messageOf("summary"), event.name, { ...push, measure: bytes });
  const desktop = writeFor(messageOf("full"), undefined);
  const slack = toSlackMessage(messageOf("summary"), event.name);
  const blocks = slack.attachments.flatMap(({ blocks: all }) => all);
  const slackTexts = blocks.flatMap((block) =>
    block.type === "section" ? [block.text.text] : [block.elements.map(({ text }) => text).join(" · ")],
  );
  return [
    part("phone", [phone.title, phone.body]),
    part("desktop", [desktop.title, desktop.body]),
    part("Slack", [...slack.blocks.map(({ text }) => text.text), ...slackTexts]),
  ].join("\n");
}

function part(label, texts) {
  const lines = texts
    .join("\n")
    .replaceAll("\u200B", "")
    .replaceAll("```", "'''")
    .split("\n")
    .filter((line) => line.trim() !== "");
  return lines.map((line, index) => `${(index === 0 ? label : "").padEnd(9)}${line}`.trimEnd()).join("\n");
}
