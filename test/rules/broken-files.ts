// Rules files with mistakes, and everything that is said about each: `line:column  message (hint)`.

import { policyFields } from "../../src/rules/schema/policies.ts";
import { channelTypes } from "../support/channels/all-types.ts";

const types = channelTypes.map(({ type }) => type).join(", ");

/** A whole file. */
export type Broken = [mistake: string, text: string, said: string[]];

/** A channel with these settings, in line 3. */
const channel = (settings: string): string =>
  `{\n  "channels": {\n    "a": { ${settings} }\n  },\n  "rules": [{ "notify": ["a"] }]\n}`;

/** A rule with these keys, in line 4. */
const rule = (keys: string): string =>
  `{\n  "channels": { "a": { "type": "desktop" }, "b": { "type": "sound" } },\n  "rules": [\n    { ${keys} },\n    { "name": "rest", "notify": ["a", "b"] }\n  ]\n}`;

export const brokenJson: Broken[] = [
  [
    "nothing at all",
    "",
    ['1:1  the rules file is empty (it needs "channels" and "rules"; without the file, the built-in rules apply)'],
  ],
  [
    "comments alone",
    "// later\n",
    ['1:1  the rules file is empty (it needs "channels" and "rules"; without the file, the built-in rules apply)'],
  ],
  ["an array", "[]", ["1:1  expected an object, got an empty array"]],
  ["a text", '"rules"', ["1:1  expected an object, got a text"]],
  [
    "no keys",
    "{}",
    [
      '1:1  "channels" is missing (the destinations, by the names that rules use)',
      '1:1  "rules" is missing (read from top to bottom; every rule that matches adds its channels)',
    ],
  ],
  [
    "a missing comma",
    '{\n  "channels": {}\n  "rules": []\n}',
    ["3:3  expected a comma before this", "3:12  warning: there are no rules, so nothing is sent"],
  ],
  [
    "two missing commas and an unknown key",
    '{\n  "chanels": {}\n  "channels": {}\n  "rules": []\n}',
    [
      '2:3  there is no setting "chanels" here (did you mean "channels"?)',
      "3:3  expected a comma before this",
      "4:3  expected a comma before this",
      "4:12  warning: there are no rules, so nothing is sent",
    ],
  ],
  [
    "single quotes",
    "{\n  'channels': {},\n  \"rules\": []\n}",
    ['2:3  JSON has only double quotes (write "like this")'],
  ],
  [
    "a key without quotes",
    '{\n  channels: {},\n  "rules": []\n}',
    ['2:3  expected a double-quoted string, a number, true, false or null (put it in double quotes: "channels")'],
  ],
  [
    "a value without quotes",
    '{\n  "channels": { "a": { "type": desktop } },\n  "rules": []\n}',
    ['2:32  expected a double-quoted string, a number, true, false or null (put it in double quotes: "desktop")'],
  ],
  ["a missing colon", '{\n  "channels" {},\n  "rules": []\n}', ['2:14  expected ":" after the key']],
  [
    "a text without an end",
    '{\n  "channels": { "a": { "type": "desktop } },\n  "rules": []\n}',
    ['2:32  this text has no closing " on its line'],
  ],
  [
    "a comment without an end",
    '{\n  "channels": {},\n  "rules": [] /* later\n}',
    ['3:15  this comment is not closed (end it with "*/")'],
  ],
  ["a shell's comment", '{\n  # later\n  "channels": {},\n  "rules": []\n}', ["2:3  comments start with //"]],
  [
    "a backslash as it is",
    '{\n  "channels": { "a": { "type": "sound", "sound": "C:\\sounds\\done.wav" } },\n  "rules": []\n}',
    ['2:50  not an escape sequence of JSON (for a backslash, write "\\\\")'],
  ],
  [
    "half a unicode escape",
    '{\n  "channels": {},\n  "rules": [{ "notify": [], "name": "\\u12" }]\n}',
    ['3:37  expected four hexadecimal digits after "\\u"'],
  ],
  [
    "a tab in a text",
    '{\n  "channels": {},\n  "rules": [{ "notify": [], "name": "a\tb" }]\n}',
    ['3:37  a text cannot contain a control character (for a line break write "\\n", for a tab "\\t")'],
  ],
  [
    "a brace that is not closed",
    '{\n  "channels": {\n    "a": { "type": "desktop" },\n  "rules": []\n}',
    ['5:2  the file ends too early (the "{" in line 1 is not closed)'],
  ],
  [
    "a bracket that is not closed",
    '{\n  "channels": {},\n  "rules": [\n}\n',
    ['4:1  this does not close the "[" in line 3 (a "]" is missing before this)'],
  ],
  [
    "a list of rules that is not closed before the next part",
    '{\n  "channels": {},\n  "rules": [\n    { "notify": [] },\n  "quietHours": {}\n}\n',
    ['5:3  a key can stand only in an object (a "]" is missing before it, for the "[" in line 3, or a "{")'],
  ],
  [
    "an object that a bracket closes",
    '{\n  "channels": {},\n  "rules": [{ "notify": [] ]\n}\n',
    ['3:28  this does not close the "{" in line 3 (a "}" is missing before this)'],
  ],
  [
    "a rule whose brace is not closed",
    '{\n  "channels": {},\n  "rules": [\n    { "name": "x", "notify": [],\n    { "notify": [] }\n  ]\n}\n',
    [
      '5:5  expected a key in double quotes, since the "{" in line 4 is still open (a "}" is missing before this, or a "[" further up)',
    ],
  ],
  [
    "rules without the bracket before them",
    '{\n  "channels": {},\n  "rules":\n    { "notify": [] },\n    { "notify": [] }\n  ]\n}\n',
    [
      '5:5  expected a key in double quotes, since the "{" in line 1 is still open (a "}" is missing before this, or a "[" further up)',
    ],
  ],
  [
    "a channel without its opening brace",
    '{\n  "channels": { "a": "type": "desktop" } },\n  "rules": []\n}\n',
    ['2:22  a key can stand only in an object (a "{" is missing before it)'],
  ],
  [
    "something behind the end",
    '{ "channels": {}, "rules": [] }\n{}',
    ["2:1  expected the end of the file after its object"],
  ],
  ["a number that is none", '{ "channels": {}, "rules": [], "version": 1. }', ["1:43  this number is incomplete"]],
  [
    "two mistakes of syntax",
    '{\n  "channels": { "a" { } },\n  "rules": [ yes ]\n}',
    [
      '2:21  expected ":" after the key',
      '3:14  expected a double-quoted string, a number, true, false or null (put it in double quotes: "yes")',
    ],
  ],
  [
    "a key that stands twice",
    '{\n  "channels": {},\n  "rules": [],\n  "rules": []\n}',
    [
      '4:3  "rules" appears twice, first in line 3 (keep one of them)',
      "3:12  warning: there are no rules, so nothing is sent",
    ],
  ],
  [
    "the prototype",
    '{\n  "channels": { "__proto__": { "type": "desktop" } },\n  "rules": []\n}',
    ['2:17  "__proto__" cannot be used as a name', "3:12  warning: there are no rules, so nothing is sent"],
  ],
  [
    "the prototype, deep inside",
    '{\n  "channels": { "a": { "type": "desktop", "__proto__": {} } },\n  "rules": [{ "notify": ["a"] }]\n}',
    ['2:43  "__proto__" cannot be used as a name'],
  ],
  ["too deep", `{\n  "rules": ${"[".repeat(40)}`, ["2:43  nested more than 32 levels deep"]],
  ["UTF-16", "\uFFFD\uFFFD{\0}\0", ['1:1  not UTF-8 text (save it with the encoding "UTF-8")']],
  [
    "an unknown key at the top",
    '{\n  "channels": {},\n  "rules": [],\n  "chanels": {}\n}',
    [
      '4:3  there is no setting "chanels" here (did you mean "channels"?)',
      "3:12  warning: there are no rules, so nothing is sent",
    ],
  ],
  [
    "channels as an array",
    '{\n  "channels": [],\n  "rules": []\n}',
    ["2:15  expected an object, got an empty array", "3:12  warning: there are no rules, so nothing is sent"],
  ],
  ["rules as an object", '{\n  "channels": {},\n  "rules": {}\n}', ["3:12  expected an array, got an object"]],
  [
    "no rules key",
    '{\n  "channels": {}\n}',
    ['1:1  "rules" is missing (read from top to bottom; every rule that matches adds its channels)'],
  ],
  [
    "$schema as a number",
    '{ "$schema": 1, "channels": {}, "rules": [] }',
    ["1:14  expected a text, got a number", "1:42  warning: there are no rules, so nothing is sent"],
  ],
  ["a byte order mark does not count", '﻿{ "channels": {}, "rules": 1 }', ["1:28  expected an array, got a number"]],
  ["carriage returns", '{\r\n  "channels": {},\r\n  "rules": 1\r\n}', ["3:12  expected an array, got a number"]],
  [
    "characters outside the first plane count once",
    '{ "channels": { "🔔🔔": { "type": "x" } }, "rules": [{ "notify": ["🔔🔔"] }] }',
    [`1:33  there is no channel type "x" (types: ${types})`],
  ],
  [
    "a channel that is a text",
    '{\n  "channels": { "a": "desktop" },\n  "rules": [{ "notify": ["a"] }]\n}',
    ['2:22  expected an object such as { "type": "desktop" }, got a text'],
  ],
  [
    "a channel that is null",
    '{\n  "channels": { "a": null },\n  "rules": [{ "notify": ["a"] }]\n}',
    ['2:22  expected an object such as { "type": "desktop" }, got null'],
  ],
  [
    "a channel without a name",
    '{\n  "channels": { "": { "type": "desktop" } },\n  "rules": [{ "notify": [""] }]\n}',
    ["2:17  a name cannot be empty"],
  ],
  [
    "a channel's name with a control character",
    '{\n  "channels": { "a\\u001b": { "type": "desktop" } },\n  "rules": [{ "notify": ["a\\u001b"] }]\n}',
    ["2:17  a name has no control characters and no leading, trailing or double spaces"],
  ],
  [
    "a rule that is a text",
    '{ "channels": {}, "rules": ["x", null] }',
    ["1:29  expected an object, got a text", "1:34  expected an object, got null"],
  ],
  [
    "a channel that no rule names",
    '{ "channels": { "a": { "type": "desktop" } }, "rules": [{ "notify": [] }] }',
    ["1:17  warning: no rule notifies this channel"],
  ],
  [
    "no rules",
    '{ "channels": { "a": { "type": "desktop" } }, "rules": [] }',
    ["1:17  warning: no rule notifies this channel", "1:56  warning: there are no rules, so nothing is sent"],
  ],
];

