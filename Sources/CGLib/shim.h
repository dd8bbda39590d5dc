#pragma once
// Digests and base64 come from GLib because JavaScriptCore has loaded it already.
#include <glib.h>
