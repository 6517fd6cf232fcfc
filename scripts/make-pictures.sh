#!/usr/bin/env bash
# Makes the picture of README.md: a real terminal in which a hook runs, and the notification that a real daemon shows.
# Needs Xvfb, dbus, xterm, xfce4-notifyd, imagemagick and the fonts of fonts-dejavu-core: scripts/make-pictures.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
npm run --silent build
root=$PWD
work=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$work"' EXIT

mkdir -p "$work/bin" "$work/home" "$work/shop-web" "$work/run" docs/images
chmod 700 "$work/run"
ln -s "$root/dist/cli.js" "$work/bin/hookbell"
mkdir -p "$work/home/.config/hookbell"
cat >"$work/home/.config/hookbell/rules.jsonc" <<'RULES'
{
  "channels": { "desktop": { "type": "desktop" } },
  "rules": [
    { "name": "needs me", "when": { "level": ["attention", "error"] }, "notify": ["desktop"] },
    { "name": "done", "when": { "event": "Stop" }, "notify": ["desktop"] }
  ]
}
RULES
printf '{ "hook_event_name": "Stop", "session_id": "5f2c", "cwd": "%s",\n  "last_assistant_message": "All **214 tests** pass:\\n\\n- `cart` rounds once\\n- refunds keep the tax\\n\\nShall I open the pull request?" }\n' \
  "$work/shop-web" >"$work/shop-web/stop.json"

export HOME=$work/home XDG_RUNTIME_DIR=$work/run XDG_CONFIG_HOME=$work/home/.config XDG_STATE_HOME=$work/home/.local/state
export PATH=$work/bin:$PATH TZ=UTC LANG=C.UTF-8 NO_AT_BRIDGE=1

# What is typed into the terminal, and run in it.
cat >"$work/session.sh" <<'SESSION'
cd "$1"
type_and_run() {
  printf '\033[1;32mshop-web\033[0m $ %s\n' "$1"
  eval "$1"
  printf '\n'
}
type_and_run 'hookbell hook --agent claude-code < stop.json'
sleep 4
type_and_run 'hookbell log'
type_and_run 'hookbell explain stop.json --agent claude-code'
sleep 60
SESSION

Xvfb -displayfd 9 -screen 0 1000x600x24 -nolisten tcp 9>"$work/display" >/dev/null 2>&1 &
until [ -s "$work/display" ]; do sleep 0.1; done
DISPLAY=:$(cat "$work/display")
export DISPLAY

cat >"$work/inside.sh" <<INSIDE
xsetroot -solid '#3b4a6b'
/usr/lib/x86_64-linux-gnu/xfce4/notifyd/xfce4-notifyd &
daemon=\$!
sleep 2
xterm -fa 'DejaVu Sans Mono' -fs 10 -bg '#1b1d28' -fg '#e6e6e6' -geometry 121x27+8+120 -e bash '$work/session.sh' '$work/shop-web' &
terminal=\$!
sleep 7
import -window root "$work/picture.png"
kill \$terminal \$daemon
INSIDE
dbus-run-session -- bash "$work/inside.sh"

convert "$work/picture.png" -colors 64 docs/images/notification.png
