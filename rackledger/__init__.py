"""The ledger for programs elsewhere: `rackledger.client` asks a server, or the published files without one."""
