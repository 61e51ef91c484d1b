# Keeps one mongod: starts it, and when the standard input closes kills it and removes its directory.
#
# $1 is the directory; the rest is the command of mongod. A word on the standard input before that: `kill` ends mongod and
# leaves the directory for a later start; `keep` leaves the directory to another supervisor.
# Mongod alone holds the standard output, so that its reader sees when mongod ends.
trap '' HUP INT TERM
directory=$1
shift
"$@" </dev/null 2>"$directory/stderr" &
server=$!
echo "supervised $server"
exec >/dev/null

end() {
    if [ -n "$server" ]; then
        kill -9 "$server"
        wait "$server"
        server=
    fi
}

remove=yes
while read -r word; do
    case $word in
        kill) end ;;
        keep) remove=no ;;
    esac
done
end
# By its name it was made for this: nothing else is ever removed.
case $remove,$directory in
    yes,/*/schema-mongod-*/*) ;;
    # The owner's PATH may lack even `rm`.
    yes,/*/schema-mongod-*) PATH=$PATH:/usr/bin:/bin rm -rf -- "$directory" ;;
esac
