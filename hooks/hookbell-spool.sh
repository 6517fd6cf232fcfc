#!/bin/sh
# The hook for a sandbox or a CI job that can reach no other machine: it appends its event to the file `spool` beside it, or
# to $HOOKBELL_SPOOL, as one line: a name, a space, and the payload without line breaks. `hookbell remote add FILE --by file`
# makes another machine read that file; see docs/reference/REMOTE.md. It needs `cat date dd head ls tr`.
# Silent with exit 0, or one line on standard error with exit 1; agents read 2 and more as "block".
case ${HOOKBELL_DISABLE-} in '' | 0 | [Ff][Aa][Ll][Ss][Ee] | [Nn][Oo] | [Oo][Ff][Ff]) ;; *) exit 0 ;; esac

complain() {
  printf 'hookbell: %s\n' "$1" >&2
  exit 1
}

agent=- event=- expecting=''
for word in "$@"; do
  case $expecting:$word in
    agent:*) agent=$word expecting='' ;;
    event:*) event=$word expecting='' ;;
    :--agent | :--event) expecting=${word#--} ;;
    :--agent=?*) agent=${word#*=} ;;
    :--event=?*) event=${word#*=} ;;
    *) complain 'usage: hookbell-spool.sh --agent ID [--event NAME]' ;;
  esac
done
# The reader takes no other signs in a name.
case $agent$event in *[!A-Za-z0-9_-]* | ????????????????????????????????????????????????????????????????*) agent=- event=- ;; esac

case $0 in */*) folder=${0%/*} ;; *) folder=. ;; esac
spool=${HOOKBELL_SPOOL:-$folder/spool}
if [ -e "$spool" ]; then
  # A pipe would keep the agent waiting.
  [ -f "$spool" ] || complain "cannot keep the payload: $spool is not a file"
  set -f
  set -- $(ls -lnL "$spool" 2>/dev/null)
  if [ "${5:-0}" -ge 67108864 ]; then
    { printf . >>"$spool.dropped"; } 2>/dev/null
    complain "cannot keep the payload: $spool has 64 MiB; empty it once it has been read"
  fi
fi

now=$(date +%s 2>/dev/null) || complain 'cannot keep the payload: PATH has no date'
since_boot=''
{ read -r since_boot _ </proc/uptime; } 2>/dev/null
since_boot=000000000000${since_boot%.*}${since_boot#*.}
since_boot=${since_boot#"${since_boot%????????????}"}

# An agent may leave standard input open. A shell gives a background process no standard input but by another descriptor.
exec 3<&0
payload() {
  cat <&3 &
  reader=$!
  { sleep 6 && kill -s PIPE "$reader"; } 3<&- </dev/null >/dev/null 2>&1 &
  watch=$!
  wait "$reader"
  { kill -s KILL "$watch" && wait "$watch"; } 2>/dev/null
}

# `dd` collects everything, and appends it in one write, which systems do not mix with another one: no lock is needed, which a
# killed hook would leave behind. The first line break ends what a hook on a full disk or a killed one has left.
{
  {
    printf '\n%s ' "${now}000-$since_boot-$$-$((PPID % 1000000)).$agent.$event.-.json"
    # In another locale, the tr of macOS and the BSDs ends at the first byte that is no letter of it.
    payload | LC_ALL=C tr '\n\r' '  '
    printf '\n'
  } | head -c 8388608 | dd ibs=65536 obs=9437184 >>"$spool"
} 2>/dev/null || complain "cannot keep the payload in $spool: the disk is full, or the file cannot be written"
