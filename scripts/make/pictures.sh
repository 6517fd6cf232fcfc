#!/usr/bin/env bash
# Makes the pictures of README.md and docs/: real terminals in which hooks run, and what a real daemon shows.
# Needs Xvfb, dbus, xterm, xfce4-notifyd, imagemagick and the fonts of fonts-dejavu-core: scripts/make/pictures.sh [NAME...]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
npm run --silent build
root=$PWD
only=" $* "
work=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$work"' EXIT
mkdir -p "$work/bin" docs/images
ln -s "$root/dist/cli.js" "$work/bin/hookbell"

# What each picture's script may use; it starts in a folder of its own.
cat >"$work/words.sh" <<'WORDS'
type_and_run() {
  printf '\033[1;32m%s\033[0m $ %s\n' "$(basename "$PWD")" "$1"
  eval "$1"
  printf '\n'
}
# hook SECONDS AGENT PROJECT EVENT [FIELDS]: what the agent's hook stored so many seconds ago.
hook() {
  local incoming=$XDG_STATE_HOME/hookbell/incoming at=$(($(date +%s) - $1))
  mkdir -p "../$3" "$incoming"
  local file="$incoming/${at}000-$((hooks += 1))-1.$2.-.json"
  printf '{"hook_event_name":"%s","session_id":"%s","cwd":"%s"%s}' "$4" "$3" "$(cd "../$3" && pwd)" "${5:-}" >"$file"
  touch -d "@$at" "$file"
}
WORDS

# picture NAME WIDTHxHEIGHT GEOMETRY SECONDS RULES: runs the script on standard input in a terminal, and takes the screen's picture.
picture() {
  local home=$work/$1
  if [[ $only != "  " && $only != *" $1 "* ]]; then return; fi
  mkdir -p "$home/.config/hookbell" "$home/shop-web" "$home/run"
  chmod 700 "$home/run"
  printf '%s\n' "$5" >"$home/.config/hookbell/rules.jsonc"
  cat "$work/words.sh" - >"$home/session.sh"
  Xvfb -displayfd 9 -screen 0 "$2x24" -nolisten tcp 9>"$home/display" >/dev/null 2>&1 &
  local screen=$!
  until [ -s "$home/display" ]; do sleep 0.1; done
  cat >"$home/inside.sh" <<INSIDE
display -window root 'xc:#3b4a6b'
/usr/lib/x86_64-linux-gnu/xfce4/notifyd/xfce4-notifyd &
daemon=\$!
sleep 2
cd '$home/shop-web'
xterm -fa 'DejaVu Sans Mono' -fs 10 -bg '#1b1d28' -fg '#e6e6e6' -geometry $3 -e bash '$home/session.sh' &
terminal=\$!
sleep $4
import -window root '$home/picture.png'
kill \$terminal \$daemon
INSIDE
  env -i DISPLAY=":$(cat "$home/display")" ROOT="$root" HOME="$home" XDG_RUNTIME_DIR="$home/run" \
    XDG_CONFIG_HOME="$home/.config" XDG_STATE_HOME="$home/.local/state" PATH="$work/bin:$PATH" TZ=UTC LANG=C.UTF-8 \
    NO_AT_BRIDGE=1 dbus-run-session -- bash "$home/inside.sh"
  kill "$screen"
  convert "$home/picture.png" -colors 64 "docs/images/$1.png"
}

picture notification 1000x680 121x27+8+208 8 '{
  "channels": { "desktop": { "type": "desktop" } },
  "rules": [
    { "name": "needs me", "when": { "level": ["attention", "error"] }, "notify": ["desktop"] },
    { "name": "done", "when": { "event": "Stop" }, "notify": ["desktop"] }
  ]
}' <<'SESSION'
printf '{ "hook_event_name": "Stop", "session_id": "5f2c", "cwd": "%s",\n  "last_assistant_message": "All **214 tests** pass:\\n\\n- `cart` rounds once\\n- refunds keep the tax\\n\\nShall I open the pull request?" }\n' "$PWD" >stop.json
type_and_run 'hookbell hook --agent claude-code < stop.json'
sleep 4
type_and_run 'hookbell log'
type_and_run 'hookbell explain stop.json --agent claude-code'
sleep 60
SESSION

