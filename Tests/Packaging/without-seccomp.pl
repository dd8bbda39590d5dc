# without-seccomp.pl ERRNO COMMAND...: runs a command as on a kernel that answers seccomp(2) and PR_SET_SECCOMP with the error ERRNO.
use strict;
use warnings;
my ($errno, @command) = @ARGV;
my ($prctl, $seccomp) = `uname -m` =~ /aarch64/ ? (167, 277) : (157, 317);
my ($PR_SET_NO_NEW_PRIVS, $PR_SET_SECCOMP) = (38, 22);
my ($LOAD, $JUMP_IF_EQUAL, $RETURN) = (0x20, 0x15, 0x06);
# Jumps are relative to the next instruction.
my @filter = (
    [$LOAD,          0, 0, 0],  # the call's number
    [$JUMP_IF_EQUAL, 4, 0, $seccomp],
    [$JUMP_IF_EQUAL, 0, 2, $prctl],
    [$LOAD,          0, 0, 16],  # its first argument
    [$JUMP_IF_EQUAL, 1, 0, $PR_SET_SECCOMP],
    [$RETURN,        0, 0, 0x7fff0000],  # allowed
    [$RETURN,        0, 0, 0x00050000 | $errno],
);
my $code = join '', map { pack 'SCCL', @$_ } @filter;
my $program = pack 'Sx6P', scalar @filter, $code;
syscall($prctl, $PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 or die "no_new_privs: $!\n";
syscall($prctl, $PR_SET_SECCOMP, 2, $program, 0, 0) == 0 or die "filter: $!\n";
exec @command or die "$command[0]: $!\n";
