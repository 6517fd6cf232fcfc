#!/bin/sh
# The hook that agents run on macOS and Linux. `hookbell init` puts it beside the state with the next two lines filled in;
# an edit is lost at the next `hookbell init`. It forks cat and mv, and nothing else while a dispatcher is at work:
# standard input -> incoming/ -> a dispatcher is started unless one holds the lease. Whether the payload is sound is
# the dispatcher's to say. Silent with exit 0, or one line on stderr with exit 1; agents read 2 and more as "block".
# Where both lines are empty, this machine has no hookbell: another one fetches what is in incoming/, see docs/reference/REMOTE.md.
# In a plug-in they stay as they are here: hookbell lies around this script, which is then the command `hookbell` as well.
node='@NODE@'
dist='@DIST@'

# As `isDisabled` in Node reads it.
case ${HOOKBELL_DISABLE-} in '' | 0 | [Ff][Aa][Ll][Ss][Ee] | [Nn][Oo] | [Oo][Ff][Ff]) ;; *) exit 0 ;; esac

complain() {
  printf 'hookbell: %s\n' "$1" >&2
  exit 1
}

# Agents started from a desktop have a PATH of their own; the disk is not to blame for what is not on it. $1: what else it is.
complain_of_keeping() {
  lost=''
  for program in mkdir cat wc rm; do
    command -v "$program" >/dev/null 2>&1 || lost="$lost${lost:+, }$program"
  done
  [ -z "$lost" ] || complain "cannot keep the payload in $incoming: PATH has no $lost"
  if [ ! -d "$incoming" ] && { [ -e "$incoming" ] || [ -L "$incoming" ]; }; then
    complain "cannot keep the payload in $incoming: it is not a folder"
  fi
  complain "cannot keep the payload in $incoming: $1"
}

is_program() { [ -f "$1" ] && [ -x "$1" ]; }

is_fetched() { [ -z "$dist" ]; }

