# What a log of `swift test` says of failures, each with its whole reason: the lines after an issue up to the next event.

/^✘ |^error:|Fatal error/ { left = 60; print substr($0, 1, 4000); next }
/^(◇|✔|➜) / { left = 0 }
/Test run with / { print; next }
left > 0 { left--; print substr($0, 1, 4000) }
