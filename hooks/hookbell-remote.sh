# Runs on a host that has no hookbell of its own, for one connection: `hookbell remote` sends this text and then commands,
# one a line. It needs a POSIX shell and the programs that docs/reference/REMOTE.md names.
# Contents come as lines of `=TEXT` for printf %b, up to a line that is `.` alone; they go as `file SIZE` and so many bytes.
umask 077
LC_ALL=C
export LC_ALL
home=${HOME-}
state=$home/.local/state/hookbell
incoming=$state/incoming
aside=$state/.tmp-remote-$$
waiter=''

finish() {
  [ -z "$waiter" ] || kill "$waiter" 2>/dev/null
  rm -f "$aside.old" "$aside.new" "$aside.answer"
  exit 0
}
trap finish HUP INT TERM PIPE

# Only the newest connection hands events over. One that was cut off may not have noticed.
is_newest() {
  holder=''
  { read -r holder <"$state/connection"; } 2>/dev/null
  [ "$holder" = "$$" ]
}

# The file behind all links at $1.
behind_links() {
  at=$1 links=0
  while [ -L "$at" ] && [ "$links" -lt 40 ]; do
    target=$(readlink "$at") || return 1
    case $target in /*) at=$target ;; *) at=${at%/*}/$target ;; esac
    links=$((links + 1))
  done
  printf '%s\n' "$at"
}

# $1 and its size, as a header and its bytes.
send_file() {
  size=$(wc -c <"$2") || return 1
  printf '%s %s\n' "$1" $((size))
  cat "$2"
}

failed() { printf 'failed %s\n' "$1"; }

look() {
  if [ -d "$1" ]; then
    echo folder
  elif [ -f "$1" ]; then
    [ -r "$1" ] || { failed 'cannot be read' && return; }
    if [ -w "$1" ]; then send_file 'file w' "$1"; else send_file 'file r' "$1"; fi
  elif [ -e "$1" ] || [ -L "$1" ]; then
    failed 'is not a file'
  else
    echo none
  fi
}

# The names in the folder $1 that are easy to send.
list() {
  for each in "$1"/*; do
    case ${each##*/} in *[!A-Za-z0-9_.-]*) ;; *) [ ! -e "$each" ] || printf 'name %s\n' "${each##*/}" ;; esac
  done
  echo 'done'
}

# Reads contents into $1; `none` in their place means that there is no file. Fails without room on the disk.
take() {
  rm -f "$1"
  has_room=yes
  while IFS= read -r line; do
    case $line in
      .) [ "$has_room" = yes ] && return 0 || return 1 ;;
      none) return 0 ;;
      begin) { true >"$1"; } 2>/dev/null || has_room=no ;;
      *) { printf %b "${line#=}" >>"$1"; } 2>/dev/null || has_room=no ;;
    esac
  done
  finish
}

# Whether the file at $1 still is what the other machine has read.
is_as_read() {
  if [ -e "$aside.old" ]; then cmp -s "$aside.old" "$1"; else [ ! -e "$1" ] && [ ! -L "$1" ]; fi
}

# Puts what was taken in the place of $2, with the mode $1 if it is new; keeps the owner and rights of a file that is there.
put() {
  real=$(behind_links "$2") || return 1
  folder=${real%/*}
  mkdir -p "$folder" 2>/dev/null || { failed "cannot make the folder $folder" && return; }
  is_as_read "$real" || { echo changed && return; }
  part=$folder/.hookbell-$$
  rm -f "$part"
  if [ -e "$real" ]; then
    cp -p "$real" "$part" 2>/dev/null
  else
    { true >"$part" && chmod "$1" "$part"; } 2>/dev/null
  fi
  if { cat "$aside.new" >"$part"; } 2>/dev/null && cmp -s "$aside.new" "$part"; then
    if [ -e "$aside.old" ]; then
      mv -f "$part" "$real" 2>/dev/null && echo 'done' && return
    else
      ln "$part" "$real" 2>/dev/null && rm -f "$part" && echo 'done' && return
    fi
  fi
  rm -f "$part" 2>/dev/null
  failed 'cannot be written: the disk is full, or it is read-only'
}

drop() {
  real=$(behind_links "$1") || return 1
  is_as_read "$real" || { echo changed && return; }
  if rm -f "$real" 2>/dev/null && [ ! -e "$real" ]; then echo 'done'; else failed 'cannot be removed'; fi
}

# A hook that was killed at once could not say that its question is over.
end_questions() {
  for mark in "$state/questions"/*.json; do
    name=${mark##*/}
    pid=${name#*-*-}
    pid=${pid%%-*}
    case $pid in '' | *[!0-9]*) continue ;; esac
    kill -0 "$pid" 2>/dev/null || { rm -f "$mark" && true >"$incoming/${name%%.*}.over.json"; } 2>/dev/null
  done
}

