#!/bin/sh
# shellcheck disable=SC2317  # `check` calls what it is given.
# installed.sh DEB [ARCHIVE]: installs the package on the Debian or Ubuntu it runs on, as root and with nothing else prepared, by the
# README's command; uses it as an unprivileged user, also where things are missing; and removes it. ARCHIVE, of `make dist`, is
# unpacked and run the same way. Everything that is not as it should be is said.
set -u
deb=$(realpath "$1") archive=${2:+$(realpath "$2")}
readme=$(dirname "$(realpath "$0")")/../../README.md
export DEBIAN_FRONTEND=noninteractive
user=imgscript-test home=/home/imgscript-test
work=$(mktemp -d)
chmod 755 "$work"
cp "$(dirname "$(realpath "$0")")/without-seccomp.pl" "$work"
failed=0

check() { # NAME COMMAND...
    name=$1
    shift
    if "$@" >"$work/log" 2>&1; then echo "ok      $name"; else
        echo "FAILED  $name (exit $?)"
        sed 's/^/        /' "$work/log"
        failed=1
    fi
}
as_user() { su -s /bin/sh "$user" -c "cd && $1"; }
prints() { as_user "$1" >"$work/printed" 2>&1; grep -q -- "$2" "$work/printed" || { cat "$work/printed"; return 1; }; }
# Works, or ends with one sentence that says why.
works_or_says() { as_user "$1" >"$work/printed" 2>&1 || { cat "$work/printed"; [ "$(grep -c '^error: ' "$work/printed")" = 1 ]; }; }
without_proc() {
    unshare -m sh -c "mount -t tmpfs none /proc; su -s /bin/sh $user -c 'cd / && $search'" >"$work/printed" 2>&1
    status=$?
    cat "$work/printed"
    [ "$status" = 1 ] && grep -q '^hint: mount -t proc' "$work/printed"
}
# ENOSYS is what a kernel without seccomp says, EINVAL one without its filters.
without_seccomp() {
    for error in 38 22; do
        as_user "perl '$work/without-seccomp.pl' $error $1" >"$work/printed" 2>&1
        status=$?
        cat "$work/printed"
        [ "$status" = 1 ] && grep -q -- "$2.*seccomp" "$work/printed" && grep -q '^ *hint: use a kernel' "$work/printed" || return 1
    done
}
# Inside a namespace of its own the limit is nobody else's; where there can be none, they are missing already.
without_user_namespaces() {
    if as_user 'unshare -U true'; then
        as_user "unshare -Ur sh -c 'echo 0 >/proc/sys/user/max_user_namespaces && ! unshare -U true && exec $search'"
    else
        as_user "$search"
    fi
}
command_of_readme() { sed -n "s/^\(sudo \)\{0,1\}\($1 [^#]*\).*/\2/p" "$readme" | head -n 1; }
# Serves an image of 64 by 64 pixels at a loopback address.
serve_image() {
    perl -MIO::Socket::INET -e '
        my $server = IO::Socket::INET->new(LocalAddr => "127.0.0.1", Listen => 5) or die "$!\n";
        open my $file, ">", "$ARGV[0].part";
        print $file $server->sockport;
        close $file;
        rename "$ARGV[0].part", $ARGV[0];
        my $image = pack "H*", $ARGV[1];
        while (my $client = $server->accept) {
            while (<$client>) { last if /^\r\n/ }
            print $client "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nConnection: close\r\n";
            print $client "Content-Length: ", length($image), "\r\n\r\n", $image;
            close $client;
        }' "$work/port" \
        89504e470d0a1a0a0000000d4948445200000040000000400802000000250be6890000004f4944415478daedcf410900000804b08b63\
44231acb08be85c10a2cd3f55a040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404\
04042e0b00e6814bef05266a0000000049454e44ae426082 &
    server=$!
    until [ -s "$work/port" ]; do kill -0 "$server" || return 1; done
}
gallery_answers() {
    as_user 'echo $$ >gallery.pid && exec imgscript gallery --no-open --sample -p pixabay coffee' >"$work/address" 2>"$work/errors" &
    gallery=$!
    until [ -s "$work/address" ]; do kill -0 "$gallery" || { cat "$work/errors"; return 1; }; done
    address=$(cat "$work/address")
    perl -MIO::Socket::INET -e '
        my ($host, $path) = $ARGV[0] =~ m{^http://([^/]+)(/.*)$} or die "no address: $ARGV[0]\n";
        my $socket = IO::Socket::INET->new(PeerAddr => $host) or die "$host: $!\n";
        print $socket "GET $path HTTP/1.1\r\nHost: $host\r\nConnection: close\r\n\r\n";
        my $line = <$socket>;
        print $line;
        exit($line =~ m{^HTTP/1.1 (200|303) } ? 0 : 1);' "$address"
    status=$?
    kill -INT "$(cat "$home/gallery.pid")"
    wait "$gallery"
    return "$status"
}
nothing_left() {
    ! find / -xdev \( -path /proc -o -path "$home" -o -path "$work" -o -path /tmp \) -prune -o -iname '*imgscript*' -print | grep .
}

useradd -m "$user"
check 'apt installs it' sh -c "$(command_of_readme 'apt install' | sed "s,\./imgscript_[^ ]*,-qq -y --no-install-recommends '$deb',")"
check 'doctor finds no fault' prints 'imgscript doctor' '✓ sandbox'
check 'samples are searched' prints "$(command_of_readme 'imgscript search')" 'coffee'
check 'providers pass their tests' as_user 'imgscript test /usr/share/imgscript/providers/met.js'
check 'a pack is built' as_user 'imgscript pack init boards --name @anna/boards && imgscript pack build boards'
check 'a pack is installed' as_user 'imgscript pack install --yes ./anna-boards-0.1.0.tgz'
check 'the gallery answers' gallery_answers
check 'an image is served' serve_image
host=127.0.0.1:$(cat "$work/port")
check 'an image is downloaded' as_user "imgscript download --allow-host $host -d pictures http://$host/square.png"
kill "$server"
check 'the manual is there' test -s /usr/share/man/man1/imgscript.1.gz -o -e /etc/dpkg/dpkg.cfg.d/excludes
check 'the unit is there' grep -q '^ExecStart=/usr/bin/imgscript serve ' /usr/lib/systemd/system/imgscript.service
for timer in watch status; do check "the timer $timer is there" test -s "/usr/lib/systemd/user/imgscript-$timer.timer"; done
check 'completions are there' test -s /usr/share/bash-completion/completions/imgscript

# Where things are missing.
search='imgscript search -p pixabay --sample coffee'
for locale in C C.UTF-8 xx_YY.UTF-8; do check "LANG=$locale" as_user "LC_ALL=$locale $search"; done
check 'without HOME' as_user "env -u HOME $search"
check 'with no environment' as_user "env -i /usr/bin/$search"
mkdir "$work/read-only"
chmod 555 "$work/read-only"
for command in "$search" 'imgscript doctor' 'imgscript providers' "imgscript cache info"; do
    check "read-only home: $command" works_or_says "HOME=$work/read-only $command"
done
# A container may forbid this.
if unshare -m mount -t tmpfs none /proc 2>/dev/null; then
    check 'without /proc' without_proc
fi
check 'without user namespaces' without_user_namespaces
check 'without seccomp' without_seccomp "$search" '^error: '
check 'without seccomp: doctor' without_seccomp 'imgscript doctor' '^✗ worker'

if [ -n "$archive" ]; then
    check 'xz is there' apt-get -qq -y install xz-utils
    check 'its sum is right' sh -c "cd '$(dirname "$archive")' && sha256sum --check --quiet --ignore-missing SHA256SUMS"
    check 'the archive is unpacked' as_user "$(command_of_readme 'tar -xf' | sed "s,imgscript-[^ ]*,'$archive',")"
    check 'the archive runs' prints "$(command_of_readme 'imgscript-[^ ]*')" "✓ worker *$home/imgscript-"
fi

check 'it is removed' apt-get -qq -y remove imgscript
check 'it is purged' dpkg --purge imgscript
check 'nothing is left but what the user made' nothing_left
check 'what the user made is there' test -s "$home/pictures/127.0.0.1/square.png"
userdel -r "$user" 2>/dev/null
rm -rf "$work"
exit "$failed"