picture question 900x300 108x7+8+176 9 '{
  "answers": { "allow": ["Bash(npm test*)"], "hold": "always" },
  "channels": { "desktop": { "type": "desktop", "answers": true } },
  "rules": [{ "name": "asks", "when": { "event": "PermissionRequest" }, "notify": ["desktop"] }]
}' <<'SESSION'
printf '{ "hook_event_name": "PermissionRequest", "session_id": "5f2c", "cwd": "/home/ann/shop-web", "permission_mode": "default", "tool_name": "Bash", "tool_input": { "command": "npm test -- --coverage" } }' |
  node "$ROOT/dist/hook.cjs" --agent claude-code --answer >/dev/null &
sleep 3
type_and_run 'hookbell pending'
sleep 60
SESSION

picture waiting 900x400 64x14+8+60 9 '{
  "channels": { "desktop": { "type": "desktop", "summary": false } },
  "rules": [{ "name": "asks", "when": { "level": "attention" }, "notify": ["desktop"] }]
}' <<'SESSION'
ask() { hook "$1" "$2" "$3" Notification ",\"message\":\"$4\",\"notification_type\":\"permission_prompt\""; }
ask 580 claude-code shop-web 'run npm publish?'
ask 520 codex payments 'apply the patch?'
ask 470 claude-code docs 'open docs.example.org?'
ask 420 qwen search 'run cargo bench?'
ask 350 claude-code mobile 'edit Podfile?'
ask 260 claude-code infra 'run terraform apply?'
ask 200 codex billing 'delete 3 files?'
ask 130 qwen landing 'run hugo?'
ask 70 claude-code api 'run make migrate?'
ask 20 codex admin 'install react?'
hookbell dispatch &
sleep 3
type_and_run 'hookbell status | tail -n 11'
sleep 60
SESSION

picture answered 1000x190 122x10+8+8 9 '{
  "channels": { "desktop": { "type": "desktop" }, "phone": { "type": "ntfy", "topic": "t" } },
  "rules": [{
    "name": "needs me", "when": { "event": "Notification" }, "notify": ["desktop"],
    "escalate": [{ "after": "2m", "notify": ["phone"] }]
  }]
}' <<'SESSION'
asked=$(date +%s)
hook 41 claude-code shop-web Notification ',"message":"May I push to main?","notification_type":"permission_prompt"'
hookbell dispatch &
sleep 2
hook $(($(date +%s) - asked)) claude-code shop-web UserPromptSubmit ',"prompt":"yes"'
sleep 2
type_and_run 'hookbell log'
sleep 60
SESSION

picture board 822x430 100x24+8+8 6 '{}' <<'SESSION'
hookbell board --demo
SESSION

picture digest 900x340 108x19+8+8 9 '{
  "channels": { "desktop": { "type": "desktop" } },
  "rules": [{ "name": "done", "when": { "event": "SessionEnd" }, "notify": ["desktop"] }]
}' <<'SESSION'
turn() { # SECONDS-AGO MINUTES AGENT PROJECT [EVENT]
  hook "$1" "$3" "$4" UserPromptSubmit ',"prompt":"go on"'
  hook "$(($1 - $2 * 60))" "$3" "$4" "${5:-Stop}" ',"last_assistant_message":"The model did not answer.","error":"server_error"'
}
turn 26000 52 claude-code shop-web
turn 24000 31 codex payments
turn 21000 44 claude-code shop-web
turn 18000 12 claude-code docs
turn 15500 65 codex payments
turn 9000 23 claude-code shop-web StopFailure
turn 7000 38 claude-code docs
turn 4000 47 codex payments
hook 600 claude-code shop-web Notification ',"message":"run npm publish?","notification_type":"permission_prompt"'
hookbell dispatch --until-idle >/dev/null
type_and_run 'hookbell digest --since 9h'
sleep 60
SESSION
