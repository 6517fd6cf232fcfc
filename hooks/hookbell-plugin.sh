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

# Where the agent's own settings call hookbell, this stands aside: one event is one event.
home=${HOME-}
case $agent in
  claude-code) set -- "${CLAUDE_CONFIG_DIR:-$home/.claude}/settings.json" ;;
  droid)
    folder=${FACTORY_HOME_OVERRIDE:-$home}/.factory
    set -- "$folder/hooks.json" "$folder/hooks/hooks.json" "$folder/settings.json"
    ;;
  codex) set -- "${CODEX_HOME:-$home/.codex}/hooks.json" ;;
  gemini-cli) set -- "${GEMINI_CLI_HOME:-$home}/.gemini/settings.json" ;;
  cursor) set -- "$home/.cursor/hooks.json" ;;
  *) set -- ;;
esac
ours='"command"[[:space:]]*:[[:space:]]*"[^"]*(hookbell-hook\.sh|/hook\.cjs|hookbell hook)'
if [ "$#" -gt 0 ] && grep -Eqs "$ours" "$@" </dev/null; then exit 0; fi

# The hook that `hookbell init` puts beside the state costs the least.
state=${HOOKBELL_STATE_DIR-}
if [ -z "$state" ]; then
  case ${XDG_STATE_HOME-} in
    /*) state=$XDG_STATE_HOME/hookbell ;;
    *) state=$home/.local/state/hookbell ;;
  esac
fi
if [ -f "$state/hookbell-hook.sh" ] && [ -x "$state/hookbell-hook.sh" ]; then
  exec "$state/hookbell-hook.sh" --agent "$agent"
fi

# A working copy that is built, or the package as npm has it.
here=${0%/*}
case $here in
  */hooks/gemini-cli/hooks) dist=$here/../../../dist ;;
  *) dist=$here/../dist ;;
esac
if [ -f "$dist/hook.cjs" ] && command -v node >/dev/null 2>&1; then exec node "$dist/hook.cjs" --agent "$agent"; fi
if command -v hookbell >/dev/null 2>&1; then exec hookbell hook --agent "$agent"; fi

echo 'hookbell: the plug-in is here, but hookbell is not: npm install --global hookbell' >&2
exit 1
