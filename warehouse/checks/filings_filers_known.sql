-- name: filings_filers_known
-- on: facts.filing_statements
-- severity: warn
-- says: every filer is an organisation of the registry
SELECT DISTINCT cik, company_raw FROM facts.filing_statements WHERE organisation_id IS NULL;
