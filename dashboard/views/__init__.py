"""One page a module. Views hold no SQL and no arithmetic; outside text is shown as text, never as markup."""
