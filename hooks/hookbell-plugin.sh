#!/bin/sh
# What hookbell's plug-ins run: hookbell-plugin.sh [AGENT]. A plug-in is a copy of this repository, in which nothing is built,
# so this looks for a hookbell that is installed. Silent with exit 0, or one line on stderr with exit 1; agents read 2 and
# more as "block".
# As `isDisabled` in Node reads it.
case ${HOOKBELL_DISABLE-} in '' | 0 | [Ff][Aa][Ll][Ss][Ee] | [Nn][Oo] | [Oo][Ff][Ff]) ;; *) exit 0 ;; esac

# Droid and Claude Code read the same hooks.json.
agent=${1-}
if [ -z "$agent" ]; then
  if [ -n "${DROID_PLUGIN_ROOT-}" ]; then agent=droid; else agent=claude-code; fi
fi

# Settings that call hookbell as well tell the same events; by its mark, what comes by both ways is told once.
set -- --agent "$agent" --by plugin

# The hook that `hookbell init` puts beside the state costs the least.
state=${HOOKBELL_STATE_DIR-}
if [ -z "$state" ]; then
  case ${XDG_STATE_HOME-} in
    /*) state=$XDG_STATE_HOME/hookbell ;;
    *) state=${HOME-}/.local/state/hookbell ;;
  esac
fi
if [ -f "$state/hookbell-hook.sh" ] && [ -x "$state/hookbell-hook.sh" ]; then
  exec "$state/hookbell-hook.sh" "$@"
fi

# A working copy that is built, or the package as npm has it.
here=${0%/*}
case $here in
  */hooks/gemini-cli/hooks) dist=$here/../../../dist ;;
  *) dist=$here/../dist ;;
esac
if [ -f "$dist/hook.cjs" ] && command -v node >/dev/null 2>&1; then exec node "$dist/hook.cjs" "$@"; fi
if command -v hookbell >/dev/null 2>&1; then exec hookbell hook "$@"; fi

echo 'hookbell: the plug-in is here, but hookbell is not: npm install --global hookbell' >&2
exit 1
