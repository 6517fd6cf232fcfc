// Made from config/rules.default.jsonc by `npm run generate`, so that no damaged installation is without rules.
export const defaultRulesText = `// What hookbell does when you have no rules file. To change it, copy this file to ~/.config/hookbell/rules.jsonc.
{
  "$schema": "./rules.schema.json",

  // Where to reach you. Slack, e-mail, webhooks and your own programs can stand here as well.
  "channels": {
    "desktop": { "type": "desktop" },
    "sound": { "type": "sound" }, // which one depends on the level: attention, success or error
  },

  // You hear of work that took a while, and nothing while you look at the agent's terminal. Questions and errors are sent
  // however short the work was.
  "defaults": { "longerThan": "20s", "focused": false },

  // Read from top to bottom; every rule that holds adds its channels. What none of them names is silent: subagents
  // (SubagentStop), starts, prompts.
  "rules": [
    // Something in the background failed, such as an agent.
    {
      "name": "an agent failed",
      "when": { "event": "Notification", "level": "error" },
      "notify": ["desktop", "sound"],
      "final": true,
    },

    // The agent or one of its plug-ins sends you a message.
    {
      "name": "news",
      "when": { "event": "Notification", "notificationType": ["push_notification", "plugin_notification"] },
      "notify": ["desktop"],
      "final": true,
    },

    // It goes on by itself: you have signed in, or answered, or something in the background is done.
    {
      "name": "for your information",
      "when": { "event": "Notification", "level": ["info", "success"] },
      "notify": [],
      "final": true,
    },

    // It waits for you: a permission, a question, or the next prompt. With "stuckAfter", also a turn that makes no progress.
    // HookChanged: an agent will run a program that it did not run before.
    {
      "name": "needs me",
      "when": { "event": ["Notification", "PermissionRequest", "Stuck", "HookChanged"] },
      "notify": ["desktop", "sound"],
      "level": "attention",
    },

    // Waits while its subagents go on.
    { "name": "done", "when": { "event": "Stop" }, "notify": ["desktop", "sound"], "level": "success" },

    // An agent is at its usage limit: you are notified once for all its sessions, instead of by "failed".
    {
      "name": "at the limit",
      "when": { "event": "LimitReached" },
      "notify": ["desktop", "sound"],
      "level": "attention",
    },

    // Its sessions can go on. It may be night, so there is no sound.
    { "name": "limit has reset", "when": { "event": "LimitReset" }, "notify": ["desktop"] },

    // The turn failed: login, no network.
    { "name": "failed", "when": { "event": "StopFailure" }, "notify": ["desktop", "sound"], "level": "error" },

    // Most sessions end because you end them; you hear of those that end by themselves.
    {
      "name": "session failed",
      "when": { "event": "SessionEnd", "reason": { "matches": "(?i)error|fail|crash" } },
      "notify": ["desktop", "sound"],
      "level": "error",
    },
  ],
}
`;
