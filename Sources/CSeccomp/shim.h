#pragma once
#include <errno.h>
#include <seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <linux/sched.h>
#include <stdint.h>

// Macros that Swift does not import.

static inline uint32_t seccomp_action_allow(void) { return SCMP_ACT_ALLOW; }
static inline uint32_t seccomp_action_errno(uint16_t number) { return SCMP_ACT_ERRNO(number); }
static inline uint32_t seccomp_action_kill(void) { return SCMP_ACT_KILL_PROCESS; }

/// Allows a system call when `(argument & mask) == value`.
static inline int seccomp_allow_masked(
    scmp_filter_ctx filter, int number, unsigned int argument, uint64_t mask, uint64_t value) {
    const struct scmp_arg_cmp condition = SCMP_CMP(argument, SCMP_CMP_MASKED_EQ, mask, value);
    return seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, number, 1, &condition);
}

/// Allows a system call when no bit of either mask is set in its argument.
static inline int seccomp_allow_without(
    scmp_filter_ctx filter, int number, unsigned int first, uint64_t first_mask, unsigned int second,
    uint64_t second_mask) {
    const struct scmp_arg_cmp conditions[] = {
        SCMP_CMP(first, SCMP_CMP_MASKED_EQ, first_mask, 0), SCMP_CMP(second, SCMP_CMP_MASKED_EQ, second_mask, 0) };
    return seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, number, 2, conditions);
}

static inline int seccomp_add_plain(scmp_filter_ctx filter, uint32_t action, int number) {
    return seccomp_rule_add_array(filter, action, number, 0, 0);
}

static inline int process_set_option(int option, unsigned long value) { return prctl(option, value, 0, 0, 0); }

static inline int process_set_limit(int resource, rlim_t value) {
    const struct rlimit limit = { value, value };
    return setrlimit(resource, &limit);
}
