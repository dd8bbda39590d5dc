#pragma once
#include <JavaScriptCore/JavaScript.h>

// Exported by the library, declared in no installed header (JSContextRefPrivate.h, JSRemoteInspector.h).

typedef bool (*JSShouldTerminateCallback)(JSContextRef ctx, void *context);

/// Stops scripts of the group that run longer than `seconds`, when `callback` agrees.
void JSContextGroupSetExecutionTimeLimit(
    JSContextGroupRef group, double seconds, JSShouldTerminateCallback callback, void *context);

/// Switches `eval` and the function constructors on or off; off, they throw an EvalError with `message`.
void JSGlobalContextSetEvalEnabled(JSGlobalContextRef ctx, bool enabled, JSStringRef message);

// Declared in jsc/JSCVersion.h, which needs GLib's headers.

unsigned jsc_get_major_version(void);
unsigned jsc_get_minor_version(void);
unsigned jsc_get_micro_version(void);

/// Says whether engines made from now on are offered to a debugger of another process.
void JSRemoteInspectorSetInspectionEnabledByDefault(bool enabled);