export const brokenChannels: Broken[] = [
  ["no type", channel(""), ['3:10  "type" is missing (the kind of channel)']],
  ["an unknown type", channel('"type": "slak"'), ['3:20  there is no channel type "slak" (did you mean "slack"?)']],
  [
    "a type nothing like any",
    channel('"type": "pigeon"'),
    [`3:20  there is no channel type "pigeon" (types: ${types})`],
  ],
  ["a type that is no text", channel('"type": 3'), ["3:20  expected a text, got a number"]],
  [
    "the prototype's type",
    channel('"type": "toString"'),
    [`3:20  there is no channel type "toString" (types: ${types})`],
  ],
  [
    "an unknown setting",
    channel('"type": "desktop", "color": "red"'),
    [
      '3:31  there is no setting "color" here (settings here: type, displayFor, update, urgency, click, daemonSound, expireAfter, content, scrub, summary, throttle, answers)',
    ],
  ],
  [
    "a misspelt setting",
    channel('"type": "desktop", "displayfor": "3s"'),
    ['3:31  there is no setting "displayfor" here (did you mean "displayFor"?)'],
  ],
  [
    "a setting of another type",
    channel('"type": "sound", "displayFor": "3s"'),
    [
      '3:29  there is no setting "displayFor" here (settings here: type, sound, volume, expireAfter, content, scrub, summary, throttle)',
    ],
  ],
  [
    "a word that is not one of a few",
    channel('"type": "desktop", "urgency": "hgih"'),
    ['3:42  expected one of "low", "normal", "critical"'],
  ],
  [
    "a word close to one of a few",
    channel('"type": "desktop", "urgency": "Critical"'),
    ['3:42  expected one of "low", "normal", "critical" (did you mean "critical"?)'],
  ],
  [
    "no duration",
    channel('"type": "desktop", "expireAfter": "10 minutes"'),
    ["3:46  expected a duration such as 30s, 10m, 1h30m or 2d"],
  ],
  ["a duration as a number", channel('"type": "desktop", "expireAfter": 600'), ["3:46  expected a text, got a number"]],
  [
    "a duration of nothing",
    channel('"type": "desktop", "expireAfter": "0s"'),
    ["3:46  expected a duration greater than 0"],
  ],
  ["a number that is too large", channel('"type": "sound", "volume": 11'), ["3:39  expected at most 1"]],
  ["a number that is too small", channel('"type": "sound", "volume": -1'), ["3:39  expected at least 0"]],
  [
    "a missing setting",
    channel('"type": "mattermost"'),
    ['3:10  "url" is missing (The incoming webhook\'s URL, https://your-server/hooks/...)'],
  ],
  [
    "http:// to another machine",
    channel('"type": "ntfy", "topic": { "env": "T" }, "server": "http://ntfy.lan"'),
    [
      '3:63  http:// to another machine: anyone on the way could read and change the messages (write https://, or add "allowHttp": true for a receiver in your own network)',
    ],
  ],
  [
    "a secret that is a number",
    channel('"type": "slack", "url": 12345'),
    ['3:36  expected a string, { "env": NAME }, { "file": PATH } or { "command": [PROGRAM, ...] }'],
  ],
  [
    "a secret of no form",
    channel('"type": "slack", "url": {}'),
    ['3:36  expected a string, { "env": NAME }, { "file": PATH } or { "command": [PROGRAM, ...] }'],
  ],
  [
    "a misspelt form of a secret",
    channel('"type": "slack", "url": { "evn": "URL" }'),
    [
      '3:38  expected a string, { "env": NAME }, { "file": PATH } or { "command": [PROGRAM, ...] } (did you mean "env"?)',
    ],
  ],
  [
    "two forms of a secret at once",
    channel('"type": "slack", "url": { "env": "URL", "file": "~/url" }'),
    ['3:36  expected a string, { "env": NAME }, { "file": PATH } or { "command": [PROGRAM, ...] }'],
  ],
  [
    "a secret's variable without a name",
    channel('"type": "slack", "url": { "env": "" }'),
    ["3:45  expected a text that is not empty"],
  ],
  [
    "a secret's variable as a number",
    channel('"type": "slack", "url": { "env": 1 }'),
    ["3:45  expected a text, got a number"],
  ],
  [
    "a secret's file below whatever folder the agent works in",
    channel('"type": "slack", "url": { "file": "secrets/url" }'),
    ["3:46  expected an absolute path, or one that starts with ~/"],
  ],
  [
    "a secret's command below whatever folder the agent works in",
    channel('"type": "slack", "url": { "command": ["./print-url"] }'),
    ["3:50  expected a name on PATH, an absolute path or ~/..."],
  ],
  [
    "a secret's command as one text",
    channel('"type": "slack", "url": { "command": "pass show x" }'),
    ["3:49  expected an array, got a text"],
  ],
  [
    "a secret's command without a program",
    channel('"type": "slack", "url": { "command": [] }'),
    ['3:36  expected a string, { "env": NAME }, { "file": PATH } or { "command": [PROGRAM, ...] }'],
  ],
  [
    "a secret's command with a number",
    channel('"type": "slack", "url": { "command": ["pass", 1] }'),
    ["3:58  expected a text, got a number"],
  ],
  ["an empty secret", channel('"type": "slack", "url": ""'), ["3:36  expected a text that is not empty"]],
  [
    "a URL that is none",
    channel('"type": "slack", "url": "hooks.example.org"'),
    ["3:36  the URL has no scheme; add https:// in front"],
  ],
  [
    "a URL of this machine without its beginning",
    channel('"type": "webhook", "url": "localhost:8901/hook"'),
    ["3:38  the URL has no scheme; add http:// in front"],
  ],
  [
    "a URL of another protocol",
    channel('"type": "webhook", "url": "ftp://example.org/hook"'),
    ["3:38  the URL must start with https://, or http:// for this machine"],
  ],
  [
    "no recipients",
    channel('"type": "email", "smtp": { "env": "SMTP" }, "from": "me@example.org", "to": []'),
    ["3:88  expected at least 1 item"],
  ],
  [
    "a recipient that is no address",
    channel('"type": "email", "smtp": { "env": "SMTP" }, "from": "me@example.org", "to": ["me@example.org", "you"]'),
    ['3:107  expected an e-mail address such as me@example.org or "Name <me@example.org>", with one @'],
  ],
  [
    "a header's name with a space",
    channel('"type": "webhook", "url": { "env": "URL" }, "headers": { "X Y": "1" }'),
    ["3:69  expected a header name"],
  ],
  ["a program without a name", channel('"type": "command", "argv": []'), ["3:39  expected at least 1 item"]],
  [
    "five mistakes in one channel",
    channel('"type": "email", "smtp": 1, "from": 2, "colour": 3, "subject": "x", "expireAfter": "soon"'),
    [
      '3:10  "to" is missing (The recipients: an address, or an array of addresses)',
      '3:37  expected a string, { "env": NAME }, { "file": PATH } or { "command": [PROGRAM, ...] }',
      "3:48  expected a text, got a number",
      '3:51  there is no setting "colour" here (settings here: type, smtp, from, to, replyTo, subject, ca, oauth, withoutTls, expireAfter, content, scrub, summary, throttle)',
      '3:75  expected one of "title", "session"',
      "3:95  expected a duration such as 30s, 10m, 1h30m or 2d",
    ],
  ],
];