plug_in=''
case $dist in
  @*)
    plug_in=${0%/*}
    case $plug_in in /*) ;; *) plug_in=$PWD/$plug_in ;; esac
    plug_in=${plug_in%/*}
    node='' dist=$plug_in/dist
    ;;
esac

state=${HOOKBELL_STATE_DIR-}
if is_fetched; then
  # The machine that fetches knows this folder; the environment of an agent could name another one.
  state=${0%/*}
elif [ -z "$state" ]; then
  case ${XDG_STATE_HOME-} in
    /*) state=$XDG_STATE_HOME/hookbell ;;
    *) state=${HOME:+$HOME/.local/state/hookbell} ;;
  esac
fi
case $state in /*) ;; *) state='' ;; esac

has_node() {
  is_fetched && return 1
  if [ -n "$plug_in" ] && [ -z "$node" ] && [ -n "$state" ]; then choose_installed || choose_remembered_node; fi
  [ -f "$dist/cli.js" ] && { is_program "$node" || find_other_node; }
}

# The hookbell that `hookbell init` wrote down runs instead of the plug-in's, so that all agents call one version.
choose_installed() {
  installed_node=''
  while read -r line; do
    case $line in
      "node='"*) installed_node=${line#node=?} ;;
      "dist='"*)
        installed=${line#dist=?}
        [ -f "${installed%?}/cli.js" ] || return 1
        dist=${installed%?} node=${installed_node%?}
        return 0
        ;;
    esac
  done <"$state/hookbell-hook.sh"
  return 1
} 2>/dev/null

# Starting Node to ask for its version costs more than the hook itself, so that the answer is kept.
choose_remembered_node() { { read -r node <"$state/plug-in-node"; } 2>/dev/null; }

# What PATH has may be too old for the plug-in.
is_new_enough() {
  "$1" -e 'var v = process.versions.node.split("."); process.exit(v[0] > 20 || (v[0] == 20 && v[1] >= 19) ? 0 : 1)'
} </dev/null >/dev/null 2>&1

remember_node() {
  (umask 077 && printf '%s\n' "$node" >|"$state/plug-in-node") 2>/dev/null
  if [ -e "$state/plug-in-lacks-node" ]; then rm -f "$state/plug-in-lacks-node"; fi
}

# Agents show this message and go on: without Node, a plug-in says so once and disturbs nothing.
tell_of_node() {
  [ -e "$state/plug-in-lacks-node" ] && exit 0
  umask 077
  { mkdir -p "$state" && true >"$state/plug-in-lacks-node"; } 2>/dev/null || exit 0
  printf '{"systemMessage":"hookbell: the plug-in needs Node.js 20.19 or newer, and PATH has none. %s"}\n' \
    'Install it from https://nodejs.org; until then you are not notified.'
  exit 0
}

# A version manager may have removed the Node that init found. The one on PATH serves as well, but none of the agent's
# folder, which may be a stranger's. `hookbell doctor` reports the path that is gone, and `hookbell init` repairs it.
find_other_node() {
  other=''
  before=$IFS
  IFS=:
  set -f
  for folder in $PATH; do
    case $folder in "$PWD" | "$PWD"/*) continue ;; esac
    case $folder in /*) ;; *) continue ;; esac
    is_program "$folder/node" || continue
    if [ -z "$plug_in" ] || is_new_enough "$folder/node"; then other=$folder/node && break; fi
  done
  set +f
  IFS=$before
  [ -n "$other" ] || return 1
  node=$other
  if [ -n "$plug_in" ]; then remember_node; fi
}

# The settings files that init wrote, as its record names them; it has one member a line.
wired_files() {
  files=''
  while read -r key path; do
    case $key in '"path":') path=${path#\"} && files="$files${files:+, }${path%\",}" ;; esac
  done <"$state/installed.json"
}

# hookbell was uninstalled, or its folder has moved: we say so once, and are silent from then on.
# $1: what became of the payload.
complain_of_node() {
  [ -z "$plug_in" ] || tell_of_node
  if command -v hookbell >/dev/null 2>&1; then
    fix='run hookbell init again'
  else
    fix='where hookbell is now, run: node dist/cli.js init'
  fi
  [ -f "$dist/cli.js" ] && complain "${1}there is no $node any more, and no node on PATH: $fix"
  if [ -n "$state" ]; then
    [ -e "$state/hookbell-is-gone" ] && exit 0
    { true >"$state/hookbell-is-gone"; } 2>/dev/null
  fi
  { wired_files; } 2>/dev/null
  gone="there is no hookbell in $dist any more"
  complain "$1$gone: remove its hooks from ${files:-the settings of your agents}, or install it and run hookbell uninstall; if it has moved, $fix"
}

# $1: how many; the other arguments are counted.
are_fewer_than() { [ "$#" -le "$1" ]; }

# The hook in Node reads every argument, finds the state without HOME, and says what is wrong with either.
by_node() {
  is_fetched && complain 'these arguments are not for this machine: run hookbell remote add again'
  has_node && exec "$node" "$dist/hook.cjs" "$@"
  complain_of_node ''
}

case ${1-} in
  hook) shift ;;
  [a-z]*)
    if [ -n "$plug_in" ]; then
      has_node && exec "$node" "$dist/cli.js" "$@"
      complain 'needs Node.js 20.19 or newer, and PATH has none'
    fi
    ;;
esac
# In Git Bash, the state is where Windows keeps it, which Node knows.
[ -z "$plug_in" ] || [ -z "${MSYSTEM-}" ] || by_node "$@"

agent='' event='' by='' expecting='' asks=''
for word in "$@"; do
  case $expecting:$word in
    *:) expecting=node && break ;;
    agent:*) agent=$word expecting='' ;;
    event:*) event=$word expecting='' ;;
    by:*) by=$word expecting='' ;;
    :--agent) expecting=agent ;;
    :--event) expecting=event ;;
    :--by) expecting=by ;;
    :--agent=?*) agent=${word#*=} ;;
    :--event=?*) event=${word#*=} ;;
    :--by=?*) by=${word#*=} ;;
    :--answer) if is_fetched; then asks=yes; else expecting=node && break; fi ;;
    *) expecting=node && break ;;
  esac
done
# Without its name an agent is known by its environment, which ends here.
if [ -n "$expecting" ] || [ -z "$agent" ]; then by_node "$@"; fi
# Other signs cannot stand in the name of a file as they are; Node can write them in another way.
case $agent$event$by in
  *[!A-Za-z0-9_-]* | ?????????????????????????????????????????????????????????????????*)
    has_node && exec "$node" "$dist/hook.cjs" "$@"
    agent=- event=- by=''
    ;;
esac
event=${event:--}

for folder in "$state" "${HOOKBELL_CONFIG_DIR:-/}" "${HOME-/}"; do
  case $folder in /*) ;; *) by_node "$@" ;; esac
done
incoming=$state/incoming lease=$state/lease

if [ -t 0 ]; then
  complain 'payload: expected one JSON object on standard input, got a terminal (to try it: hookbell test)'
fi

# On Linux, only a living process has an exe. Elsewhere, and where we may not see it, a signal tells; but in a
# container whose first process reaps no children, a killed process can still be signalled.
is_alive() {
  case $1 in '' | 0* | *[!0-9]*) return 1 ;; esac
  [ -e "/proc/$1/exe" ] && return 0
  kill -0 "$1" 2>/dev/null || return 1
  stat=''
  { read -r stat <"/proc/$1/stat"; } 2>/dev/null
  case ${stat##*') '} in Z*) return 1 ;; esac
}

# The lease lies in the future while it is held, and its process lives, here or on another machine that shares this home.
is_held() {
  # A link may lead to a file that never ends.
  [ ! -L "$lease" ] && [ -f "$lease" ] && [ "$lease" -nt "$1" ] || return 1
  holder=''
  { read -r holder <"$lease"; } 2>/dev/null
  case $holder in *'"pid":'*'"host":"'*) ;; *) return 1 ;; esac
  pid=${holder#*'"pid":'}
  pid=${pid%%[!0-9]*}
  # A clock that was turned back leaves it in the future for hours, in which the number goes to another process.
  called=''
  { read -r called <"/proc/$pid/comm"; } 2>/dev/null
  case $called in '' | hookbell*) is_alive "$pid" && return 0 ;; esac
  host=${holder#*'"host":"'}
  host=${host%%\"*} here=''
  { read -r here </proc/sys/kernel/hostname; } 2>/dev/null
  [ -n "$here" ] && [ "$host" != "${here%%.*}" ]
}

# Starts a dispatcher unless another hook is just doing that: the mark names the process that is coming up.
start_dispatcher() {
  has_node || return 1
  mark=$lease.starting
  # A pipe or a device in its place would keep us waiting.
  if [ -L "$mark" ] || { [ -e "$mark" ] && [ ! -f "$mark" ]; }; then rm -rf "$mark" 2>/dev/null; fi
  if ! { printf '%s\n' "$$" >"$mark"; } 2>/dev/null; then
    pid=''
    { read -r pid <"$mark"; } 2>/dev/null
    # After a minute the pid has gone to another process.
    if is_alive "$pid" && [ -z "$(find "$mark" -mmin +1 2>/dev/null)" ]; then return 0; fi
    { printf '%s\n' "$$" >|"$mark"; } 2>/dev/null
  fi
  ulimit -S -f unlimited 2>/dev/null || ulimit -S -f "$(ulimit -H -f)"
  # When this returns, the dispatcher is in a session of its own, so that agents may kill this process group at once.
  if command -v setsid >/dev/null 2>&1; then
    setsid sh -c 'cd "$1" || cd /; "$2" "$3" dispatch --detached & echo "$!" >"$4"' sh \
      "$state" "$node" "$dist/cli.js" "$mark"
  else
    "$node" -e '
      const [cwd, cli, mark] = process.argv.slice(1);
      const options = { cwd, detached: true, stdio: "ignore" };
      const child = require("child_process").spawn(process.execPath, [cli, "dispatch", "--detached"], options);
      require("fs").writeFileSync(mark, child.pid + "\n");
      child.unref();
    ' "$state" "$dist/cli.js" "$mark"
  fi </dev/null >/dev/null 2>&1 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-
  return 0
}

# By these the dispatcher finds the agent's terminal: the shell between the agent and us is gone before anybody can look.
callers=$PPID stat=''
{ read -r stat <"/proc/$PPID/stat"; } 2>/dev/null
stat=${stat##*') '}
stat=${stat#* }
stat=${stat%% *}
case $stat in '' | *[!0-9]*) ;; *) callers=$PPID-$stat ;; esac
# Claude Code names its own process.
hints=''
case ${CLAUDE_PID-} in '' | 0* | *[!0-9]* | ???????????*) ;; *) hints=.p$CLAUDE_PID ;; esac
# These run other agents' hooks, whose payloads do not always say who wrote them.
if [ -n "${GROK_HOOK_EVENT-}" ]; then
  hints=${hints:-.}-egrok
elif [ -n "${DEVIN_PROJECT_DIR-}" ]; then
  hints=${hints:-.}-edevin
fi
[ -z "$by" ] || hints=${hints:-.-}.$by

# Made exclusively, so that no two hooks write one file, not even those of containers with pids of their own.
umask 077
set -C
turn=0 failures=0 since_boot=
if is_fetched; then
  # They sort by time: seconds, then hundredths of a second since the start of the machine, where it tells them.
  { read -r since_boot _ </proc/uptime; } 2>/dev/null
  since_boot=000000000000${since_boot%.*}${since_boot#*.}
  since_boot=${since_boot#"${since_boot%????????????}"}
  now=$(date +%s 2>/dev/null) || complain 'cannot keep the payload: PATH has no date'
fi
while :; do
  name=sh-$$-$callers-$turn.$agent.$event$hints.json
  is_fetched && name=${now}000-$since_boot-$$-$turn.$agent.$event.${by:--}.json
  aside=$incoming/.tmp-$name
  if { true >"$aside"; } 2>/dev/null; then
    [ -e "$incoming/$name" ] || break
    rm -f "$aside"
  elif [ ! -e "$aside" ]; then
    failures=$((failures + 1))
    if [ "$failures" -gt 2 ] || ! mkdir -p "$incoming" 2>/dev/null; then
      # A dispatcher tells the person, without the disk.
      is_held "$incoming" || start_dispatcher
      complain_of_keeping 'the disk is full, or the folder cannot be written'
    fi
  fi
  turn=$((turn + 1))
done

# The dispatcher ends a cat whose standard input is left open, so it must be there first.
found=''
if is_fetched; then
  if ! are_fewer_than 10000 "$incoming"/*; then
    rm -f "$aside"
    # One byte each, so that hooks can count at once. The machine that fetches events tells its person.
    { printf . >>"$state/dropped"; } 2>/dev/null
    exit 0
  fi
elif is_held "$aside"; then
  found=held
elif start_dispatcher; then
  found=started
elif [ -n "$plug_in" ]; then
  rm -f "$aside"
  tell_of_node
fi
# Eight mebibytes and a little, without a signal when it is more.
trap '' XFSZ
ulimit -S -f 16385 2>/dev/null
if [ -n "$found" ]; then
  # Appending to what is empty spares the file system a truncation.
  cat >>"$aside" 2>/dev/null
  status=$?
else
  # No one takes payloads in while hookbell is gone. A few are kept for the case that it comes back.
  if [ -e "$state/hookbell-is-gone" ] && [ ! -f "$dist/cli.js" ] && ! are_fewer_than 200 "$incoming"/*; then
    rm -f "$aside"
    exit 0
  fi
  # No other process watches this one. A shell whose `exec` fails would end with 2.
  if ! { true 3<&0; } 2>/dev/null; then
    rm -f "$aside"
    complain 'payload: expected one JSON object, got a standard input that cannot be read'
  fi
  exec 3<&0
  cat <&3 >|"$aside" 2>/dev/null &
  reader=$!
  { sleep 6 && kill -s PIPE "$reader"; } 3<&- </dev/null >/dev/null 2>&1 &
  watch=$!
  wait "$reader"
  status=$?
  # bash 3.2 would report its end on standard error.
  { kill -s KILL "$watch" && wait "$watch"; } 2>/dev/null
fi

# Above 128: ended from outside, for its standard input was left open. What came may be whole all the same.
if [ "$status" -eq 0 ] || [ "$status" -gt 128 ]; then
  if [ ! -s "$aside" ] && [ -e "$aside" ]; then
    rm -f "$aside"
    [ "$status" -eq 0 ] && complain 'payload: expected one JSON object, got nothing'
    complain 'payload: expected one JSON object, got 0 bytes on a standard input left open'
  fi
  # Only Node can tell whether a payload that was cut off is whole.
  if [ "$status" -gt 128 ] && has_node && { true 3<"$aside"; } 2>/dev/null; then
    exec 3<"$aside"
    rm -f "$aside"
    ulimit -S -f unlimited 2>/dev/null || ulimit -S -f "$(ulimit -H -f)"
    exec "$node" "$dist/hook.cjs" "$@" <&3 3<&-
  fi
elif [ "$status" -eq 127 ]; then
  # What the shell cannot find.
  rm -f "$aside" 2>/dev/null
  complain_of_keeping 'cat cannot be run'
elif [ "$(wc -c <"$aside")" -gt 8388608 ]; then
  # The dispatcher keeps its beginning in rejected/.
  if is_fetched; then rm -f "$aside"; else mv -f "$aside" "$incoming/$name" 2>/dev/null; fi
  complain 'payload: expected at most 8388608 bytes, got more'
elif [ ! -s "$aside" ] && { printf x >|"$aside"; } 2>/dev/null; then
  rm -f "$aside"
  complain 'payload: expected one JSON object, got a standard input that cannot be read'
else
  rm -f "$aside"
  complain_of_keeping 'the disk is full, or it cannot be written'
fi

# The machine that fetches the payload answers it only while this mark is there.
question=$state/questions/$name
if [ -n "$asks" ]; then
  connection=''
  { read -r connection <"$state/connection"; } 2>/dev/null
  # No one is there who could answer.
  is_alive "$connection" || asks=''
fi
if [ -n "$asks" ]; then
  [ -d "$state/questions" ] || mkdir -p "$state/questions" 2>/dev/null
  { true >"$question"; } 2>/dev/null
  trap 'end_question; exit 0' HUP INT TERM PIPE
fi

# The agent was answered at its terminal, so the machine that asks elsewhere can stop.
end_question() {
  rm -f "$question" "$question.answer"
  { true >"$incoming/${name%%.*}.over.json"; } 2>/dev/null
}

# The dispatcher itself takes in what a stopped hook has left aside.
if ! mv -f "$aside" "$incoming/$name" 2>/dev/null && [ -e "$aside" ]; then
  command -v mv >/dev/null 2>&1 || complain "the payload is left to a dispatcher as $aside: PATH has no mv"
  rm -f "$aside"
  complain_of_keeping 'it cannot be renamed there'
fi
# No answer, or an empty one: the agent asks in its terminal. It waits for its hook a little longer.
if [ -n "$asks" ]; then
  # Claude Code goes on with this hook when its terminal is answered, but notes there that it no longer waits.
  notes=${CLAUDE_CONFIG_DIR:-${HOME-}/.claude}/sessions/${CLAUDE_PID:--}.json seen=''
  waited=0
  while [ "$waited" -lt 580 ] && [ -e "$question" ]; do
    if [ -e "$question.answer" ]; then
      cat "$question.answer"
      break
    fi
    # No machine fetches anything.
    [ "$waited" -lt 15 ] || [ ! -e "$incoming/$name" ] || break
    # Between two questions it may not wait for an instant, so it takes two looks.
    case $seen:$(cat "$notes" 2>/dev/null) in
      *'"status":"waiting"'* | *'"status": "waiting"'*) seen=waiting ;;
      waiting:*'"status":'*) seen=going ;;
      going:*'"status":'*) end_question && break ;;
    esac
    sleep 1
    waited=$((waited + 1))
  done
  rm -f "$question" "$question.answer"
fi
is_fetched && exit 0
case $found in
  started) exit 0 ;;
  held)
    case $holder in
      *'"trouble":"'*)
        trouble=${holder#*'"trouble":"'}
        complain "the payload is kept in $incoming, but nothing can be sent: ${trouble%%\"*}"
        ;;
    esac
    # A dispatcher looks once more after it has given up the lease, so nothing is left behind between the two looks.
    # Shells read byte by byte, so the lease's text is not read again while the process that it named lives.
    if [ "$lease" -nt "$incoming/$name" ] && is_alive "$pid"; then exit 0; fi
    if [ ! -e "$incoming/$name" ] || is_held "$incoming/$name" || start_dispatcher; then exit 0; fi
    ;;
esac
complain_of_node "the payload is kept in $incoming, but "