# Waits until there are events, and hands over the oldest: at most 64, and none after 8 MiB of them.
hand_over() {
  beats=0
  while is_newest && kill -0 "$$" 2>/dev/null; do
    end_questions
    count=0 bytes=0
    for path in "$incoming"/*.json; do
      case ${path##*/} in *[!A-Za-z0-9_.-]*) continue ;; esac
      { [ -f "$path" ] && [ ! -L "$path" ]; } || continue
      kind=event
      [ ! -e "$state/questions/${path##*/}" ] || kind=asking
      send_file "$kind ${path##*/}" "$path"
      count=$((count + 1)) bytes=$((bytes + size))
      [ "$count" -lt 64 ] && [ "$bytes" -lt 8388608 ] || break
    done
    [ "$count" -eq 0 ] || { echo end && return; }
    # Where the other machine is gone, this fails.
    beats=$((beats + 1))
    if [ "$beats" -ge 10 ]; then
      beats=0
      echo alive || exit 0
    fi
    pause
  done
  echo replaced
}

# $incoming may not be there yet.
pause() {
  if [ -d "$incoming" ] && command -v inotifywait >/dev/null 2>&1; then
    inotifywait -qq -t 2 -e moved_to "$incoming" 2>/dev/null || [ "$?" -ne 1 ] || sleep 1
  else
    sleep 1
  fi
}

printf 'hookbell 1 %s %s %s\n' "$(date +%s)" "$(uname -s 2>/dev/null || echo unknown)" "$home"
while IFS= read -r command; do
  word=${command%% *}
  rest=${command#"$word"}
  rest=${rest# }
  case $word in
    look) look "$rest" ;;
    list) list "$rest" ;;
    which) if found=$(command -v "$rest" 2>/dev/null); then printf 'found %s\n' "$found"; else echo none; fi ;;
    value) eval "printf 'found %s\n' \"\${$rest-}\"" ;;
    put | drop)
      mkdir -p "$state" 2>/dev/null
      room=yes
      take "$aside.old" || room=no
      take "$aside.new" || room=no
      if [ "$room" = no ]; then
        said=$(failed "cannot write in $state: the disk is full, or it is read-only")
      elif [ "$word" = put ]; then
        said=$(put "${rest%% *}" "${rest#* }" || failed 'cannot be read')
      else
        said=$(drop "$rest" || failed 'cannot be read')
      fi
      # The other side may end the connection once it has the answer.
      rm -f "$aside.old" "$aside.new"
      printf '%s\n' "$said"
      ;;
    rmdir) rmdir "$rest" 2>/dev/null; echo 'done' ;;
    follow)
      # Checked here once more, so that a machine that is just being given back gets no new file.
      owner=''
      { read -r owner <"$state/owner"; } 2>/dev/null
      if [ "$owner" != "$rest" ]; then
        echo changed
      elif { printf '%s\n' "$$" >"$state/connection"; } 2>/dev/null; then
        # Hooks that were killed have left them.
        find "$state/questions" -type f -mtime +1 -exec rm -f {} + 2>/dev/null
        echo 'done'
      else
        failed "cannot write in $state: the disk is full, or it is read-only"
      fi
      ;;
    leave)
      # Under another name first: a dispatcher that is just connecting finds no folder to write to. Events keep theirs.
      leaving=$state.leaving-$$
      if mv "$state" "$leaving" 2>/dev/null; then
        for each in owner hookbell-hook.sh connection dropped; do rm -f "$leaving/$each"; done
        rm -f "$leaving/incoming"/*.over.json
        rmdir "$leaving/questions" "$leaving/incoming" 2>/dev/null
        { [ "$rest" = remove ] && rmdir "$leaving" 2>/dev/null; } || mv "$leaving" "$state" 2>/dev/null
      fi
      echo 'done'
      ;;
    forget)
      rm -f "$incoming/$rest" 2>/dev/null
      if [ -e "$incoming/$rest" ]; then
        failed "cannot remove $incoming/$rest: the disk is read-only"
        finish
      fi
      ;;
    answer)
      # Only a hook that still waits gets it.
      if take "$aside.answer" && [ -e "$state/questions/$rest" ]; then
        mv -f "$aside.answer" "$state/questions/$rest.answer" 2>/dev/null
      fi
      rm -f "$aside.answer"
      ;;
    next)
      hand_over &
      waiter=$!
      ;;
    bye) finish ;;
  esac
done
finish