export const brokenRules: Broken[] = [
  [
    "no notify",
    rule('"name": "x"'),
    ['4:5  "notify" is missing (the channels to notify, by name; an empty array notifies none)'],
  ],
  ["notify as a text", rule('"notify": "a"'), ['4:17  expected an array of channel names, such as ["desktop"]']],
  ["an unknown channel", rule('"notify": ["a", "desk"]'), ['4:23  there is no channel "desk" (channels: a, b)']],
  ["a misspelt channel", rule('"notify": ["A"]'), ['4:18  there is no channel "A" (did you mean "a"?)']],
  ["a channel that is a number", rule('"notify": ["a", 7]'), ["4:23  expected a text, got a number"]],
  [
    "an unknown fallback",
    rule('"notify": ["a"], "fallback": ["c"]'),
    ['4:37  there is no channel "c" (channels: a, b)'],
  ],
  [
    "a channel of the prototype",
    rule('"notify": ["constructor"]'),
    ['4:18  there is no channel "constructor" (channels: a, b)'],
  ],
  [
    "an unknown key",
    rule('"notify": ["a"], "sound": "x"'),
    [
      `4:24  there is no setting "sound" here (settings here: name, when, notify, level, title, body, final, fallback, ${Object.keys(policyFields).join(", ")})`,
    ],
  ],
  [
    "a misspelt key",
    rule('"notify": ["a"], "wehn": { "event": "Stop" }'),
    ['4:24  there is no setting "wehn" here (did you mean "when"?)'],
  ],
  [
    "an unknown field",
    rule('"notify": ["a"], "when": { "branch": "main" }'),
    [
      '4:34  there is no setting "branch" here (settings here: event, agent, project, cwd, host, session, reason, notificationType, message, level, headless, runningSubagents)',
    ],
  ],
  [
    "a condition beside the conditions",
    rule('"notify": ["a"], "event": "Stop"'),
    ['4:24  there is no setting "event" here (it belongs in "when")'],
  ],
  [
    "a setting of the rule among its conditions",
    rule('"notify": ["a"], "when": { "longerThan": "20s" }'),
    ['4:34  there is no setting "longerThan" here (it belongs beside "when", not in it)'],
  ],
  [
    "a misspelt field",
    rule('"notify": ["a"], "when": { "notification_type": "idle_prompt" }'),
    ['4:34  there is no setting "notification_type" here (did you mean "notificationType"?)'],
  ],
  [
    "an event that no agent sends",
    rule('"notify": ["a"], "when": { "event": "ToolUseFailed" }'),
    [
      '4:43  warning: no known agent sends the event "ToolUseFailed" (similar events: PostToolUseFailure, postToolUseFailure, PreToolUse)',
    ],
  ],
  [
    "an agent that is not known",
    rule('"notify": ["a"], "when": { "agent": ["claud-code", "droid", "qwen*", "night-robot"] }'),
    ['4:44  warning: there is no known agent "claud-code" (did you mean "claude-code"?)'],
  ],
  [
    "a type of notification that is not known",
    rule('"notify": ["a"], "when": { "notificationType": { "not": "permission" } }'),
    [
      '4:63  warning: no known agent sends the notificationType "permission" (similar types: permission_prompt, worker_permission_prompt)',
    ],
  ],
  ["when as a text", rule('"notify": ["a"], "when": "Stop"'), ["4:32  expected an object, got a text"]],
  [
    "a field as a number",
    rule('"notify": ["a"], "when": { "event": 1 }'),
    ['4:43  expected a text such as "shop-*", { "matches": REGEX }, { "not": ... }, or an array of these'],
  ],
  ["an empty text", rule('"notify": ["a"], "when": { "project": "" }'), ["4:45  an empty text matches nothing"]],
  ["an empty array", rule('"notify": ["a"], "when": { "project": [] }'), ["4:45  an empty array matches nothing"]],
  [
    "a number in an array",
    rule('"notify": ["a"], "when": { "project": ["a", 1] }'),
    ['4:51  expected a text such as "shop-*", { "matches": REGEX }, { "not": ... }, or an array of these'],
  ],
  [
    "a misspelt matches",
    rule('"notify": ["a"], "when": { "project": { "match": "x" } }'),
    [
      '4:47  expected a text such as "shop-*", { "matches": REGEX }, { "not": ... }, or an array of these (did you mean "matches"?)',
    ],
  ],
  [
    "an unknown way to match",
    rule('"notify": ["a"], "when": { "project": { "startsWith": "x" } }'),
    ['4:45  expected a text such as "shop-*", { "matches": REGEX }, { "not": ... }, or an array of these'],
  ],
  [
    "matches and not at once",
    rule('"notify": ["a"], "when": { "project": { "matches": "x", "not": "y" } }'),
    ['4:45  expected a text such as "shop-*", { "matches": REGEX }, { "not": ... }, or an array of these'],
  ],
  [
    "not of not",
    rule('"notify": ["a"], "when": { "project": { "not": { "not": "x" } } }'),
    ['4:54  expected a text such as "shop-*", { "matches": REGEX }, or an array of these'],
  ],
  [
    "a bad expression",
    rule('"notify": ["a"], "when": { "project": { "matches": "shop-(a|b" } }'),
    ["4:59  not a regular expression: missing closing )"],
  ],
  [
    "a bad expression behind escapes",
    rule('"notify": ["a"], "when": { "message": { "matches": "\\"\\\\d\\u00e9\\" [z" } }'),
    ["4:73  not a regular expression: missing closing ]"],
  ],
  [
    "a lookahead",
    rule('"notify": ["a"], "when": { "project": { "matches": "a(?!b)" } }'),
    [
      '4:60  not a regular expression: invalid or unsupported Perl syntax (lookaround is not supported; use { "not": ... } or several rules)',
    ],
  ],
  [
    "a reference back",
    rule('"notify": ["a"], "when": { "project": { "matches": "(a)\\\\1" } }'),
    ["4:62  not a regular expression: invalid escape sequence (backreferences are not supported)"],
  ],
  [
    "a glob as an expression",
    rule('"notify": ["a"], "when": { "project": { "matches": "*-web" } }'),
    [
      '4:59  not a regular expression: missing argument to repetition operator (for a glob, leave out "matches": "shop-*")',
    ],
  ],
  [
    "a bad expression inside not inside an array",
    rule('"notify": ["a"], "when": { "project": ["x", { "not": [{ "matches": "[" }] }] }'),
    ["4:75  not a regular expression: missing closing ]"],
  ],
  [
    "an expression too large to repeat",
    rule('"notify": ["a"], "when": { "project": { "matches": "((a{999}){999}){999}" } }'),
    ["4:62  not a regular expression: invalid repeat count"],
  ],
  [
    "an unknown level to match",
    rule('"notify": ["a"], "when": { "level": ["info", "err"] }'),
    ['4:52  there is no level "err" (levels: info, success, attention, error)'],
  ],
  [
    "an unknown level",
    rule('"notify": ["a"], "level": "urgent"'),
    ['4:33  expected one of "info", "success", "attention", "error"'],
  ],
  [
    "a level in capitals",
    rule('"notify": ["a"], "level": "ERROR"'),
    ['4:33  expected one of "info", "success", "attention", "error" (did you mean "error"?)'],
  ],
  [
    "an unknown name in a title",
    rule('"notify": ["a"], "title": "{projct} is done"'),
    ["4:35  there is no {projct} (did you mean {project}?)"],
  ],
  [
    "unknown names behind escapes and other characters",
    rule('"notify": ["a"], "title": "\\t\\u00e9é🔔{nobody}{x}"'),
    [
      "4:45  there is no {nobody} (names: event, headline, agent, session, project, branch, worktree, label, folder, sessionName, cwd, host, message, reason, title, level, duration, effort, link, time and payload.FIELD)",
      "4:53  there is no {x} (names: event, headline, agent, session, project, branch, worktree, label, folder, sessionName, cwd, host, message, reason, title, level, duration, effort, link, time and payload.FIELD)",
    ],
  ],
  [
    "a brace that is not closed",
    rule('"notify": ["a"], "body": "{message} {"'),
    ['4:43  this "{" is not closed (for a literal brace, write "{{")'],
  ],
  [
    "a payload without a path",
    rule('"notify": ["a"], "body": "{payload}"'),
    ["4:34  expected the path of a field of the payload (such as {payload.tool_name})"],
  ],
  [
    "a bad path",
    rule('"notify": ["a"], "body": "{payload..x}"'),
    ["4:34  expected the path of a field of the payload (such as {payload.tool_name})"],
  ],
  ["a title that is a number", rule('"notify": ["a"], "title": 1'), ["4:33  expected a text, got a number"]],
  ["final as a text", rule('"notify": ["a"], "final": "true"'), ["4:33  expected true or false, got a text"]],
  ["an empty name", rule('"name": "", "notify": ["a"]'), ["4:15  a name cannot be empty"]],
  [
    "a name that is too long",
    rule(`"name": "${"x".repeat(65)}", "notify": ["a"]`),
    ["4:15  a name has at most 64 characters"],
  ],
  [
    "an event close to a known one",
    rule('"notify": ["a"], "when": { "event": "Notifications" }'),
    ['4:43  warning: no known agent sends the event "Notifications" (did you mean "Notification"?)'],
  ],
  [
    "an event in the case of another agent",
    rule('"notify": ["a"], "when": { "event": ["Stop", { "not": "subagent_stop" }] }'),
    ['4:61  warning: no known agent sends the event "subagent_stop" (did you mean "SubagentStop"?)'],
  ],
  [
    "entries of the allow list that cannot be read",
    '{ "answers": { "allow": ["Edit", "Ba sh",\n "mcp__files__write(/p/*)"] }, "channels": { "a": { "type": "desktop", "answers": true } },\n "rules": [{ "notify": ["a"] }] }',
    [
      '1:34  expected a tool such as "Edit", or one with a pattern such as "Bash(npm test *)"',
      "2:2  mcp__files__write takes no pattern; these tools do: Bash, bash, shell, run_shell_command, Edit, Write, MultiEdit, NotebookEdit, Read, edit, write, read, write_file, replace, read_file, WebFetch, webfetch, web_fetch",
    ],
  ],
  [
    "a channel that carries answers, in a file without them",
    '{ "channels": { "a": { "type": "desktop", "answers": true } },\n "rules": [{ "notify": ["a"] }] }',
    [
      '1:54  warning: this does nothing, because the rules file has no "answers" (add "answers": {} beside "channels"; https://github.com/hookbell/hookbell/blob/main/docs/reference/ANSWERS.md)',
    ],
  ],
  ["a name that stands twice", rule('"name": "rest", "notify": ["a"]'), ["5:15  warning: another rule has this name"]],
  [
    "double braces",
    rule('"notify": ["a"], "title": "{{project}}"'),
    [
      '4:34  warning: "{{" is a literal brace, so this shows {project} and not its value (for the value write {project})',
    ],
  ],
  [
    "a rule behind one that ends it all",
    rule('"notify": ["a"], "final": true'),
    ['5:5  warning: this rule is never read: "rule 1" before it is final and matches all that it matches'],
  ],
];
