"""The subcommands of `rackledger`, one module each. They talk to people: arguments in, tables out, exit codes.

Exit codes: 0 all went well; 1 the work was refused or failed, the message says why; 2 the command line was wrong;
3 there is no warehouse yet; 4 `run --strict` could not reach the network; 5 published, but sources are failing.
"""

from __future__ import annotations

EXIT_FAILED = 1
EXIT_USAGE = 2
EXIT_NO_WAREHOUSE = 3
EXIT_NO_NETWORK = 4
EXIT_SOURCES_FAIL = 5
