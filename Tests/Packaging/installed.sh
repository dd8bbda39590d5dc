#!/bin/sh
# shellcheck disable=SC2317  # `check` calls what it is given.
# installed.sh DEB [URL]: installs the package on the Debian or Ubuntu it runs on, as root and with nothing else prepared, uses it as
# an unprivileged user, and removes it. URL is an image on a loopback address. Everything that is not as it should be is said.
set -u
deb=$1 url=${2:-}
export DEBIAN_FRONTEND=noninteractive
user=imgscript-test
failed=0

check() { # NAME COMMAND...
    name=$1
    shift
    if "$@" >/tmp/check.log 2>&1; then echo "ok      $name"; else
        echo "FAILED  $name (exit $?)"
        sed 's/^/        /' /tmp/check.log
        failed=1
    fi
}
as_user() { su -s /bin/sh "$user" -c "cd && $1"; }
prints() { as_user "$1" >/tmp/prints.log 2>&1; grep -q -- "$2" /tmp/prints.log || { cat /tmp/prints.log; return 1; }; }
nothing_left() { ! find / -xdev -path /proc -prune -o -path "/home/$user" -prune -o -iname '*imgscript*' ! -path "$deb" -print | grep .; }

useradd -m "$user"
check 'apt installs it' apt-get -qq -y -o Acquire::Retries=3 --no-install-recommends install "$deb"
check 'doctor finds no fault' as_user 'imgscript doctor'
check 'samples are searched' prints 'imgscript search --provider pixabay --sample --limit 5 coffee' 'coffee'
check 'providers pass their tests' as_user 'imgscript test /usr/share/imgscript/providers/met.js'
check 'a pack is built' as_user 'imgscript pack init boards --name @anna/boards && imgscript pack build boards'
check 'a pack is installed' as_user 'imgscript pack install --yes ./anna-boards-0.1.0.tgz'
if [ -n "$url" ]; then
    check 'an image is downloaded' as_user "imgscript download --allow-host '$(echo "$url" | cut -d/ -f3)' -d pictures '$url'"
fi
check 'the manual is there' test -s /usr/share/man/man1/imgscript.1.gz -o -e /etc/dpkg/dpkg.cfg.d/excludes

# Where things are missing.
for locale in C C.UTF-8 xx_YY.UTF-8; do check "LANG=$locale" as_user "LC_ALL=$locale imgscript search -p pixabay --sample café"; done
check 'without HOME' as_user 'env -u HOME imgscript search -p pixabay --sample coffee'
check 'with no environment' as_user 'env -i /usr/bin/imgscript search -p pixabay --sample coffee'
chmod 555 "/home/$user"
as_user 'rm -rf .cache .local' 2>/dev/null
mkdir -p /tmp/read-only && chown root /tmp/read-only && chmod 555 /tmp/read-only
check 'read-only home: a search' as_user 'HOME=/tmp/read-only imgscript search -p pixabay --sample coffee'
check 'read-only home: doctor' as_user 'HOME=/tmp/read-only imgscript doctor'
rm -rf /tmp/read-only

check 'it is removed' apt-get -qq -y remove imgscript
check 'it is purged' dpkg --purge imgscript
check 'nothing is left but what the user made' nothing_left
userdel -r "$user" 2>/dev/null
exit "$failed"
